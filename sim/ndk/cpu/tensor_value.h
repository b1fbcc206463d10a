// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "hw_model/kernels/operators/operator_call.h"
#include "sim/ndk/base/result.h"

namespace vnpu::sim::ndk {

/// The value of an operand: a tensor of the kernels, and the memory that it keeps alive; none if
/// the memory is somebody else's.
struct TensorValue {
    hw::kernels::Tensor tensor;
    std::shared_ptr<std::uint64_t[]> storage;
};

/// Uninitialized memory, aligned for every element type; null if there is none.
std::shared_ptr<std::uint64_t[]> allocateBytes(std::uint64_t bytes);

/// Type and quantization of an operand, with its shape as far as it is known and without a value.
/// Borrows the scales of its channels. BAD_DATA for more dimensions than the kernels have.
Result<hw::kernels::Tensor> tensorOf(const nn::V1_3::Operand& operand);

/// A value at these bytes, which stay the caller's unless they are not aligned for the kernels.
Result<TensorValue> valueAt(const hw::kernels::Tensor& tensor, std::byte* bytes);

}  // namespace vnpu::sim::ndk
