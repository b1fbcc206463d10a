// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/device/hal_callbacks.h"

namespace vnpu::sim::ndk {

using android::sp;
using android::hardware::Return;
using android::hardware::Void;

Return<void> PreparationAnswer::notify(nn::V1_0::ErrorStatus status,
                                       const sp<nn::V1_0::IPreparedModel>& model) {
    return notify_1_3(static_cast<nn::V1_3::ErrorStatus>(status),
                      nn::V1_3::IPreparedModel::castFrom(model).withDefault(nullptr));
}

Return<void> PreparationAnswer::notify_1_2(nn::V1_0::ErrorStatus status,
                                           const sp<nn::V1_2::IPreparedModel>& model) {
    return notify(status, model);
}

Return<void> PreparationAnswer::notify_1_3(nn::V1_3::ErrorStatus status,
                                           const sp<nn::V1_3::IPreparedModel>& model) {
    const bool lacksModel = status == nn::V1_3::ErrorStatus::NONE && model == nullptr;
    answer({lacksModel ? ANEURALNETWORKS_OP_FAILED : codeOf(status), model});
    return Void();
}

void PreparationAnswer::giveUp() {
    answer({ANEURALNETWORKS_DEAD_OBJECT, nullptr});
}

void PreparationAnswer::answer(Answer answer) {
    const std::lock_guard lock(mutex_);
    if (!answer_) {
        answer_ = std::move(answer);
        changed_.notify_all();
    }
}

PreparationAnswer::Answer PreparationAnswer::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return answer_.has_value(); });
    return *answer_;
}

struct DeathWatch::Recipient : android::hardware::hidl_death_recipient {
    explicit Recipient(sp<PreparationAnswer> toGiveUp) : answer(std::move(toGiveUp)) {}
    void serviceDied(std::uint64_t /*cookie*/,
                     const android::wp<android::hidl::base::V1_0::IBase>& /*who*/) override {
        answer->giveUp();
    }

    const sp<PreparationAnswer> answer;
};

DeathWatch::DeathWatch(const sp<android::hidl::base::V1_0::IBase>& device,
                       const sp<PreparationAnswer>& answer)
    : device_(device), recipient_(new Recipient(answer)) {
    if (!device_->linkToDeath(recipient_, 0).withDefault(false)) {
        answer->giveUp();
    }
}

DeathWatch::~DeathWatch() {
    device_->unlinkToDeath(recipient_).isOk();
}

}  // namespace vnpu::sim::ndk
