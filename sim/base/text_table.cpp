// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/regs/check.h"

namespace vnpu::sim {

TextTable::TextTable(const std::vector<std::string>& left, const std::vector<std::string>& right,
                     const std::vector<std::string>& leftAgain) {
    for (const std::string& header : left) {
        addColumn(header, Align::kLeft);
    }
    for (const std::string& header : right) {
        addColumn(header);
    }
    for (const std::string& header : leftAgain) {
        addColumn(header, Align::kLeft);
    }
}

void TextTable::addColumn(std::string header, Align align) {
    headers_.push_back(std::move(header));
    aligns_.push_back(align);
}

void TextTable::addRow(std::vector<std::string> cells) {
    VNPU_CHECK(cells.size() == headers_.size(), "a row has a cell for every column");
    rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent) const {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < headers_.size(); ++column) {
        std::size_t width = headers_[column].size();
        for (const std::vector<std::string>& row : rows_) {
            width = std::max(width, row[column].size());
        }
        widths.push_back(width);
    }
    std::string out;
    const auto addLine = [&](const auto& cellAt) {
        std::string line(indent, ' ');
        for (std::size_t column = 0; column < headers_.size(); ++column) {
            const std::string cell = cellAt(column);
            const std::string padding(widths[column] - cell.size(), ' ');
            line += column == 0 ? "" : "  ";
            line += aligns_[column] == Align::kRight ? padding + cell : cell + padding;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    };
    addLine([&](std::size_t column) { return headers_[column]; });
    addLine([&](std::size_t column) { return std::string(widths[column], '-'); });
    for (const std::vector<std::string>& row : rows_) {
        addLine([&](std::size_t column) { return row[column]; });
    }
    return out;
}

std::string csvLine(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        line += i == 0 ? "" : ",";
        if (cells[i].find_first_of(",\"\n\r") == std::string::npos) {
            line += cells[i];
            continue;
        }
        line += '"';
        for (const char c : cells[i]) {
            line += c == '"' ? "\"\"" : std::string(1, c);
        }
        line += '"';
    }
    return line + "\n";
}

}  // namespace vnpu::sim
