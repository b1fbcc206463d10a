// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/device/hal_prepared_model.h"

#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>

#include <algorithm>
#include <utility>

#include "sim/ndk/base/fence.h"
#include "sim/ndk/device/staged_request.h"

namespace vnpu::sim::ndk {

using android::sp;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using std::chrono::nanoseconds;

namespace {

nn::V1_2::MeasureTiming measureOf(const Call& call) {
    return call.isMeasured ? nn::V1_2::MeasureTiming::YES : nn::V1_2::MeasureTiming::NO;
}

/// A handle that owns a copy of the descriptor.
Result<hidl_handle> handleOf(int descriptor) {
    VNPU_TRY_ASSIGN(android::base::unique_fd copy, duplicate(descriptor));
    native_handle_t* native = native_handle_create(1, 0);
    if (native == nullptr) {
        return failed(ANEURALNETWORKS_OUT_OF_MEMORY, "no memory for a handle");
    }
    native->data[0] = copy.release();
    hidl_handle handle;
    handle.setTo(native, true);
    return handle;
}

class HalFencedLink : public FencedLink {
  public:
    HalFencedLink(std::shared_ptr<const FinishedModel> model, std::unique_ptr<const Call> call,
                  StagedRequest staged)
        : model_(std::move(model)), call_(std::move(call)), staged_(std::move(staged)) {}

    void begin(android::base::unique_fd fence, sp<nn::V1_3::IFencedExecutionCallback> callback) {
        fence_ = std::move(fence);
        callback_ = std::move(callback);
    }
    const StagedRequest& staged() const { return staged_; }

    int fence() const override { return fence_.get(); }

    FencedOutcome outcome() override {
        FencedOutcome outcome;
        const auto told = callback_->getExecutionInfo(
                [&](nn::V1_3::ErrorStatus status, const Timing& launched, const Timing& fenced) {
                    outcome = {codeOf(status), launched, fenced};
                });
        if (!told.isOk()) {
            outcome.code = ANEURALNETWORKS_DEAD_OBJECT;
        }
        CallOutcome taken{outcome.code, {}, kNoTiming};
        staged_.takeOutputs(model_->hal.main, taken);
        return outcome;
    }

  private:
    const std::shared_ptr<const FinishedModel> model_;
    const std::unique_ptr<const Call> call_;  // of staged_
    const StagedRequest staged_;
    android::base::unique_fd fence_;
    sp<nn::V1_3::IFencedExecutionCallback> callback_;
};

}  // namespace

nn::V1_3::OptionalTimePoint halDeadline(const std::optional<TimePoint>& deadline) {
    nn::V1_3::OptionalTimePoint point;
    if (deadline) {
        point.nanosecondsSinceEpoch(
                static_cast<std::uint64_t>(nanoseconds(deadline->time_since_epoch()).count()));
    }
    return point;
}

nn::V1_3::OptionalTimeoutDuration halDuration(const std::optional<nanoseconds>& duration) {
    nn::V1_3::OptionalTimeoutDuration result;
    if (duration) {
        result.nanoseconds(static_cast<std::uint64_t>(duration->count()));
    }
    return result;
}

HalPreparedModel::HalPreparedModel(sp<nn::V1_3::IPreparedModel> service,
                                   std::shared_ptr<const FinishedModel> model)
    : service_(std::move(service)), model_(std::move(model)) {}

ResultCode HalPreparedModel::codeOfSilence() const {
    return service_->ping().isOk() ? ANEURALNETWORKS_OP_FAILED : ANEURALNETWORKS_DEAD_OBJECT;
}

CallOutcome HalPreparedModel::compute(const Call& call) {
    const auto staged = StagedRequest::create(call, *staging_);
    if (!staged) {
        logLine(staged.error().reason);
        return {.code = staged.error().code, .shapes = {}};
    }
    CallOutcome outcome;
    const auto returned = service_->executeSynchronously_1_3(
            staged->request(), measureOf(call), halDeadline(call.deadline),
            halDuration(call.loopTimeout),
            [&](nn::V1_3::ErrorStatus status, const hidl_vec<nn::V1_2::OutputShape>& shapes,
                const Timing& timing) { outcome = outcomeOf(codeOf(status), shapes, timing); });
    if (!returned.isOk()) {
        outcome.code = returned.isDeadObject() ? ANEURALNETWORKS_DEAD_OBJECT : codeOfSilence();
        logLine("execution: " + returned.description());
    }
    staged->takeOutputs(model_->hal.main, outcome);
    return outcome;
}

Result<std::unique_ptr<FencedLink>> HalPreparedModel::computeFenced(Call call,
                                                                    std::span<const int> fences) {
    auto kept = std::make_unique<const Call>(std::move(call));
    const Call& limits = *kept;
    VNPU_TRY_ASSIGN(StagedRequest staged, StagedRequest::create(*kept, *staging_));
    auto link = std::make_unique<HalFencedLink>(model_, std::move(kept), std::move(staged));
    hidl_vec<hidl_handle> waitFor(fences.size());
    for (std::size_t i = 0; i < fences.size(); ++i) {
        VNPU_TRY_ASSIGN(waitFor[i], handleOf(fences[i]));
    }
    ResultCode code = ANEURALNETWORKS_OP_FAILED;
    const auto returned = service_->executeFenced(
            link->staged().request(), waitFor, measureOf(limits), halDeadline(limits.deadline),
            halDuration(limits.loopTimeout), halDuration(limits.durationAfterFences),
            [&](nn::V1_3::ErrorStatus status, const hidl_handle& handle,
                const sp<nn::V1_3::IFencedExecutionCallback>& info) {
                code = codeOf(status);
                if (handle.getNativeHandle() != nullptr && handle->numFds == 1) {
                    link->begin(duplicate(handle->data[0]).value_or(android::base::unique_fd()),
                                info);
                }
                if (code == ANEURALNETWORKS_NO_ERROR && (info == nullptr || link->fence() < 0)) {
                    code = ANEURALNETWORKS_OP_FAILED;
                }
            });
    if (!returned.isOk()) {
        return failed(returned.isDeadObject() ? ANEURALNETWORKS_DEAD_OBJECT : codeOfSilence(),
                      "fenced execution: {}", returned.description());
    }
    if (code != ANEURALNETWORKS_NO_ERROR) {
        return failed(code, "fenced execution: the device answers {}", nameOf(code));
    }
    return link;
}

}  // namespace vnpu::sim::ndk
