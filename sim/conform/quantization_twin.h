// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/conform/vector_file.h"

namespace vnpu::sim {

/// Whether a driver must treat the example as it treats its twin: a single operation with operands
/// of TENSOR_QUANT8_ASYMM that computes with the real values.
bool isCoupled(const Example& example);

/// The same example with TENSOR_QUANT8_ASYMM_SIGNED in place of TENSOR_QUANT8_ASYMM: stored values
/// and zero points are 128 lower, so the real values are the same.
Example makeSignedTwin(const Example& example);

}  // namespace vnpu::sim
