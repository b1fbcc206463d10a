// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// Arrival times of a text file: a duration since the start on each line ("12.5 ms"), none earlier
/// than the one before; what follows a # and empty lines count for nothing. Throws InputError with
/// file and line; also where there is no time or more than a million (chosen: all are kept).
std::vector<std::uint64_t> loadTrace(const std::string& path);

/// As loadTrace, from text; `file` stands in messages.
std::vector<std::uint64_t> parseTrace(std::string_view text, const std::string& file);

}  // namespace vnpu::sim
