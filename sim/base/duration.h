// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vnpu::sim {

/// Nanoseconds of "<number> <unit>" with one space and the unit ns, us, ms or s: "33.3 ms". Empty
/// if it is not of that form, is no whole number of nanoseconds, or is longer than an hour (chosen:
/// a slip rather than a wish).
std::optional<std::uint64_t> parseDuration(std::string_view text);

/// The form in words, for messages.
inline constexpr std::string_view kDurationForm =
        "a duration such as \"20 ms\" (a number, a space, and ns, us, ms or s; at most an hour)";

}  // namespace vnpu::sim
