// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Rules for the subgraphs of IF and WHILE. An operand of a subgraph's border has the type, the
// quantization and, as far as both are known, the shape of the operand outside. All subgraphs must
// have passed checkGraph.

/// The condition of an IF has shape [1].
Result<void> conditionIsOneTruth(const OperationView& operation);
/// Both branches have the IF's inputs behind the branches and its outputs.
Result<void> branchesFit(const OperationView& operation);
/// The condition of a WHILE has the loop's inputs and one output, a TENSOR_BOOL8 of shape [1].
Result<void> loopConditionFits(const OperationView& operation);
/// The body of a WHILE has the loop's inputs. Its outputs are new values of the first inputs, and
/// the loop's outputs are the first of the body's.
Result<void> loopBodyFits(const OperationView& operation);

}  // namespace vnpu::driver
