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
    if (!context.port().hasSystemThreads()) {
        options.wait = [&context](const std::function<bool()>& isDone) {
            pollUntil(context, isDone);
        };
    }
    return options;
}

}  // namespace

BurstSession::BurstSession(ClientContext& context, sp<nn12::IPreparedModel> preparedModel)
    : context_(context), preparedModel_(std::move(preparedModel)) {}

BurstSession::~BurstSession() = default;

CallResult BurstSession::execute(const nn::Request& request, const ExecutionOptions& options) {
    CallResult result;
    result.end = context_.now();
    if (!hal::checkCompliance(request, hal::HalVersion::k12)) {
        result.status = nn::ErrorStatus::INVALID_ARGUMENT;
        return result;
    }
    if (controller_ == nullptr) {
        auto created =
                ExecutionBurstController::create(preparedModel_, controllerOptions(context_));
        if (!created) {
            return result;
        }
        controller_ = std::move(*created);
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
    return BurstSession(context, preparedModel).execute(request, options);
}

}  // namespace vnpu::sim
