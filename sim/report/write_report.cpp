// SPDX-License-Identifier: Apache-2.0
#include "sim/report/write_report.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "sim/base/error.h"

namespace vnpu::sim {

void writeFile(const std::filesystem::path& path, std::string_view text) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
        throw std::runtime_error(fmt::format("can't write {}", path.string()));
    }
}

std::error_code makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return !error && !std::filesystem::is_directory(folder)
                   ? std::make_error_code(std::errc::not_a_directory)
                   : error;
}

void makeOutFolder(const std::filesystem::path& folder) {
    if (makeFolder(folder)) {
        throw InputError(
                fmt::format("--out: can't make the folder {}, expected one that can be written",
                            folder.string()));
    }
}

void writeReports(const RunReport& report, const std::filesystem::path& folder) {
    writeFile(folder / "summary.txt", summaryText(report));
    writeFile(folder / "layers.csv", layersCsv(report));
    writeFile(folder / "jobs.csv", jobsCsv(report));
    writeFile(folder / "metrics.json", metricsJson(report));
}

}  // namespace vnpu::sim
