// SPDX-License-Identifier: Apache-2.0
#include "sim/client/burst_calls.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/client/polling.h"
#include "vnpu/hal/burst_controller.h"
#include "vnpu/hal/conversion.h"

namespace vnpu::sim {

namespace {

using android::sp;
using vnpu::hal::ExecutionBurstController;

ExecutionBurstController::Options controllerOptions(ClientContext& context) {
    ExecutionBurstController::Options options;
    if (!context.hasSystemThread()) {
        options.wait = [&context](const std::function<bool()>& isDone) {
            pollUntil(context, isDone);
        };
    }
    return options;
}

}  // namespace

CallResult executeBurst(ClientContext& context, const sp<nn12::IPreparedModel>& preparedModel,
                        const nn::Request& request, const ExecutionOptions& options) {
    CallResult result;
    result.end = context.now();
    if (!hal::checkCompliance(request, hal::HalVersion::k12)) {
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
    auto outcome = (*controller)
                           ->compute(hal::convertTo<nn10::Request>(request, hal::Handles::kBorrow),
                                     measure, memoryIds);
    result.status = static_cast<nn::ErrorStatus>(outcome.result.status);
    result.outputShapes = std::move(outcome.result.outputShapes);
    result.timing = outcome.result.timing;
    result.end = context.now();
    return result;
}

}  // namespace vnpu::sim
