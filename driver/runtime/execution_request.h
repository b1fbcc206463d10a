// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/result.h"
#include "driver/runtime/context.h"
#include "driver/runtime/deadline.h"
#include "driver/runtime/pool_mapping.h"

namespace vnpu::driver {

/// An input or output whose bytes the device reaches.
struct BoundArgument {
    bool hasNoValue = false;
    std::shared_ptr<const PoolMapping> pool;  // null: hasNoValue
    std::uint64_t offsetBytes = 0;
    std::uint64_t lengthBytes = 0;
    std::vector<std::uint32_t> dimensions;  // as requested, empty: as in the model

    std::uint64_t address() const { return pool->address() + offsetBytes; }
};

/// A valid request without anything of the caller's but mappings: it outlives the call.
struct BoundRequest {
    std::vector<BoundArgument> inputs;
    std::vector<BoundArgument> outputs;
};

/// Maps the pools that the arguments of a valid request lie in. GENERAL_FAILURE for a pool that
/// cannot be mapped, INVALID_ARGUMENT for an output in a pool that may not be written.
Result<BoundRequest> bindRequest(const android::hardware::neuralnetworks::V1_3::Request& request,
                                 Context& context);

struct ExecutionOptions {
    bool isMeasured = false;
    Deadline deadline;
    std::chrono::nanoseconds arrival{};  // of the call, in device time
    std::uint64_t callId = 0;
};

/// What an execution gives its caller, on every path.
struct ExecutionResult {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    android::hardware::hidl_vec<android::hardware::neuralnetworks::V1_2::OutputShape> outputShapes;
    android::hardware::neuralnetworks::V1_2::Timing timing;
};

/// The result of an execution that failed: no shapes, no timing.
ExecutionResult failedExecution(ErrorStatus status);

}  // namespace vnpu::driver
