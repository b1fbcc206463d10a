// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/frontend/base/model_reader.h"

namespace vnpu::driver {

/// Lowers one operation: onto tiles by the rows of operators/, else whole onto the DSP, whose
/// kernel settles the shapes that the model leaves open. Nothing is added when it is refused.
Checked<void> lowerOperation(GraphBuilder& builder, const OperationReader& operation);

}  // namespace vnpu::driver
