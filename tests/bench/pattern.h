// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace vnpu::bench {

/// Data for benchmarks, the same in every run. The values do not matter as long as floats are
/// neither infinite nor denormal, which would take longer.
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

/// Random weights up to this limit keep the values of a convolution with `taps` taps at one
/// magnitude.
inline float reachOfWeights(std::size_t taps) {
    return 2.0F / std::sqrt(static_cast<float>(taps));
}

}  // namespace vnpu::bench
