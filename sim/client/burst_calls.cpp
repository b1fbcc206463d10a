// SPDX-License-Identifier: Apache-2.0
#include "sim/client/burst_calls.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/client/polling.h"
#include "vnpu/hal/burst_controller.h"

namespace vnpu::sim {

namespace {

using android::sp;
using android::hardware::hidl_memory;
using vnpu::hal::ExecutionBurstController;

/// Nothing for a request with buffers of memory domains. The pools borrow their handles.
std::optional<nn10::Request> toBurstRequest(const nn::Request& request) {
    using Pool = nn::Request::MemoryPool;
    nn10::Request result{request.inputs, request.outputs, {}};
    result.pools.resize(request.pools.size());
    for (std::size_t i = 0; i < request.pools.size(); ++i) {
        if (request.pools[i].getDiscriminator() != Pool::hidl_discriminator::hidlMemory) {
            return std::nullopt;
        }
        const hidl_memory& memory = request.pools[i].hidlMemory();
        result.pools[i] = hidl_memory(memory.name(), memory.handle(), memory.size());
    }
    return result;
}

ExecutionBurstController::Options controllerOptions(ClientContext& context) {
    ExecutionBurstController::Options options;
    if (!context.port().hasSystemThreads()) {
        options.wait = [&context](const std::function<bool()>& isDone) {
            pollUntil(context, isDone);
        };
    }
    return options;
}

}  // namespace

CallResult executeBurst(ClientContext& context, const sp<nn::IPreparedModel>& preparedModel,
                        const nn::Request& request, const ExecutionOptions& options) {
    CallResult result;
    result.end = context.now();
    const auto burstRequest = toBurstRequest(request);
    if (!burstRequest) {
        result.status = nn::ErrorStatus::INVALID_ARGUMENT;
        return result;
    }
    const auto controller =
            ExecutionBurstController::create(preparedModel, controllerOptions(context));
    if (!controller) {
        return result;
    }
    std::vector<std::intptr_t> memoryIds;
    for (std::size_t i = 0; i < request.pools.size(); ++i) {
        memoryIds.push_back(static_cast<std::intptr_t>(i));
    }
    const auto measure =
            options.measuresTiming ? nn12::MeasureTiming::YES : nn12::MeasureTiming::NO;
    auto outcome = (*controller)->compute(*burstRequest, measure, memoryIds);
    result.status = static_cast<nn::ErrorStatus>(outcome.result.status);
    result.outputShapes = std::move(outcome.result.outputShapes);
    result.timing = outcome.result.timing;
    result.end = context.now();
    return result;
}

}  // namespace vnpu::sim
