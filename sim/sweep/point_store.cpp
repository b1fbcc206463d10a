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

constexpr const char* kAnswer = ".json";
constexpr const char* kFailure = ".failed";
constexpr std::size_t kFolderLetters = 2;  // chosen: 256 folders, of 390 files at 100 000 points

/// The contents of a file; empty if it cannot be read.
std::optional<std::string> contentsOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return std::nullopt;
    }
    return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

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

fs::path PointStore::pathOf(const std::string& hash, const char* extension) const {
    return folder_ / hash.substr(0, kFolderLetters) / (hash + extension);
}

std::optional<WorkerAnswer> PointStore::find(const std::string& hash) const {
    const std::optional<std::string> text = contentsOf(pathOf(hash, kAnswer));
    if (!text) {
        return std::nullopt;
    }
    WorkerAnswer answer = answerFrom(*text);
    return answer.error.empty() ? std::optional(std::move(answer)) : std::nullopt;
}

void PointStore::put(const std::string& hash, const WorkerAnswer& answer) const {
    const fs::path path = pathOf(hash, kAnswer);
    makeFolder(path.parent_path());
    writeWhole(path, toJson(answer));
}

std::optional<std::string> PointStore::findFailure(const std::string& hash) const {
    return find(hash) ? std::nullopt : contentsOf(pathOf(hash, kFailure));
}

void PointStore::putFailure(const std::string& hash, const std::string& error) const {
    const fs::path path = pathOf(hash, kFailure);
    makeFolder(path.parent_path());
    writeWhole(path, error);
}

std::set<std::string> PointStore::list() const {
    std::set<std::string> hashes;
    std::error_code ignored;  // a folder may appear while it is read
    for (const auto& folder : fs::directory_iterator(folder_, ignored)) {
        for (const auto& file : fs::directory_iterator(folder.path(), ignored)) {
            if (file.path().extension() == kAnswer) {
                hashes.insert(file.path().stem().string());
            }
        }
    }
    return hashes;
}

}  // namespace vnpu::sim
