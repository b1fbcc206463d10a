// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/includes.h"

#include <algorithm>
#include <fstream>
#include <regex>

namespace vnpu::test {

namespace fs = std::filesystem;

std::vector<fs::path> sourcesOf(const fs::path& root, std::span<const char* const> folders) {
    std::vector<fs::path> sources;
    for (const char* folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension();
            if (extension == ".h" || extension == ".cpp") {
                sources.push_back(entry.path());
            }
        }
    }
    std::sort(sources.begin(), sources.end());
    return sources;
}

std::vector<Include> includesOf(const fs::path& root, std::span<const char* const> folders) {
    static const std::regex kInclude(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
    std::vector<Include> includes;
    for (const fs::path& source : sourcesOf(root, folders)) {
        std::ifstream file(source);
        std::string text;
        for (std::size_t line = 1; std::getline(file, text); ++line) {
            std::smatch match;
            if (text.find('#') != std::string::npos && std::regex_search(text, match, kInclude)) {
                includes.push_back({fs::relative(source, root).string(), line, match[1]});
            }
        }
    }
    return includes;
}

bool isBelow(const std::string& path, const std::string& folder) {
    return path == folder || path.rfind(folder + "/", 0) == 0;
}

}  // namespace vnpu::test
