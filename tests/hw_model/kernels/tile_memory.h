// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "hw_model/regs/command_stream.h"

namespace vnpu::test {

/// Seeded numbers, the same with every standard library.
class Random {
  public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}

    /// low to high inclusive.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        const auto span = static_cast<std::uint64_t>(high - low) + 1;
        const std::uint64_t wide = (std::uint64_t{engine_()} << 32) | engine_();
        return low + static_cast<std::int64_t>(wide % span);
    }
    template <typename T>
    T pick(std::int64_t low, std::int64_t high) {
        return static_cast<T>(between(low, high));
    }
    bool oneIn(std::int64_t n) { return between(1, n) == 1; }
    /// -1 to 1.
    float real() { return static_cast<float>(between(-1'000'000, 1'000'000)) / 1e6F; }

  private:
    std::mt19937 engine_;
};

/// A memory of random bytes in which operands are placed one after another with gaps, so that a
/// kernel's write outside its output shows up as a changed byte.
class TileMemory {
  public:
    explicit TileMemory(Random& random) : random_(random) {}

    std::uint32_t place(std::size_t bytes) {
        const std::size_t offset = (bytes_.size() + 15) / 4 * 4;
        const std::size_t old = bytes_.size();
        bytes_.resize(offset + bytes + 8);
        for (std::size_t i = old; i < bytes_.size(); ++i) {
            bytes_[i] = static_cast<std::byte>(random_.between(0, 255));
        }
        return static_cast<std::uint32_t>(offset);
    }

    std::byte* data() { return bytes_.data(); }
    const std::vector<std::byte>& bytes() const { return bytes_; }

    template <typename T>
    T load(std::size_t offset) const {
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof(T));
        return value;
    }
    template <typename T>
    void store(std::size_t offset, T value) {
        std::memcpy(bytes_.data() + offset, &value, sizeof(T));
    }

  private:
    Random& random_;
    std::vector<std::byte> bytes_;
};

/// An 8-bit element.
inline std::int64_t readLevel(const TileMemory& memory, std::size_t offset, hw::ElementType type) {
    return type == hw::ElementType::kInt8 ? std::int64_t{memory.load<std::int8_t>(offset)}
                                          : std::int64_t{memory.load<std::uint8_t>(offset)};
}

}  // namespace vnpu::test
