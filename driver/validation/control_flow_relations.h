// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// What IF and WHILE ask of the subgraphs that they refer to. Operands on both sides of a subgraph's
// border have one type, quantisation and, as far as they are known, shape. All subgraphs must have
// passed checkGraph.

/// The condition of an IF has shape [1].
Result<void> conditionIsOneTruth(const OperationView& operation);
/// Both branches take the inputs after them and give the outputs of the IF.
Result<void> branchesFit(const OperationView& operation);
/// The condition of a WHILE takes the loop's inputs and gives one TENSOR_BOOL8 of shape [1].
Result<void> loopConditionFits(const OperationView& operation);
/// The body of a WHILE takes the loop's inputs; what it gives are the first of these again, and
/// the loop's outputs are the first of what it gives.
Result<void> loopBodyFits(const OperationView& operation);

}  // namespace vnpu::driver
