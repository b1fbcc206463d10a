// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// The value of a binary16 number; a not-a-number keeps its payload.
float fromHalf(std::uint16_t bits);

/// Some engines compute in float32 only. These three functions bring float16 operands to them, so
/// that sums are rounded once; tensors of other types are unchanged.

/// The tensor as float32: a constant is converted here, others by the vector unit.
Checked<TensorId> widen(GraphBuilder& builder, const OperationReader& operation, TensorId tensor);

/// The tensor into which an engine writes the values of `wanted` in float32.
TensorId wideOutput(GraphBuilder& builder, TensorId wanted);

/// Rounds `wide` into `wanted`.
void narrow(GraphBuilder& builder, const OperationReader& operation, TensorId wide,
            TensorId wanted);

}  // namespace vnpu::driver
