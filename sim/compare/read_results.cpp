// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/read_results.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/compare/baseline.h"
#include "sim/compare/result_readers.h"

namespace vnpu::sim {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kForms =
        "a baseline, metrics.json, sweep.json, validation.csv, JUnit XML, JSON lines of cases, or "
        "JSON of Google Benchmark";

std::string textOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.is_open() || in.bad()) {
        throw InputError(
                fmt::format("{}: {}, expected {}", path.string(), std::strerror(errno), kForms));
    }
    return text;
}

ResultSet readRun(const Json& json, const fs::path& file) {
    ResultSet results = resultsOfRun(json);
    const fs::path layers = file.parent_path() / "layers.csv";
    if (fs::exists(layers)) {
        addLayers(textOf(layers), layers.string(), results);
    }
    return results;
}

ResultSet readJson(const std::string& text, const fs::path& file) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || (json.is_object() && json.contains("result"))) {
        return resultsOfJsonLines(text);  // a line alone is JSON, too
    }
    if (isBaseline(json)) {
        return resultsOfBaseline(json, file.string());
    }
    const auto has = [&](const char* key) { return json.is_object() && json.contains(key); };
    if (has("sweep") && has("rows")) {
        return resultsOfSweep(json);
    }
    if (has("scheduling") && has("clients")) {
        return readRun(json, file);
    }
    if (has("benchmarks")) {
        return resultsOfBenchmarks(json, file.string());
    }
    throw InputError(fmt::format("{}: JSON of another kind, expected {}", file.string(), kForms));
}

ResultSet readFile(const fs::path& file) {
    const std::string text = textOf(file);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const char mark = first == std::string::npos ? '\0' : text[first];
    try {
        if (mark == '<') {
            return resultsOfJunit(text, file.string());
        }
        if (mark == '{' || mark == '[') {
            return readJson(text, file);
        }
        if (text.starts_with("kind,rung,")) {
            return resultsOfValidation(text, file.string());
        }
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: {}, expected {}", file.string(), error.what(), kForms));
    }
    throw InputError(fmt::format("{}: expected {}", file.string(), kForms));
}

/// The file of a folder that has its results.
fs::path fileIn(const fs::path& folder) {
    for (const char* name : {"metrics.json", "sweep.json", "validation.csv"}) {
        if (fs::exists(folder / name)) {
            return folder / name;
        }
    }
    throw InputError(
            fmt::format("{}: holds no metrics.json, sweep.json or validation.csv, "
                        "expected a folder of \"vnpu run\", \"vnpu sweep\" or \"vnpu "
                        "validate --out\"",
                        folder.string()));
}

}  // namespace

ResultSet readResults(const std::string& path) {
    std::error_code error;
    const bool isFolder = fs::is_directory(path, error);
    ResultSet results = readFile(isFolder ? fileIn(path) : fs::path(path));
    results.source = path;
    return results;
}

}  // namespace vnpu::sim
