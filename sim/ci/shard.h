// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace vnpu::sim {

/// A part of the cases, for several machines: every case belongs to exactly one of `count` parts.
struct Shard {
    std::size_t index = 0;  // from 0
    std::size_t count = 1;

    /// Whether the case with this number from 0 belongs to the part.
    bool holds(std::size_t number) const { return number % count == index; }
};

/// The shard of the option --shard, "I/N" with I from 1; without the option, that of GoogleTest's
/// environment variables GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX (from 0), for which the file of
/// GTEST_SHARD_STATUS_FILE is created. Throws InputError.
Shard shardOf(const std::string& option);

}  // namespace vnpu::sim
