// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/reference_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/split.h"

namespace vnpu::sim {

ReferenceTable ReferenceTable::parse(std::string_view text, std::string file) {
    ReferenceTable table;
    table.file_ = std::move(file);
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        if (number == 1) {
            table.names_ = split(line, ',');
        } else if (!line.empty()) {
            table.rows_.push_back(split(line, ','));
            table.lines_.push_back(number);
            if (table.rows_.back().size() != table.names_.size()) {
                table.fail(table.rows_.size() - 1,
                           fmt::format("{} fields, expected {}", table.rows_.back().size(),
                                       table.names_.size()));
            }
        }
    }
    if (table.rows_.empty()) {
        throw InputError(fmt::format("{}:1: no rows, expected a header and rows", table.file_));
    }
    return table;
}

ReferenceTable ReferenceTable::load(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in) {
        throw InputError(fmt::format("{}: can't be read", path.string()));
    }
    return parse(text, path.string());
}

const std::string& ReferenceTable::text(std::size_t row, std::string_view column) const {
    const auto found = std::find(names_.begin(), names_.end(), column);
    if (found == names_.end()) {
        throw InputError(fmt::format("{}:1: no column {}, expected it among {}", file_, column,
                                     fmt::join(names_, ", ")));
    }
    return rows_.at(row).at(static_cast<std::size_t>(found - names_.begin()));
}

std::uint64_t ReferenceTable::integer(std::size_t row, std::string_view column) const {
    const std::string& field = text(row, column);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (field.empty() || error != std::errc() || end != field.data() + field.size()) {
        fail(row, fmt::format("{} is \"{}\", expected an integer", column, field));
    }
    return value;
}

void ReferenceTable::fail(std::size_t row, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, lines_.at(row), what));
}

std::filesystem::path referenceFolder() {
    const char* shared = std::getenv("VNPU_SHARED");
    const std::filesystem::path folder =
            std::filesystem::path(shared != nullptr ? shared : "../shared") / "reference";
    std::error_code error;
    return std::filesystem::is_directory(folder, error) ? folder : std::filesystem::path();
}

}  // namespace vnpu::sim
