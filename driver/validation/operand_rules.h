// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/result.h"

namespace vnpu::driver {

/// The rules that one operand keeps by itself: type, rank, scale, zero point, extra parameters, and
/// where its value lies.
Result<void> checkOperand(const android::hardware::neuralnetworks::V1_3::Operand& operand,
                          const android::hardware::neuralnetworks::V1_3::Model& model);

/// The part of checkOperand that needs no value: type, rank, scale and zero point.
Result<void> checkOperandType(const android::hardware::neuralnetworks::V1_3::Operand& operand,
                              const android::hardware::neuralnetworks::V1_3::Model& model);

/// Whether the extra parameters are scales of channels that fit the dimensions.
Result<void> checkChannelScales(const android::hardware::neuralnetworks::V1_3::Operand& operand);

}  // namespace vnpu::driver
