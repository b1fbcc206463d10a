// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// A table of comma-separated values with a header, from outside the project and therefore checked.
/// Throws InputError "file:line: what, expected what" for mistakes.
class ReferenceTable {
  public:
    /// `file` is the name in messages. Fields have no quotes; every row has as many fields as the
    /// header.
    static ReferenceTable parse(std::string_view text, std::string file);
    static ReferenceTable load(const std::filesystem::path& path);

    std::size_t rows() const { return rows_.size(); }
    const std::string& text(std::size_t row, std::string_view column) const;
    std::uint64_t integer(std::size_t row, std::string_view column) const;

    [[noreturn]] void fail(std::size_t row, const std::string& what) const;

  private:
    std::string file_;
    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> lines_;  // of each row
};

/// The folder with tables that are not part of the project: $VNPU_SHARED/reference, else
/// ../shared/reference; empty if there is none.
std::filesystem::path referenceFolder();

}  // namespace vnpu::sim
