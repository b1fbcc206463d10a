// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace vnpu::sim {

/// The text in UTF-8 with only characters that XML 1.0 allows: U+FFFD stands for each byte that is
/// no part of a character and for each other character.
std::string xmlText(std::string_view text);

}  // namespace vnpu::sim
