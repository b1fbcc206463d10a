// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"
#include "driver/validation/hal_version.h"

namespace vnpu::driver {

/// Whether an operation's type exists in HAL 1.3 and its operands fit the signature
/// (operation_table.h) in a version. An extension's operation passes if its prefix is declared.
/// All subgraphs must have passed checkGraph.
Result<void> checkOperation(const android::hardware::neuralnetworks::V1_3::Operation& operation,
                            const android::hardware::neuralnetworks::V1_3::Subgraph& subgraph,
                            const android::hardware::neuralnetworks::V1_3::Model& model,
                            HalVersion version);

}  // namespace vnpu::driver
