// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/models/operand_types.h"

namespace vnpu::sim {

// The same in the words of an earlier HAL version; nothing for what that version has no word for.
// Whether it has this form of an operation is not looked at.

std::optional<nn10::Model> toModel10(const nn::Model& model);
std::optional<nn11::Model> toModel11(const nn::Model& model);
std::optional<nn12::Model> toModel12(const nn::Model& model);

/// A request of HAL 1.0, which is that of 1.1 and 1.2 as well: it knows no memory domains.
std::optional<nn10::Request> toRequest10(const nn::Request& request);

}  // namespace vnpu::sim
