// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"

namespace vnpu::driver {

/// The rules that operands and operations of one subgraph keep together: indexes, input and output
/// lists against lifetimes, order of execution (which leaves no room for cycles), one writer each,
/// counts of consumers. Operands must have passed checkOperand.
Result<void> checkGraph(const android::hardware::neuralnetworks::V1_3::Subgraph& subgraph);

/// No referenced subgraph may contain itself, directly or through others.
Result<void> checkSubgraphNesting(const android::hardware::neuralnetworks::V1_3::Model& model);

}  // namespace vnpu::driver
