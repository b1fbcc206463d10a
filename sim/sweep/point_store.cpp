// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/point_store.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "sim/base/error.h"
#include "sim/report/write_report.h"

namespace vnpu::sim {

PointStore::PointStore(std::filesystem::path folder) : folder_(std::move(folder)) {
    makeOutFolder(folder_);
}

std::optional<WorkerAnswer> PointStore::find(const std::string& hash) const {
    std::ifstream in(folder_ / (hash + ".json"), std::ios::binary);
    if (!in) {
        return std::nullopt;
    }
    WorkerAnswer answer = answerFrom(
            std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
    return answer.error.empty() ? std::optional(std::move(answer)) : std::nullopt;
}

void PointStore::put(const std::string& hash, const WorkerAnswer& answer) const {
    const std::filesystem::path path = folder_ / (hash + ".json");
    const std::filesystem::path part = folder_ / (hash + ".part");
    writeFile(part, toJson(answer));
    std::filesystem::rename(part, path);
}

}  // namespace vnpu::sim
