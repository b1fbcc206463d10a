// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "sim/ndk/base/result.h"

namespace vnpu::sim::ndk {

/// The answer to a preparation, which another thread may give. Any thread.
class PreparationAnswer : public nn::V1_3::IPreparedModelCallback {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    struct Answer {
        ResultCode code = ANEURALNETWORKS_OP_FAILED;
        android::sp<nn::V1_3::IPreparedModel> model;
    };

    Return<void> notify(nn::V1_0::ErrorStatus status,
                        const android::sp<nn::V1_0::IPreparedModel>& model) override;
    Return<void> notify_1_2(nn::V1_0::ErrorStatus status,
                            const android::sp<nn::V1_2::IPreparedModel>& model) override;
    Return<void> notify_1_3(nn::V1_3::ErrorStatus status,
                            const android::sp<nn::V1_3::IPreparedModel>& model) override;
    /// The service has ended and will not answer.
    void giveUp();

    Answer wait();

  private:
    void answer(Answer answer);

    std::mutex mutex_;  // guards answer_
    std::condition_variable changed_;
    std::optional<Answer> answer_;
};

/// Gives an answer up when the device's service ends, as long as this object exists.
class DeathWatch {
  public:
    DeathWatch(const android::sp<android::hidl::base::V1_0::IBase>& device,
               const android::sp<PreparationAnswer>& answer);
    ~DeathWatch();
    DeathWatch(const DeathWatch&) = delete;
    DeathWatch& operator=(const DeathWatch&) = delete;

  private:
    struct Recipient;

    const android::sp<android::hidl::base::V1_0::IBase> device_;
    const android::sp<Recipient> recipient_;
};

}  // namespace vnpu::sim::ndk
