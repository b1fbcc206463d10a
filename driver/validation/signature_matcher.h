// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

/// The types that a letter of a form stands for where T is `main`. T and U are not asked for.
TypeSet typesOfLetter(char letter, android::hardware::neuralnetworks::V1_3::OperandType main);

/// Why the operands of an operation fit none of its signature's forms in the view's HAL version, or
/// nothing if they fit one. The reason is that of the form which they come nearest to.
std::optional<std::string> findMisfit(const OperationSignature& signature,
                                      const OperationView& operation);

}  // namespace vnpu::driver
