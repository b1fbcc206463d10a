// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace vnpu::sim {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Unlike the distributions of <random>, it gives
/// the same numbers on every platform.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    /// Uniform in (0, 1]: never 0, so that its logarithm exists.
    double nextUnit() { return static_cast<double>((next() >> 11) + 1) * 0x1.0p-53; }

  private:
    std::uint64_t state_;
};

/// FNV-1a, 64 bits, over `bytes`, continuing from `hash`.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 0xCBF29CE484222325ULL) {
    for (const char c : bytes) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    return hash;
}

/// A client's own seed: its numbers do not change when clients are added or reordered.
inline std::uint64_t clientSeed(std::uint64_t seed, std::string_view name) {
    return Random(seed ^ fnv1a(name)).next();
}

}  // namespace vnpu::sim
