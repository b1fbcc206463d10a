// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

inline constexpr std::size_t kTextColumns = 120;  // chosen: what a wide terminal shows

/// A text in lines of at most `width` characters: lines that fit as they are, longer ones broken
/// between words, with the blanks at their beginning. A longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// What a name in a table means.
struct LegendEntry {
    std::string name{};
    std::string meaning{};
};

/// A line for each entry, the meanings below each other; longer ones go on in the next line. Every
/// line begins with `indent` blanks and has at most kTextColumns characters.
std::string legendText(const std::vector<LegendEntry>& entries, std::size_t indent = 2);

}  // namespace vnpu::sim
