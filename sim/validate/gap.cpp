// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vnpu::sim {

double Bound::ratio() const {
    return measured == expected ? 1.0 : measured / expected;
}

bool Bound::holds() const {
    return ratio() >= low && ratio() <= high;
}

bool Part::holds() const {
    return std::all_of(bounds.begin(), bounds.end(),
                       [](const Bound& bound) { return bound.holds(); });
}

double Gap::sum() const {
    double sum = 0.0;
    for (const Part& part : parts) {
        sum += part.cycles;
    }
    return sum;
}

bool Gap::sums() const {
    return std::abs(rest()) <= tolerance * model;  // false for a NaN
}

bool Gap::holds() const {
    return sums() &&
           std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.holds(); });
}

std::string Gap::text() const {
    const auto percent = [&](double cycles) { return 100.0 * cycles / reference; };
    std::string text = fmt::format("{:+.1f} % =", percent(model - reference));
    for (const Part& part : parts) {
        text += fmt::format(" {} {:+.1f}", part.name, percent(part.cycles));
        for (const Bound& bound : part.bounds) {
            text += fmt::format(" ({}{:.3g} of {})", bound.holds() ? "" : "! ", bound.ratio(),
                                bound.figure);
        }
        text += ',';
    }
    return text + fmt::format(" rest {}{:+.1f}", sums() ? "" : "! ", percent(rest()));
}

}  // namespace vnpu::sim
