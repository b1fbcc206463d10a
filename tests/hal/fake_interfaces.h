// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>

namespace vnpu::hal::test {

// Callbacks of three versions, the smallest interfaces that form a chain. They do nothing.

namespace nn = android::hardware::neuralnetworks;

struct Callback10 : nn::V1_0::IPreparedModelCallback {
    android::hardware::Return<void> notify(nn::V1_0::ErrorStatus,
                                           const android::sp<nn::V1_0::IPreparedModel>&) override {
        return android::hardware::Void();
    }
};

struct Callback13 : nn::V1_3::IPreparedModelCallback {
    android::hardware::Return<void> notify(nn::V1_0::ErrorStatus,
                                           const android::sp<nn::V1_0::IPreparedModel>&) override {
        return android::hardware::Void();
    }
    android::hardware::Return<void> notify_1_2(
            nn::V1_0::ErrorStatus, const android::sp<nn::V1_2::IPreparedModel>&) override {
        return android::hardware::Void();
    }
    android::hardware::Return<void> notify_1_3(
            nn::V1_3::ErrorStatus, const android::sp<nn::V1_3::IPreparedModel>&) override {
        return android::hardware::Void();
    }
};

}  // namespace vnpu::hal::test
