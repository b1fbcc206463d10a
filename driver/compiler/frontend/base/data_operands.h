// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// Input 0 and output 0 of an operation that keeps type and shape.
struct DataOperands {
    TensorId input = kNoTensor, output = kNoTensor;
};
Checked<DataOperands> readDataOperands(GraphBuilder& builder, const OperationReader& operation);

/// Refuses an 8-bit output without the scale and zero point that NNAPI fixes for LOGISTIC and
/// SOFTMAX.
Checked<void> requireProbability(const Tensor& output);

}  // namespace vnpu::driver
