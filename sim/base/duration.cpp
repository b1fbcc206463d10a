// SPDX-License-Identifier: Apache-2.0
#include "sim/base/duration.h"

#include <algorithm>
#include <cctype>

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kLongestNs = 3'600'000'000'000;  // chosen: see parseDuration

std::uint64_t unitNanoseconds(std::string_view unit) {
    if (unit == "ns") {
        return 1;
    }
    if (unit == "us") {
        return 1'000;
    }
    if (unit == "ms") {
        return 1'000'000;
    }
    return unit == "s" ? 1'000'000'000 : 0;
}

bool isDigits(std::string_view text) {
    return !text.empty() && text.size() <= 13 && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
}

std::uint64_t toNumber(std::string_view digits) {
    std::uint64_t value = 0;
    for (const char c : digits) {
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
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
    const std::string_view whole = number.substr(0, point);
    if (unit == 0 || !isDigits(whole) || toNumber(whole) > kLongestNs / unit) {
        return std::nullopt;
    }
    std::uint64_t timeNs = toNumber(whole) * unit;
    if (point != std::string_view::npos) {
        const std::string_view fraction = number.substr(point + 1);
        if (!isDigits(fraction)) {
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
