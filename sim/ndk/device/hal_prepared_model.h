// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <memory>
#include <span>

#include "sim/ndk/device/device.h"
#include "sim/ndk/device/staging.h"

namespace vnpu::sim::ndk {

/// A prepared model of a HAL device. Any thread.
class HalPreparedModel : public PreparedModel,
                         public std::enable_shared_from_this<HalPreparedModel> {
  public:
    /// `service` and `model` are not null.
    HalPreparedModel(android::sp<nn::V1_3::IPreparedModel> service,
                     std::shared_ptr<const FinishedModel> model);

    CallOutcome compute(const Call& call) override;
    /// In hal_burst.cpp, because a burst computes through its model.
    std::shared_ptr<BurstLink> beginBurst() override;
    Result<std::unique_ptr<FencedLink>> computeFenced(Call call,
                                                      std::span<const int> fences) override;

    const android::sp<nn::V1_3::IPreparedModel>& service() const { return service_; }
    const nn::V1_3::Subgraph& graph() const { return model_->hal.main; }
    StagingPool& staging() { return *staging_; }
    /// The code of an execution that failed without an answer.
    ResultCode codeOfSilence() const;

  private:
    const android::sp<nn::V1_3::IPreparedModel> service_;
    const std::shared_ptr<const FinishedModel> model_;
    const std::shared_ptr<StagingPool> staging_ = std::make_shared<StagingPool>();
};

/// The time limits of a call in the form of the HAL.
nn::V1_3::OptionalTimePoint halDeadline(const std::optional<TimePoint>& deadline);
nn::V1_3::OptionalTimeoutDuration halDuration(
        const std::optional<std::chrono::nanoseconds>& duration);

/// The outcome from a HAL's answer.
template <typename Shapes>
CallOutcome outcomeOf(ResultCode code, const Shapes& shapes, const Timing& timing) {
    CallOutcome outcome{code, {}, timing};
    for (const auto& shape : shapes) {
        outcome.shapes.push_back({Dimensions(shape.dimensions), shape.isSufficient});
    }
    return outcome;
}

}  // namespace vnpu::sim::ndk
