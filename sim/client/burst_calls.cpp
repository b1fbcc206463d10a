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

/// Whether a burst can carry the request: it has no form for buffers of memory domains.
bool fitsBurst(const nn::Request& request) {
    return static_cast<bool>(hal::checkCompliance(request, hal::HalVersion::k12));
}

}  // namespace

std::unique_ptr<BurstSeries> BurstSeries::begin(ClientContext& context,
                                                const sp<nn12::IPreparedModel>& model) {
    auto controller = ExecutionBurstController::create(model, controllerOptions(context));
    if (!controller) {
        return nullptr;
    }
    return std::unique_ptr<BurstSeries>(new BurstSeries(context, std::move(*controller)));
}

CallResult BurstSeries::execute(const nn::Request& request, const ExecutionOptions& options) {
    CallResult result;
    result.begin = context_.now();
    result.end = result.begin;
    if (!fitsBurst(request)) {
        result.status = nn::ErrorStatus::INVALID_ARGUMENT;
        return result;
    }
    std::vector<std::intptr_t> memoryIds;
    for (std::size_t i = 0; i < request.pools.size(); ++i) {
        memoryIds.push_back(static_cast<std::intptr_t>(i));
    }
    const auto measure =
            options.measuresTiming ? nn12::MeasureTiming::YES : nn12::MeasureTiming::NO;
    auto outcome = controller_->compute(
            hal::convertTo<nn10::Request>(request, hal::Handles::kBorrow), measure, memoryIds);
    result.status = static_cast<nn::ErrorStatus>(outcome.result.status);
    result.outputShapes = std::move(outcome.result.outputShapes);
    result.timing = outcome.result.timing;
    result.end = context_.now();
    return result;
}

CallResult executeBurst(ClientContext& context, const sp<nn12::IPreparedModel>& preparedModel,
                        const nn::Request& request, const ExecutionOptions& options) {
    CallResult result;
    if (!fitsBurst(request)) {
        result.status = nn::ErrorStatus::INVALID_ARGUMENT;
    } else if (const auto burst = BurstSeries::begin(context, preparedModel)) {
        return burst->execute(request, options);
    }
    result.end = context.now();
    return result;
}

}  // namespace vnpu::sim
