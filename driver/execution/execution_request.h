// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/compiler/ir/compile_options.h"
#include "driver/execution/buffer_plan.h"
#include "driver/execution/device_buffer.h"
#include "driver/memory/context.h"
#include "driver/memory/device_memory.h"
#include "driver/memory/pool_mapping.h"
#include "driver/qos/deadline.h"
#include "driver/result.h"

namespace vnpu::driver {

/// An input or output that the device can access.
struct BoundArgument {
    bool hasNoValue = false;
    std::shared_ptr<const PoolMapping> pool;     // null: hasNoValue, or in a buffer
    std::shared_ptr<DeviceBuffer> buffer;        // of a memory domain, instead of a pool
    std::shared_ptr<const DeviceMemory> memory;  // the buffer's, once it is claimed
    std::uint64_t offsetBytes = 0;
    std::uint64_t lengthBytes = 0;          // without gaps between the rows of an image
    std::optional<ImageRows> rows = {};     // in an image with gaps
    std::vector<std::uint32_t> dimensions;  // as requested, empty: as in the model

    /// From the first byte on, with gaps.
    std::uint64_t roomBytes() const { return rows ? rows->sizeBytes() : lengthBytes; }

    /// Of the first byte in the context; of a buffer, once it is claimed.
    std::uint64_t address() const {
        return memory != nullptr ? memory->address() : pool->address() + offsetBytes;
    }
};

/// A valid request that holds nothing of the caller's but mappings, so that it outlives the call.
struct BoundRequest {
    std::vector<BoundArgument> inputs;
    std::vector<BoundArgument> outputs;
    UserClaim claim;  // of the execution, as one of its user's
};

/// The caller, the model and the device of a request.
struct RequestTarget {
    ModelId model = 0;
    Context& context;      // of the model's caller
    BufferTable& buffers;  // of the device
};

/// Maps the pools that the arguments of a request that is valid for its model lie in, and finds the
/// buffers of memory domains, whose state is checked when the execution starts. GENERAL_FAILURE
/// for a pool that cannot be mapped; INVALID_ARGUMENT for an output in a pool that may not be
/// written, a token that is not one of the model's caller, a use that its buffer was not allocated
/// for, a shape that it cannot have, and a buffer that is an output and anything else as well;
/// RESOURCE_EXHAUSTED_* beyond the user's limit of executions.
/// `mappings` holds pools that are already mapped, by index; null or missing ones are mapped here.
Result<BoundRequest> bindRequest(const android::hardware::neuralnetworks::V1_3::Request& request,
                                 const RequestTarget& target,
                                 std::vector<std::shared_ptr<const PoolMapping>> mappings = {});

/// Longest run time of a loop if the caller gives none. source: LoopTimeoutDurationNs::DEFAULT
inline constexpr std::chrono::nanoseconds kDefaultLoopTimeout{static_cast<std::uint64_t>(
        android::hardware::neuralnetworks::V1_3::LoopTimeoutDurationNs::DEFAULT)};

struct ExecutionOptions {
    bool isMeasured = false;
    Deadline deadline;
    std::chrono::nanoseconds arrival{};                          // of the call, in device time
    std::chrono::nanoseconds begin{};                            // arrival, or the last fence
    std::chrono::nanoseconds loopTimeout = kDefaultLoopTimeout;  // device time
    std::uint64_t callId = 0;
};

/// The result of an execution, on every path.
struct ExecutionResult {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    android::hardware::hidl_vec<android::hardware::neuralnetworks::V1_2::OutputShape> outputShapes;
    android::hardware::neuralnetworks::V1_2::Timing timing;
};

/// The result of an execution that failed: no shapes, no timing.
ExecutionResult failedExecution(ErrorStatus status);

}  // namespace vnpu::driver
