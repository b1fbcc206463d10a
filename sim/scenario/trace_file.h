// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// Arrival times of a text file: on each line a duration since the start ("12.5 ms"), in ascending
/// order. Comments after # and empty lines are ignored. Throws InputError with file and line for
/// any mistake, for a file without times, and for more than a million of them (chosen: all are kept
/// in memory).
std::vector<std::uint64_t> loadTrace(const std::string& path);

/// As loadTrace, from text; `file` is the name in messages.
std::vector<std::uint64_t> parseTrace(std::string_view text, const std::string& file);

}  // namespace vnpu::sim
