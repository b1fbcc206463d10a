// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operand_relations.h"
#include "driver/validation/quantisation_relations.h"

namespace vnpu::driver {

// Lists of relations that rows of several families share.

inline constexpr OperandRelation kSameShape[] = {outputHasShapeOfInput};
inline constexpr OperandRelation kSameQuantisation[] = {outputIsQuantisedAs<0>};
inline constexpr OperandRelation kProbability[] = {outputHasShapeOfInput,
                                                   outputIsQuantisedAsProbability};
inline constexpr OperandRelation kUnitRange[] = {outputHasShapeOfInput,
                                                 outputIsQuantisedAsUnitRange};

}  // namespace vnpu::driver
