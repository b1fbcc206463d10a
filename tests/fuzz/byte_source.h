// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace vnpu::fuzz {

/// Derives decisions from the fuzzer's bytes, and from zeroes once these are used up.
class ByteSource {
  public:
    explicit ByteSource(std::span<const uint8_t> bytes) : bytes_(bytes) {}

    bool isEmpty() const { return bytes_.empty(); }

    template <typename T>
    T number() {
        static_assert(std::is_integral_v<T>);
        T value{};
        fill(&value, sizeof(value));
        return value;
    }
    /// A number below `limit`. Takes two bytes if the limit exceeds 256.
    size_t below(size_t limit) {
        return (limit > 256 ? number<uint16_t>() : number<uint8_t>()) % std::max<size_t>(limit, 1);
    }
    bool flip() { return (number<uint8_t>() & 1U) != 0; }
    /// Up to that many of the remaining bytes.
    std::span<const uint8_t> take(size_t count) {
        const auto taken = bytes_.first(std::min(count, bytes_.size()));
        bytes_ = bytes_.subspan(taken.size());
        return taken;
    }
    void fill(void* data, size_t sizeBytes) {
        const auto taken = take(sizeBytes);
        if (sizeBytes > 0) {
            std::memset(data, 0, sizeBytes);
        }
        if (!taken.empty()) {
            std::memcpy(data, taken.data(), taken.size());
        }
    }

    /// Changes a few of the given bytes, or none.
    void disturb(std::span<std::byte> bytes) {
        for (size_t count = below(4); count > 0 && !bytes.empty(); --count) {
            bytes[below(bytes.size())] = static_cast<std::byte>(number<uint8_t>());
        }
    }

  private:
    std::span<const uint8_t> bytes_;
};

}  // namespace vnpu::fuzz
