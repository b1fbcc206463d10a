// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/lowering_row.h"

namespace vnpu::driver {

/// Operations that compute each output element from the input elements at the same place.
LoweringRows activationRows();
LoweringRows elementwiseRows();
LoweringRows quantizationRows();

/// One operand as an operator of the vector unit, which takes every type; the last attempt of
/// several families.
Checked<void> lowerUnaryOperator(GraphBuilder& builder, const OperationReader& operation);

}  // namespace vnpu::driver
