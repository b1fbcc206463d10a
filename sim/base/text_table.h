// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// A table of text in columns, two spaces apart. Every column is aligned to the left or to the
/// right.
class TextTable {
  public:
    enum class Align { kLeft, kRight };

    /// Columns aligned to the left, then to the right, then to the left again.
    explicit TextTable(const std::vector<std::string>& left = {},
                       const std::vector<std::string>& right = {},
                       const std::vector<std::string>& leftAgain = {});

    void addColumn(std::string header, Align align = Align::kRight);
    /// `cells` has one element per column.
    void addRow(std::vector<std::string> cells);
    /// The same for values that fmt::format("{}") turns into text.
    template <typename... Values>
    void add(const Values&... values) {
        addRow({fmt::format("{}", values)...});
    }

    /// Header, rule and rows; every line begins with `indent` blanks and ends with a line feed.
    std::string text(std::size_t indent = 0) const;

  private:
    std::vector<std::string> headers_;
    std::vector<Align> aligns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Cells as one CSV line (RFC 4180 quoting, line feed at the end).
std::string csvLine(const std::vector<std::string>& cells);

/// The same for values that fmt::format("{}") turns into text.
template <typename... Values>
std::string csvOf(const Values&... values) {
    return csvLine({fmt::format("{}", values)...});
}

}  // namespace vnpu::sim
