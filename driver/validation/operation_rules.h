// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"

namespace vnpu::driver {

/// Whether an operation's type exists and, where the table (operation_table.h) has it, its operands
/// fit the signature. Operand indexes must have been checked.
Result<void> checkOperation(const android::hardware::neuralnetworks::V1_3::Operation& operation,
                            const android::hardware::neuralnetworks::V1_3::Subgraph& subgraph,
                            const android::hardware::neuralnetworks::V1_3::Model& model);

}  // namespace vnpu::driver
