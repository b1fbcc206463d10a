// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace vnpu::bench {

/// Data for benchmarks, alike in every run. Any values will do as long as floats stay away from
/// infinity and the denormal numbers, which cost more.
class Pattern {
  public:
    std::uint32_t next() {
        state_ = state_ * 1664525U + 1013904223U;
        return state_;
    }
    std::byte nextByte() { return static_cast<std::byte>(next() >> 24); }
    /// In [-1, 1).
    float nextFloat() { return static_cast<float>(next() >> 8) * 0x1p-23F - 1.0F; }

  private:
    std::uint32_t state_ = 12345;
};

/// Random weights up to this keep the values of a convolution of that many taps in one magnitude.
inline float reachOfWeights(std::size_t taps) {
    return 2.0F / std::sqrt(static_cast<float>(taps));
}

}  // namespace vnpu::bench
