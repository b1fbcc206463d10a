// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/models/model_builder.h"

namespace vnpu::sim {

/// How the values of a probed operation are stored.
struct ProbeTypes {
    std::optional<nn::OperandType> main{};   // none: the operation does not care
    std::optional<nn::OperandType> other{};  // where a second operand may differ from it
};

/// Type of the operands of a letter of NNAPI's signatures (driver/validation/operation_table.h).
nn::OperandType typeOfLetter(char letter, const ProbeTypes& types);

/// Adds the operands of a row to a model. A row is words with blanks between them, each of a letter
/// as above and, in this order, any of
///   3*      in front of the letter: three such operands
///   2x16    dimensions; 0 is unknown
///   /256    scale 1/256 where the type is quantised, `_` behind it: zero point at the lowest value
///   -       the operand is left out
///   =1,0.5  a constant: of a scalar's letter each value is an operand, of a tensor's each is an
///           element, or all elements are the only one; of M each is the number of a subgraph
/// Scales that a row does not say are 1/2 or what NNAPI prescribes for the letter, zero points in
/// the middle of the range.
std::vector<ModelBuilder::Index> addProbeInputs(ModelBuilder& builder, const ProbeTypes& types,
                                                std::string_view row);
/// As temporaries.
std::vector<ModelBuilder::Index> addProbeOutputs(ModelBuilder& builder, const ProbeTypes& types,
                                                 std::string_view row);

}  // namespace vnpu::sim
