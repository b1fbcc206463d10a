// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/architecture/includes.h"
#include "tests/support/source_folder.h"

namespace vnpu::test {
namespace {

namespace fs = std::filesystem;

/// The rooms of each layer from low to high: a file may include its own room and those before it.
const std::map<std::string, std::vector<std::string>> kRooms = {
        {"hw_model/kernels", {"support", "mac", "operators", "vector", "decoder"}},
        {"hw_model/blocks", {"base", "deferred", "memory", "host", "engines", "control"}},
        {"firmware/core", {"base", "scheduling", "host", "jobs"}},
        {"hal/src", {"memory", "nn", "fmq", "hidl", "burst"}},
        {"driver",
         {"linux", "minimal", "port", "validation", "compiler", "cache", "api", "control", "memory",
          "qos", "execution", "hal"}},
        {"driver/compiler", {"ir", "plan", "weights", "frontend", "rewrite", "stream", "emit"}},
        {"driver/compiler/frontend", {"base", "operators"}},
        {"sim/import", {"graph", "tflite", "onnx"}},
        {"sim", {"base",        "ci",         "config",          "bringup",
                 "device",      "models",     "media",           "import",
                 "platform",    "linux_port", "trace",           "client",
                 "scenario",    "service",    "metrics",         "report",
                 "interrupt",   "ndk_client", "conform",         "live",
                 "stress",      "sweep",      "validate",        "compare",
                 "results",     "qemu",       "watch",           "cli",
                 "passthrough", "ndk",        "tflite_delegate", "python"}},
        {"sim/ndk",
         {"include", "base", "memory", "model", "device", "cpu", "compute", "c_interface"}},
};

std::string folderOf(const std::string& file) {
    return fs::path(file).parent_path().string();
}

/// The name of the room of `layer` that holds the file; empty for a file at the layer's top.
std::string roomOf(const std::string& layer, const std::string& file) {
    const std::string inside = file.substr(layer.size() + 1);
    const std::size_t end = inside.find('/');
    return end == std::string::npos ? "" : inside.substr(0, end);
}

/// A header and its source are one unit.
std::string unitOf(const std::string& file) {
    return fs::path(file).replace_extension().string();
}

using Graph = std::map<std::string, std::set<std::string>>;

/// Why `file` may not include `target`, both files of `layer`; empty if it may.
std::string roomViolation(const std::string& layer, const std::string& file,
                          const std::string& target) {
    const auto& rooms = kRooms.at(layer);
    const auto rank = [&](const std::string& path) {
        return std::find(rooms.begin(), rooms.end(), roomOf(layer, path)) - rooms.begin();
    };
    // Files at the top of a layer belong to no room; the search for cycles covers them.
    if (roomOf(layer, file).empty() || roomOf(layer, target).empty() ||
        rank(target) <= rank(file)) {
        return "";
    }
    return roomOf(layer, target) + " is above " + roomOf(layer, file);
}

/// The nodes that can be reached from themselves.
std::vector<std::string> nodesOnCycles(const Graph& graph) {
    std::vector<std::string> found;
    for (const auto& [start, targets] : graph) {
        std::set<std::string> seen;
        std::vector<std::string> open(targets.begin(), targets.end());
        while (!open.empty()) {
            const std::string node = open.back();
            open.pop_back();
            const auto next = graph.find(node);
            if (seen.insert(node).second && next != graph.end()) {
                open.insert(open.end(), next->second.begin(), next->second.end());
            }
        }
        if (seen.contains(start)) {
            found.push_back(start);
        }
    }
    return found;
}

/// The includes among our own files of the product, joined by `key` of each file; none from a node
/// to itself.
Graph graphBy(const std::vector<Include>& includes, std::string (*key)(const std::string&)) {
    Graph graph;
    for (const Include& include : includes) {
        if (fs::exists(sourceFolder() / include.target) &&
            key(include.file) != key(include.target)) {
            graph[key(include.file)].insert(key(include.target));
        }
    }
    return graph;
}

}  // namespace

TEST_SUITE_BEGIN("architecture/room_rules");

TEST_CASE("every include follows the order of the rooms [design 1]") {
    for (const Include& include : includesOf(sourceFolder(), kProductFolders)) {
        for (const auto& [layer, rooms] : kRooms) {
            if (isBelow(include.file, layer) && isBelow(include.target, layer)) {
                const std::string why = roomViolation(layer, include.file, include.target);
                CHECK_MESSAGE(why.empty(), include.file, ":", include.line, " includes ",
                              include.target, ": ", why);
            }
        }
    }
}

TEST_CASE("every folder of a layer is part of its room order") {
    for (const auto& [layer, rooms] : kRooms) {
        for (const auto& entry : fs::directory_iterator(sourceFolder() / layer)) {
            const std::string name = entry.path().filename();
            const std::string folder = layer + "/" + name;
            if (entry.is_directory() &&
                !sourcesOf(sourceFolder(), std::array{folder.c_str()}).empty()) {
                CHECK_MESSAGE(std::count(rooms.begin(), rooms.end(), name) == 1, folder);
            }
        }
    }
}

TEST_CASE("no two units and no two folders include each other") {
    const auto includes = includesOf(sourceFolder(), kProductFolders);
    for (const std::string& unit : nodesOnCycles(graphBy(includes, unitOf))) {
        CHECK_MESSAGE(false, unit, " includes itself by way of others");
    }
    for (const std::string& folder : nodesOnCycles(graphBy(includes, folderOf))) {
        CHECK_MESSAGE(false, folder, " includes itself by way of others");
    }
}

TEST_CASE("no folder of the product holds more than 40 source files") {
    std::map<std::string, int> count;
    for (const fs::path& source : sourcesOf(sourceFolder(), kProductFolders)) {
        ++count[source.parent_path().string()];
    }
    for (const auto& entry : count) {
        CHECK_MESSAGE(entry.second <= 40, entry.first, " holds ", entry.second);
    }
}

TEST_CASE("the rules refuse an upward include and find a cycle") {
    CHECK(roomViolation("driver", "driver/memory/context.h", "driver/hal/npu_device.h") ==
          "hal is above memory");
    CHECK(roomViolation("driver", "driver/hal/npu_device.h", "driver/memory/context.h").empty());
    CHECK(nodesOnCycles({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}) ==
          std::vector<std::string>{"b", "c"});
    CHECK(nodesOnCycles({{"a", {"b"}}, {"b", {"c"}}}).empty());
}

TEST_SUITE_END();

}  // namespace vnpu::test
