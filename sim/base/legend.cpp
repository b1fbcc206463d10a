// SPDX-License-Identifier: Apache-2.0
#include "sim/base/legend.h"

#include <algorithm>

namespace vnpu::sim {

namespace {

void wrapLine(std::string_view text, std::size_t width, std::vector<std::string>& lines) {
    if (text.size() <= width) {
        lines.emplace_back(text);
        return;
    }
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    std::string line(text.substr(0, blanks));
    bool isEmpty = true;
    for (std::size_t from = blanks; from < text.size();) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        const std::string_view word = text.substr(from, to - from);
        if (!isEmpty && line.size() + 1 + word.size() > width) {
            lines.push_back(std::move(line));
            line.clear();
            isEmpty = true;
        }
        line += isEmpty ? "" : " ";
        line += word;
        isEmpty = false;
        from = std::min(text.find_first_not_of(' ', to), text.size());
    }
    lines.push_back(std::move(line));
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        wrapLine(text.substr(from, to - from), width, lines);
        from = to + 1;
    }
    return lines;
}

std::string legendText(const std::vector<LegendEntry>& entries, std::size_t indent) {
    std::size_t nameWidth = 0;
    for (const LegendEntry& entry : entries) {
        nameWidth = std::max(nameWidth, entry.name.size());
    }
    const std::size_t left = indent + nameWidth + 2;
    std::string text;
    for (const LegendEntry& entry : entries) {
        std::string begin = std::string(indent, ' ') + entry.name;
        for (const std::string& line : wrapped(entry.meaning, kTextColumns - left)) {
            begin.resize(left, ' ');
            text += begin + line + "\n";
            begin.clear();
        }
    }
    return text;
}

}  // namespace vnpu::sim
