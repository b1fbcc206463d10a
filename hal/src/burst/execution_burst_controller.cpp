// SPDX-License-Identifier: Apache-2.0
#include <ExecutionBurstController.h>
#include <hidl/HidlInternal.h>
#include <vnpu/hal/burst_controller.h>

#include <utility>

namespace android::nn {

namespace {

using hardware::neuralnetworks::V1_0::ErrorStatus;

/// source: the result codes of NeuralNetworks.h
int toResultCode(ErrorStatus status) {
    switch (status) {
        case ErrorStatus::NONE:
            return 0;  // ANEURALNETWORKS_NO_ERROR
        case ErrorStatus::INVALID_ARGUMENT:
            return 4;  // ANEURALNETWORKS_BAD_DATA
        case ErrorStatus::OUTPUT_INSUFFICIENT_SIZE:
            return 8;  // ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE
        case ErrorStatus::DEVICE_UNAVAILABLE:
            return 9;  // ANEURALNETWORKS_UNAVAILABLE_DEVICE
        case ErrorStatus::GENERAL_FAILURE:
            break;
    }
    return 5;  // ANEURALNETWORKS_OP_FAILED
}

}  // namespace

ExecutionBurstController::ExecutionBurstController(
        std::unique_ptr<vnpu::hal::ExecutionBurstController> controller)
    : controller_(std::move(controller)) {}

ExecutionBurstController::~ExecutionBurstController() = default;

std::unique_ptr<ExecutionBurstController> ExecutionBurstController::create(
        const sp<IPreparedModel>& preparedModel, std::chrono::microseconds pollingTimeWindow) {
    vnpu::hal::ExecutionBurstController::Options options;
    options.pollingTimeWindow = pollingTimeWindow;
    auto controller =
            vnpu::hal::ExecutionBurstController::create(preparedModel, std::move(options));
    if (!controller) {
        hardware::details::logError("burst: " + controller.error());
        return nullptr;
    }
    return std::unique_ptr<ExecutionBurstController>(
            new ExecutionBurstController(std::move(*controller)));
}

std::tuple<int, std::vector<ExecutionBurstController::OutputShape>,
           ExecutionBurstController::Timing, bool>
ExecutionBurstController::compute(const Request& request, MeasureTiming measure,
                                  const std::vector<intptr_t>& memoryIds) {
    auto [result, isFallbackUseful] = controller_->compute(request, measure, memoryIds);
    return {toResultCode(result.status), std::move(result.outputShapes), result.timing,
            isFallbackUseful};
}

void ExecutionBurstController::freeMemory(intptr_t memoryId) {
    controller_->freeMemory(memoryId);
}

}  // namespace android::nn
