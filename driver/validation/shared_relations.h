// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operand_relations.h"
#include "driver/validation/quantization_relations.h"

namespace vnpu::driver {

// Lists of relations that rows of several families share.

inline constexpr OperandRelation kSameShape[] = {outputHasShapeOfInput};
inline constexpr OperandRelation kSameQuantization[] = {outputIsQuantizedAs<0>};
inline constexpr OperandRelation kProbability[] = {outputHasShapeOfInput,
                                                   outputIsQuantizedAsProbability};
inline constexpr OperandRelation kUnitRange[] = {outputHasShapeOfInput,
                                                 outputIsQuantizedAsUnitRange};

}  // namespace vnpu::driver
