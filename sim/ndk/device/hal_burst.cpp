// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/device/hal_burst.h"

#include <utility>

#include "sim/ndk/device/staged_request.h"
#include "vnpu/hal/conversion.h"

namespace vnpu::sim::ndk {

HalBurst::HalBurst(std::shared_ptr<HalPreparedModel> model,
                   std::unique_ptr<hal::ExecutionBurstController> controller)
    : model_(std::move(model)), controller_(std::move(controller)) {}

std::shared_ptr<HalBurst> HalBurst::create(std::shared_ptr<HalPreparedModel> model) {
    auto controller = hal::ExecutionBurstController::create(model->service(), {});
    if (!controller) {
        logLine("burst: " + controller.error());
        return nullptr;
    }
    return std::shared_ptr<HalBurst>(new HalBurst(std::move(model), std::move(*controller)));
}

CallOutcome HalBurst::compute(const Call& call) {
    if (call.deadline || call.loopTimeout) {
        return model_->compute(call);
    }
    const auto staged = StagedRequest::create(call, model_->staging());
    if (!staged) {
        logLine(staged.error().reason);
        return {.code = staged.error().code, .shapes = {}};
    }
    if (!hal::checkCompliance(staged->request(), hal::HalVersion::k10)) {
        return model_->compute(call);
    }
    std::vector<intptr_t> ids;
    for (const SharedMemory& memory : staged->memories()) {
        memory->tellAtEnd(weak_from_this());
        ids.push_back(static_cast<intptr_t>(memory->id()));
    }
    const auto answer = controller_->compute(
            hal::convertTo<nn::V1_0::Request>(staged->request(), hal::Handles::kBorrow),
            call.isMeasured ? nn::V1_2::MeasureTiming::YES : nn::V1_2::MeasureTiming::NO, ids);
    if (answer.isFallbackUseful) {
        return model_->compute(call);
    }
    const auto& result = answer.result;
    CallOutcome outcome = outcomeOf(codeOf(static_cast<nn::V1_3::ErrorStatus>(result.status)),
                                    result.outputShapes, result.timing);
    if (outcome.code == ANEURALNETWORKS_OP_FAILED) {
        outcome.code = model_->codeOfSilence();
    }
    staged->takeOutputs(model_->graph(), outcome);
    return outcome;
}

std::shared_ptr<BurstLink> HalPreparedModel::beginBurst() {
    return HalBurst::create(shared_from_this());
}

void HalBurst::forget(std::uint64_t memoryId) {
    controller_->freeMemory(static_cast<intptr_t>(memoryId));
}

}  // namespace vnpu::sim::ndk
