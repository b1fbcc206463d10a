// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace vnpu::sim {

std::string numberText(double value) {
    constexpr double kExact = 1e15;  // up to which doubles hold all whole numbers
    return value == std::floor(value) && std::abs(value) < kExact ? fmt::format("{:.0f}", value)
                                                                  : fmt::format("{:.6g}", value);
}

std::string valueText(std::optional<double> number, const std::string& word) {
    if (number) {
        return numberText(*number);
    }
    return word.empty() ? "-" : word;
}

std::string relativeText(double change) {
    if (std::isinf(change)) {
        return "from 0";
    }
    return change >= 1.0 ? fmt::format("x {:.4g}", change + 1.0)
                         : fmt::format("{:+.2f} %", change * 100.0);
}

}  // namespace vnpu::sim
