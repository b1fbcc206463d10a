// SPDX-License-Identifier: Apache-2.0
#include "sim/base/duration.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kLongestNs = 3'600'000'000'000;  // chosen: see parseDuration

std::uint64_t unitNanoseconds(std::string_view unit) {
    constexpr std::string_view kKnown[] = {"ns", "us", "ms", "s"};
    std::uint64_t nanoseconds = 1;
    for (const std::string_view known : kKnown) {
        if (unit == known) {
            return nanoseconds;
        }
        nanoseconds *= 1000;
    }
    return 0;
}

/// The number in a text of 1 to 13 digits; nothing for any other text.
std::optional<std::uint64_t> digitsOf(std::string_view digits) {
    const char* const last = digits.data() + digits.size();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    return error == std::errc() && end == last && digits.size() <= 13 ? std::optional(value)
                                                                      : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parseDuration(std::string_view text) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) {
        return std::nullopt;
    }
    const std::uint64_t unit = unitNanoseconds(text.substr(space + 1));
    const std::string_view number = text.substr(0, space);
    const std::size_t point = number.find('.');
    const std::optional<std::uint64_t> whole = digitsOf(number.substr(0, point));
    if (unit == 0 || !whole || *whole > kLongestNs / unit) {
        return std::nullopt;
    }
    std::uint64_t timeNs = *whole * unit;
    if (point != std::string_view::npos) {
        const std::string_view fraction = number.substr(point + 1);
        if (!digitsOf(fraction)) {
            return std::nullopt;
        }
        std::uint64_t scale = unit;
        for (const char c : fraction) {
            if (scale == 1 && c != '0') {
                return std::nullopt;  // finer than a nanosecond
            }
            scale = std::max<std::uint64_t>(1, scale / 10);
            timeNs += static_cast<std::uint64_t>(c - '0') * scale;
        }
    }
    return timeNs <= kLongestNs ? std::optional(timeNs) : std::nullopt;
}

}  // namespace vnpu::sim
