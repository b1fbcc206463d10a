// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

/// The reason why the operands of an operation fit none of its signature's forms in the view's HAL
/// version, or nothing if they fit one. The reason refers to the form that they come nearest to.
std::optional<std::string> findMisfit(const OperationSignature& signature,
                                      const OperationView& operation);

}  // namespace vnpu::driver
