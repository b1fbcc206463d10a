// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// The cells of a CSV text (RFC 4180, lines end with LF or CRLF), line by line; lines without a
/// character are left out. Throws InputError with `file` and the line of a quote that does not end.
std::vector<std::vector<std::string>> csvCells(std::string_view text, const std::string& file);

/// A CSV text whose first line names the columns.
class CsvTable {
  public:
    /// Throws InputError with the line if a line has another number of cells than the first.
    CsvTable(std::string_view text, const std::string& file);

    std::size_t size() const { return rows_.size(); }
    bool has(std::string_view column) const;
    /// Throws InputError if there is no such column.
    const std::string& at(std::size_t row, std::string_view column) const;

  private:
    std::size_t indexOf(std::string_view column) const;

    std::string file_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace vnpu::sim
