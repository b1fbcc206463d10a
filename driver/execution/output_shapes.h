// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/execution/execution_request.h"
#include "driver/result.h"
#include "driver/validation/dimensions.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

using OutputShapes =
        android::hardware::hidl_vec<android::hardware::neuralnetworks::V1_2::OutputShape>;

/// Checks the request against everything that the compiled form relies on: number and sizes of
/// arguments, and outputs' shapes as far as they are known. INVALID_ARGUMENT for a request that
/// contradicts the form, GENERAL_FAILURE for a form of another model.
Result<void> checkAgainstCompiled(const CompiledModel& compiled, const BoundRequest& request);

/// The outputs' shapes before the job, 0 for dimensions that only the device finds out, and whether
/// each output has enough memory as far as its size is known.
OutputShapes shapesOf(const CompiledModel& compiled, const BoundRequest& request);

/// The requests of a finished job for more room.
struct ShapeFindings {
    /// An output in a buffer that had no memory because its shape was unknown.
    struct Claim {
        std::size_t output = 0;
        Dimensions dimensions;
    };
    std::vector<Claim> claims;
    std::vector<std::uint64_t> capacities;  // for all dynamic tensors, if one needs more
    bool isOutputTooSmall = false;
};

/// Takes the shapes that the device found into `outputs`.
ShapeFindings readShapes(const CompiledModel& compiled, const std::vector<hw::DspShape>& shapes,
                         const BoundRequest& request, OutputShapes& outputs);

/// INVALID_ARGUMENT if a final shape contradicts the dimensions that the request gives.
Result<void> checkOutputShapes(const OutputShapes& shapes, const BoundRequest& request);

}  // namespace vnpu::driver
