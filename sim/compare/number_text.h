// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace vnpu::sim {

/// A number for people: whole numbers as they are, others with six significant digits.
std::string numberText(double value);
/// The number, or the word if there is none, or "-".
std::string valueText(std::optional<double> number, const std::string& word);
/// "+10.0 %", "x 12.5" from a doubling on, "from 0".
std::string relativeText(double change);

}  // namespace vnpu::sim
