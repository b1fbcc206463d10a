// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/onnxim/onnxim_table.h"

#include <algorithm>
#include <cmath>
#include <regex>

#include "sim/validate/reference_table.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

std::vector<OnnximRow> loadOnnximRows(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / "onnxim_totals.csv";
    std::vector<OnnximRow> rows;
    if (folder.empty() || !std::filesystem::exists(path)) {
        return rows;
    }
    static const std::regex kOwn(R"(own_(\d{1,4})x(\d{1,4})_c1)");
    const ReferenceTable table = ReferenceTable::load(path);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::smatch parts;
        const std::string config = table.text(row, "config");
        if (std::regex_match(config, parts, kOwn) && parts[1] == parts[2]) {
            rows.push_back({table.text(row, "model"),
                            static_cast<std::uint32_t>(std::stoul(parts[1])),
                            table.integer(row, "cycles"),
                            table.integer(row, "dram_read_bytes") +
                                    table.integer(row, "dram_write_bytes")});
        }
    }
    return rows;
}

double onnximArrayCycles(const LayerParameters& layer, std::uint32_t size) {
    if (layer.kernels == 0) {
        return 0.0;
    }
    const double side = size;
    const double pixels = real(layer.rows * layer.columns);
    const double folds = real(layer.taps()) * std::ceil(real(layer.channels) / side) *
                         std::ceil(real(layer.kernels) / side);
    return folds * std::max(pixels, side) + 2.0 * side - 2.0;
}

}  // namespace vnpu::sim
