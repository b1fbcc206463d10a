// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// A table of text in columns, two spaces apart. Columns are left or right aligned as a whole.
class TextTable {
  public:
    enum class Align { kLeft, kRight };

    void addColumn(std::string header, Align align = Align::kRight);
    /// As many cells as there are columns.
    void addRow(std::vector<std::string> cells);

    /// Header, rule and rows, each line ended and begun with `indent` blanks.
    std::string text(std::size_t indent = 0) const;

  private:
    std::vector<std::string> headers_;
    std::vector<Align> aligns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Cells as one CSV line (RFC 4180 quoting, line feed at the end).
std::string csvLine(const std::vector<std::string>& cells);

}  // namespace vnpu::sim
