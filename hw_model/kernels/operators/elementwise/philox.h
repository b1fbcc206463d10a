// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace vnpu::hw::kernels {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Four random numbers for each counter value, identical on every machine. source: Philox4x32-10 of
/// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
    constexpr std::uint64_t kMultipliers[] = {0xD2511F53, 0xCD9E8D57};
    constexpr std::uint32_t kKeySteps[] = {0x9E3779B9, 0xBB67AE85};
    constexpr int kRounds = 10;
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t first = kMultipliers[0] * counter[0];
        const std::uint64_t second = kMultipliers[1] * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(first)};
        key = {key[0] + kKeySteps[0], key[1] + kKeySteps[1]};
    }
    return counter;
}

}  // namespace vnpu::hw::kernels
