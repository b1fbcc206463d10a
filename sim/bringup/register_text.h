// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace vnpu::sim {

/// The name of the register at an offset ("DOORBELL[3]"), or the offset itself where the host has
/// none.
std::string registerName(std::uint32_t offset);

/// The fields of a register's value that are not 0, such as "JOB_DONE CONTEXT=3"; empty for a
/// register without fields.
std::string fieldsText(std::uint32_t offset, std::uint32_t value);

/// Picoseconds as microseconds ("12.345678 us").
std::string timeText(std::uint64_t time);

}  // namespace vnpu::sim
