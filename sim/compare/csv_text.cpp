// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/csv_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

/// Splits a CSV text character by character.
class CsvReader {
  public:
    CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    std::vector<std::vector<std::string>> read() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"' && cell_.empty() && !isQuoted_) {
                readQuoted();
                continue;
            }
            ++at_;
            if (c == ',') {
                endCell();
            } else if (c == '\n') {
                endLine();
            } else {
                cell_ += c;
            }
        }
        endLine();
        return std::move(lines_);
    }

  private:
    void readQuoted() {
        const std::size_t first = line_;
        isQuoted_ = true;
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] != '"') {
                line_ += text_[at_] == '\n' ? 1 : 0;
                cell_ += text_[at_];
            } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
                cell_ += '"';
                ++at_;
            } else {
                ++at_;
                return;
            }
        }
        throw InputError(fmt::format("{}:{}: a quote does not end", file_, first));
    }

    void endCell() {
        cells_.push_back(std::move(cell_));
        cell_.clear();
        isQuoted_ = false;
    }

    void endLine() {
        if (!isQuoted_ && cell_.ends_with('\r')) {
            cell_.pop_back();
        }
        if (!cells_.empty() || !cell_.empty() || isQuoted_) {
            endCell();
            lines_.push_back(std::move(cells_));
            cells_.clear();
        }
        ++line_;
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::string cell_;
    bool isQuoted_ = false;  // the present cell
    std::vector<std::string> cells_;
    std::vector<std::vector<std::string>> lines_;
};

}  // namespace

std::vector<std::vector<std::string>> csvCells(std::string_view text, const std::string& file) {
    return CsvReader(text, file).read();
}

CsvTable::CsvTable(std::string_view text, const std::string& file)
    : file_(file), rows_(csvCells(text, file)) {
    if (rows_.empty()) {
        throw InputError(fmt::format("{}: is empty, expected a line with names of columns", file));
    }
    columns_ = std::move(rows_.front());
    rows_.erase(rows_.begin());
    for (const std::vector<std::string>& row : rows_) {
        if (row.size() != columns_.size()) {
            throw InputError(
                    fmt::format("{}: the row that begins with \"{}\" has {} cells, "
                                "expected {}",
                                file, row.front(), row.size(), columns_.size()));
        }
    }
}

bool CsvTable::has(std::string_view column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

std::size_t CsvTable::indexOf(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) {
        throw InputError(fmt::format("{}: there is no column {}, expected it among {}", file_,
                                     column, fmt::join(columns_, ", ")));
    }
    return static_cast<std::size_t>(found - columns_.begin());
}

const std::string& CsvTable::at(std::size_t row, std::string_view column) const {
    return rows_.at(row)[indexOf(column)];
}

}  // namespace vnpu::sim
