// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// An element of 1, 2 or 4 bytes, from the first byte on.
using PaddingValue = std::array<std::byte, 4>;

/// Stores an integer as an element of any width that can hold it.
inline PaddingValue storedBytes(std::int32_t value) {
    static_assert(std::endian::native == std::endian::little, "low bytes come first");
    PaddingValue bytes{};
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

/// Zero as an element of `tensor`; the zero point if it is quantized.
inline PaddingValue zeroOf(const Tensor& tensor) {
    const bool isQuantized = tensor.type == TensorType::kQuant8Asymm ||
                             tensor.type == TensorType::kQuant8AsymmSigned ||
                             tensor.type == TensorType::kQuant16Asymm;
    return storedBytes(isQuantized ? tensor.zeroPoint : 0);
}

}  // namespace vnpu::hw::kernels
