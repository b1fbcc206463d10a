// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/models/tflite_file.h"
#include "sim/models/tflite_tensors.h"

namespace vnpu::sim::tflite {

/// Adds the NNAPI operations of one operator to the model; InputError for what is unsupported or
/// wrong in itself. What NNAPI asks of types and scales beyond that is left to the driver's
/// validation.
void importOperator(const OperatorView& op, TensorMap& tensors);

}  // namespace vnpu::sim::tflite
