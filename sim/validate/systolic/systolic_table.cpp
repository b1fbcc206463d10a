// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/systolic/systolic_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <regex>

namespace vnpu::sim {

namespace {

std::uint32_t extent(const ReferenceTable& table, std::size_t row, std::string_view column) {
    const std::uint64_t value = table.integer(row, column);
    constexpr std::uint64_t kLargestProduct =
            1U << 20U;  // chosen: beyond any layer, short of overflow
    if (value == 0 || value > kLargestProduct) {
        table.fail(row, fmt::format("{} is {}, expected 1 to {}", column, value, kLargestProduct));
    }
    return static_cast<std::uint32_t>(value);
}

LayerShape shapeOf(const ReferenceTable& table, std::size_t row) {
    LayerShape shape;
    if (table.text(row, "ifmap_h").empty()) {
        shape.rows = extent(table, row, "M");
        shape.filters = extent(table, row, "N");
        shape.channels = extent(table, row, "K");
        return shape;
    }
    shape.inputHeight = extent(table, row, "ifmap_h");
    shape.inputWidth = extent(table, row, "ifmap_w");
    shape.filterHeight = extent(table, row, "filter_h");
    shape.filterWidth = extent(table, row, "filter_w");
    shape.channels = extent(table, row, "channels");
    shape.filters = extent(table, row, "filters");
    shape.stride = extent(table, row, "stride");
    if (shape.filterHeight > shape.inputHeight || shape.filterWidth > shape.inputWidth) {
        table.fail(row, "the filter is larger than the input, expected it within");
    }
    const hw::GemmShape gemm = shape.gemm();
    if (gemm.m != table.integer(row, "M") || gemm.n != table.integer(row, "N") ||
        gemm.k != table.integer(row, "K")) {
        table.fail(row, fmt::format("M, N, K do not fit the layer, expected {}, {}, {}", gemm.m,
                                    gemm.n, gemm.k));
    }
    return shape;
}

/// The table of a file name.
std::optional<SystolicTable> tableOf(const std::string& fileName) {
    static const std::regex kName(R"(scalesim_(\w+)_(\d{1,4})x(\d{1,4})_(ws|os)(_user16)?\.csv)");
    std::smatch parts;
    if (!std::regex_match(fileName, parts, kName) || parts[2] != parts[3]) {
        return std::nullopt;
    }
    SystolicTable table;
    table.network = parts[1];
    table.size = static_cast<std::uint32_t>(std::stoul(parts[2]));
    table.dataflow =
            parts[4] == "ws" ? hw::Dataflow::kWeightStationary : hw::Dataflow::kOutputStationary;
    table.isLimited = parts[5].matched;
    return table;
}

}  // namespace

std::string SystolicTable::configName() const {
    return fmt::format("{}{}", dataflow == hw::Dataflow::kWeightStationary ? "ws" : "os", size);
}

std::vector<SystolicLayer> systolicLayers(const ReferenceTable& table, bool isLimited) {
    std::vector<SystolicLayer> layers;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        SystolicLayer layer;
        layer.name = table.text(row, "layer");
        layer.shape = shapeOf(table, row);
        layer.repeat = table.integer(row, "repeat");
        // The tables give the index of the last cycle.
        const std::uint64_t cycles = table.integer(row, "cycles");
        const std::uint64_t stalls = table.integer(row, "stall_cycles");
        if (stalls > cycles) {
            table.fail(row, fmt::format("stall_cycles is {}, expected at most the {} of cycles",
                                        stalls, cycles));
        }
        layer.macCycles = cycles - stalls + 1;
        if (isLimited) {
            layer.totalCycles = table.integer(row, "cycles_incl_prefetch");
            layer.inputWords = table.integer(row, "dram_ifmap_reads");
            layer.filterWords = table.integer(row, "dram_filter_reads");
            layer.outputWords = table.integer(row, "dram_ofmap_writes");
        }
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::vector<SystolicTable> builtInSystolicTables() {
    constexpr auto kWs = hw::Dataflow::kWeightStationary;
    constexpr auto kOs = hw::Dataflow::kOutputStationary;
    // ResNet-50's first layer, padded: 112 x 112 pixels, 147 taps, 64 filters.
    const LayerShape conv1{229, 229, 7, 7, 3, 64, 2, 0};
    // A projection of BERT-base at 128 tokens.
    const LayerShape query{1, 1, 1, 1, 768, 768, 1, 128};
    // MobileNetV1's last pointwise layer: 49 pixels.
    const LayerShape pw13{7, 7, 1, 1, 1024, 1024, 1, 0};
    // source: SCALE-Sim (ISPASS 2020), folds times cycles of a fold
    return {{"conv1", 16, kWs, false, {{"conv1", conv1, 1, 503'600}}},  // 10 * 4 of 12,590
            {"conv1", 32, kWs, false, {{"conv1", conv1, 1, 126'380}}},  // 5 * 2 of 12,638
            {"conv1", 16, kOs, false, {{"conv1", conv1, 1, 555'072}}},  // 784 * 4 of 177
            {"query", 128, kWs, false, {{"query", query, 1, 18'360}}},  // 6 * 6 of 510
            {"query", 128, kOs, false, {{"query", query, 1, 6'132}}},   // 1 * 6 of 1,022
            {"query", 32, kOs, false, {{"query", query, 1, 79'680}}},   // 4 * 24 of 830
            {"pw13", 32, kWs, false, {{"pw13", pw13, 1, 146'432}}}};    // 32 * 32 of 143
}

std::vector<SystolicTable> loadSystolicTables(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<SystolicTable> tables;
    for (const std::filesystem::path& file : files) {
        if (auto table = tableOf(file.filename().string())) {
            table->layers = systolicLayers(ReferenceTable::load(file), table->isLimited);
            tables.push_back(std::move(*table));
        }
    }
    return tables;
}

}  // namespace vnpu::sim
