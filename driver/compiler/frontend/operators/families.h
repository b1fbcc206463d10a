// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <vector>

#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/frontend/base/model_reader.h"

namespace vnpu::driver {

/// How one NNAPI operation becomes nodes on tiles. The second lowering, if there is one, is
/// attempted where the first refuses.
struct LoweringRow {
    android::hardware::neuralnetworks::V1_3::OperationType type;
    Lowering first = nullptr, second = nullptr;
};
using LoweringRows = std::vector<LoweringRow>;

// The rows of each file of this folder.
LoweringRows concatenationRows();
LoweringRows convolutionRows();
LoweringRows elementwiseRows();
LoweringRows normalizationRows();
LoweringRows paddingRows();
LoweringRows poolingRows();
LoweringRows quantizationRows();
LoweringRows reductionRows();
LoweringRows reshapingRows();
LoweringRows resizingRows();
LoweringRows selectionRows();
LoweringRows slicingRows();
LoweringRows spaceRows();
LoweringRows transposeConvolutionRows();
LoweringRows transpositionRows();

/// An operation on one operand and scalars as an operator of the vector unit, which takes every
/// type.
Checked<void> lowerUnaryOperator(GraphBuilder& builder, const OperationReader& operation);

}  // namespace vnpu::driver
