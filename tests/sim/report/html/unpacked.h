// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::test {

/// The bytes of Base64 and raw DEFLATE; fails the test if they are neither.
std::string inflated(std::string_view base64);

/// The integers of a packed column, by the definition in packed_column.h.
std::vector<std::uint64_t> integersOf(const nlohmann::ordered_json& column);

/// The numbers of a packed column.
std::vector<double> numbersOf(const nlohmann::ordered_json& column);

}  // namespace vnpu::test
