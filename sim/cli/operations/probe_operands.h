// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/models/model_builder.h"

namespace vnpu::sim {

/// How the values of a probed operation are stored.
struct ProbeTypes {
    std::optional<nn::OperandType> main{};   // none: the operation accepts any type
    std::optional<nn::OperandType> other{};  // of a second operand that may differ from it
};

/// The type of the operands of a letter (hw_model/regs/operand_notation.h).
nn::OperandType typeOfLetter(char letter, const ProbeTypes& types);

/// Adds the operands of a call in that notation to a model and returns their indexes. A scale that
/// the call does not have is 1/2, or the scale that NNAPI prescribes for the letter; a zero point
/// is the middle of the range.
std::vector<ModelBuilder::Index> addProbeInputs(ModelBuilder& builder, const ProbeTypes& types,
                                                std::string_view row);
/// The same for outputs, which are temporaries.
std::vector<ModelBuilder::Index> addProbeOutputs(ModelBuilder& builder, const ProbeTypes& types,
                                                 std::string_view row);

}  // namespace vnpu::sim
