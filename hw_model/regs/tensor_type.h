// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>

namespace vnpu::hw {

/// Element types of the DSP's operands. source: NNAPI 1.3's operand types (the codes).
enum class TensorType : std::uint8_t {
    kFloat32Scalar = 0,
    kInt32Scalar = 1,
    kUint32Scalar = 2,
    kFloat32 = 3,
    kInt32 = 4,
    kQuant8Asymm = 5,  // unsigned
    kBoolScalar = 6,
    kQuant16Symm = 7,  // signed
    kFloat16 = 8,
    kBool8 = 9,
    kFloat16Scalar = 10,
    kQuant8SymmPerChannel = 11,  // signed
    kQuant16Asymm = 12,          // unsigned
    kQuant8Symm = 13,            // signed
    kQuant8AsymmSigned = 14,     // signed
};

inline constexpr std::size_t kTensorTypeCount = 15;

constexpr bool isScalar(TensorType type) {
    return type == TensorType::kFloat32Scalar || type == TensorType::kInt32Scalar ||
           type == TensorType::kUint32Scalar || type == TensorType::kBoolScalar ||
           type == TensorType::kFloat16Scalar;
}

/// Bytes of one element: 1, 2 or 4.
constexpr std::uint32_t elementBytes(TensorType type) {
    switch (type) {
        case TensorType::kFloat32Scalar:
        case TensorType::kInt32Scalar:
        case TensorType::kUint32Scalar:
        case TensorType::kFloat32:
        case TensorType::kInt32:
            return 4;
        case TensorType::kQuant16Symm:
        case TensorType::kFloat16:
        case TensorType::kFloat16Scalar:
        case TensorType::kQuant16Asymm:
            return 2;
        case TensorType::kQuant8Asymm:
        case TensorType::kBoolScalar:
        case TensorType::kBool8:
        case TensorType::kQuant8SymmPerChannel:
        case TensorType::kQuant8Symm:
        case TensorType::kQuant8AsymmSigned:
            break;
    }
    return 1;
}

/// "float32", "quant8-asymm"; "?" for an unknown code.
std::string_view tensorTypeName(TensorType type);

/// chosen: NNAPI's operators need 4 and its widest examples have 5.
inline constexpr std::size_t kMaxTensorRank = 8;

/// Up to kMaxTensorRank extents, outermost first, zeros included; none for a scalar.
class Dimensions {
  public:
    constexpr Dimensions() = default;
    constexpr Dimensions(std::initializer_list<std::uint32_t> extents)
        : Dimensions(std::span(extents.begin(), extents.size())) {}
    /// Extents beyond kMaxTensorRank are dropped: the caller checks the rank before.
    constexpr explicit Dimensions(std::span<const std::uint32_t> extents)
        : rank_(std::min(extents.size(), kMaxTensorRank)) {
        std::copy_n(extents.begin(), rank_, extents_.begin());
    }

    constexpr std::size_t rank() const { return rank_; }
    constexpr std::uint32_t operator[](std::size_t i) const { return extents_[i]; }
    constexpr std::uint32_t& operator[](std::size_t i) { return extents_[i]; }
    constexpr const std::uint32_t* begin() const { return extents_.data(); }
    constexpr const std::uint32_t* end() const { return extents_.data() + rank_; }

    /// No effect at kMaxTensorRank.
    constexpr void append(std::uint32_t extent) {
        if (rank_ < kMaxTensorRank) {
            extents_[rank_++] = extent;
        }
    }

    /// Product of the extents, 1 for none; saturates at 2^64 - 1.
    constexpr std::uint64_t elements() const { return elements(0, rank_); }
    /// Product of extents [first, last), with the same limit.
    constexpr std::uint64_t elements(std::size_t first, std::size_t last) const {
        std::uint64_t product = 1;
        for (std::size_t i = first; i < last; ++i) {
            if (extents_[i] == 0) {
                return 0;
            }
        }
        for (std::size_t i = first; i < last; ++i) {
            const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / extents_[i];
            product = product > most ? std::numeric_limits<std::uint64_t>::max()
                                     : product * extents_[i];
        }
        return product;
    }

    constexpr bool operator==(const Dimensions& other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

  private:
    std::array<std::uint32_t, kMaxTensorRank> extents_{};
    std::size_t rank_ = 0;
};

}  // namespace vnpu::hw
