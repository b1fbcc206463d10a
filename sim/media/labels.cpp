// SPDX-License-Identifier: Apache-2.0
#include "sim/media/labels.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "sim/base/error.h"

namespace vnpu::sim::media {

Labels parseLabels(std::string_view text) {
    Labels labels;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        labels.emplace_back(line);
    }
    while (!labels.empty() && labels.back().empty()) {
        labels.pop_back();
    }
    return labels;
}

Labels readLabels(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof()) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    Labels labels = parseLabels(text);
    if (labels.empty()) {
        throw InputError(fmt::format("{}: no labels, expected one per line", path));
    }
    return labels;
}

std::string labelOf(const Labels& labels, std::size_t index) {
    return index < labels.size() && !labels[index].empty() ? labels[index] : std::to_string(index);
}

}  // namespace vnpu::sim::media
