// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/memory/context.h"
#include "driver/memory/device_memory.h"
#include "driver/memory/pool_mapping.h"
#include "driver/qos/deadline.h"
#include "driver/result.h"

namespace vnpu::driver {

class DeviceBuffer;
class PreparedModelCore;

/// An input or output whose bytes the device reaches.
struct BoundArgument {
    bool hasNoValue = false;
    std::shared_ptr<const PoolMapping> pool;     // null: hasNoValue, or in a buffer
    std::shared_ptr<DeviceBuffer> buffer;        // of a memory domain, instead of a pool
    std::shared_ptr<const DeviceMemory> memory;  // the buffer's, from when it is claimed
    std::uint64_t offsetBytes = 0;
    std::uint64_t lengthBytes = 0;
    std::vector<std::uint32_t> dimensions;  // as requested, empty: as in the model

    /// Of the first byte in the context; of a buffer, once it is claimed.
    std::uint64_t address() const {
        return memory != nullptr ? memory->address() : pool->address() + offsetBytes;
    }
};

/// A valid request without anything of the caller's but mappings: it outlives the call.
struct BoundRequest {
    std::vector<BoundArgument> inputs;
    std::vector<BoundArgument> outputs;
    std::shared_ptr<const UserClaim> claim;  // of the execution, as one of its user's
};

/// Maps the pools that the arguments of a request that is valid for `model` lie in, and finds the
/// buffers of memory domains, whose state is looked at when the execution starts. GENERAL_FAILURE
/// for a pool that cannot be mapped; INVALID_ARGUMENT for an output in a pool that may not be
/// written, a token that is not one of the model's caller, a use that its buffer was not allocated
/// for, a shape that it cannot have, and a buffer that is an output and anything else as well;
/// RESOURCE_EXHAUSTED_* for one execution more than its user may have.
/// Pools that are mapped already are in `mappings`, by their index; null or none: to be mapped.
Result<BoundRequest> bindRequest(const android::hardware::neuralnetworks::V1_3::Request& request,
                                 const std::shared_ptr<PreparedModelCore>& model,
                                 std::vector<std::shared_ptr<const PoolMapping>> mappings = {});

/// How long a loop may run where the caller does not say. source: LoopTimeoutDurationNs::DEFAULT
inline constexpr std::chrono::nanoseconds kDefaultLoopTimeout{static_cast<std::uint64_t>(
        android::hardware::neuralnetworks::V1_3::LoopTimeoutDurationNs::DEFAULT)};

struct ExecutionOptions {
    bool isMeasured = false;
    Deadline deadline;
    std::chrono::nanoseconds arrival{};                          // of the call, in device time
    std::chrono::nanoseconds loopTimeout = kDefaultLoopTimeout;  // device time
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
