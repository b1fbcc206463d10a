// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vnpu::sim {

/// Nanoseconds of a text "<number> <unit>" with one space and the unit ns, us, ms or s, as in "33.3
/// ms". Empty for any other form, for a fraction of a nanosecond, and for more than an hour
/// (chosen: a longer duration is a typing mistake).
std::optional<std::uint64_t> parseDuration(std::string_view text);

/// The form in words, for error messages.
inline constexpr std::string_view kDurationForm =
        "a duration such as \"20 ms\" (a number, a space, and ns, us, ms or s; at most an hour)";

}  // namespace vnpu::sim
