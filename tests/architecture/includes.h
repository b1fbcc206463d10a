// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace vnpu::test {

/// The layers of the product, and the same with the tests.
inline constexpr const char* kAllFolders[] = {"hw_model", "firmware", "hal",
                                              "driver",   "sim",      "tests"};
inline constexpr std::span<const char* const> kProductFolders(kAllFolders, 5);

struct Include {
    std::string file;  // relative to the root, as is `target` where it is ours
    std::size_t line = 0;
    std::string target;
};

/// Every #include of the C++ files below the folders of `root`.
std::vector<Include> includesOf(const std::filesystem::path& root,
                                std::span<const char* const> folders);

/// The C++ files below the folders of `root`.
std::vector<std::filesystem::path> sourcesOf(const std::filesystem::path& root,
                                             std::span<const char* const> folders);

/// Whether the path is the folder or lies in it.
bool isBelow(const std::string& path, const std::string& folder);

}  // namespace vnpu::test
