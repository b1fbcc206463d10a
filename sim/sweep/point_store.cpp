// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/point_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "sim/base/error.h"
#include "sim/report/write_report.h"

namespace vnpu::sim {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFolderLetters = 2;  // chosen: 256 folders, of 390 files at 100 000 points

std::string hostName() {
    std::array<char, HOST_NAME_MAX + 1> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

}  // namespace

void writeWhole(const fs::path& path, std::string_view text) {
    fs::path part = path;
    part += fmt::format(".{}.{}.part", hostName(), getpid());
    writeFile(part, text);
    std::error_code error;
    fs::rename(part, path, error);
    if (error) {
        throw std::runtime_error(fmt::format("can't write {}: {}", path.string(), error.message()));
    }
}

PointStore::PointStore(fs::path folder) : folder_(std::move(folder)) {
    makeOutFolder(folder_);
}

fs::path PointStore::pathOf(const std::string& hash) const {
    return folder_ / hash.substr(0, kFolderLetters) / (hash + ".json");
}

std::optional<WorkerAnswer> PointStore::find(const std::string& hash) const {
    std::ifstream in(pathOf(hash), std::ios::binary);
    if (!in) {
        return std::nullopt;
    }
    WorkerAnswer answer = answerFrom(
            std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
    return answer.error.empty() ? std::optional(std::move(answer)) : std::nullopt;
}

void PointStore::put(const std::string& hash, const WorkerAnswer& answer) const {
    const fs::path path = pathOf(hash);
    makeFolder(path.parent_path());
    writeWhole(path, toJson(answer));
}

std::set<std::string> PointStore::list() const {
    std::set<std::string> hashes;
    std::error_code ignored;  // a folder may appear while it is read
    for (const auto& folder : fs::directory_iterator(folder_, ignored)) {
        for (const auto& file : fs::directory_iterator(folder.path(), ignored)) {
            if (file.path().extension() == ".json") {
                hashes.insert(file.path().stem().string());
            }
        }
    }
    return hashes;
}

}  // namespace vnpu::sim
