// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <array>
#include <span>

#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/frontend/base/model_reader.h"

namespace vnpu::driver {

/// How one NNAPI operation becomes nodes on tiles. The second lowering, if there is one, is
/// attempted where the first answers kUnsupported.
struct LoweringRow {
    android::hardware::neuralnetworks::V1_3::OperationType type;
    std::array<Lowering, 2> attempts;
};

/// The rows of one file of operators/; static storage.
using LoweringRows = std::span<const LoweringRow>;

}  // namespace vnpu::driver
