// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/models/tflite_file.h"
#include "sim/models/tflite_tensors.h"

namespace vnpu::sim::tflite {

/// Adds the NNAPI operations of one operator to the model; throws InputError for unsupported or
/// malformed operators. Other conditions of NNAPI on types and scales are left to the validation of
/// the driver.
void importOperator(const OperatorView& op, TensorMap& tensors);

}  // namespace vnpu::sim::tflite
