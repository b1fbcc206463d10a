// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// The value of a binary16 number; a not-a-number keeps its payload.
float fromHalf(std::uint16_t bits);

/// The engines that compute with float32 only take float16 operands through these three, so that
/// sums are rounded once. Tensors of other types are left as they are.

/// The tensor as float32: a constant is converted here, others by the vector unit.
Checked<TensorId> widen(GraphBuilder& builder, const OperationReader& operation, TensorId tensor);

/// Where an engine writes what is to become `wanted`.
TensorId wideOutput(GraphBuilder& builder, TensorId wanted);

/// Rounds `wide` into `wanted`.
void narrow(GraphBuilder& builder, const OperationReader& operation, TensorId wide,
            TensorId wanted);

}  // namespace vnpu::driver
