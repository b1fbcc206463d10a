// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <functional>
#include <future>
#include <memory>
#include <utility>

namespace vnpu::hal::rpc::test {

/// A buffer that reports its destruction and its calls.
class WatchedBuffer : public android::hardware::neuralnetworks::V1_3::IBuffer {
    using ErrorStatus = android::hardware::neuralnetworks::V1_3::ErrorStatus;
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    explicit WatchedBuffer(std::function<void()> onEnd = [] {}) : onEnd_(std::move(onEnd)) {}
    ~WatchedBuffer() override { onEnd_(); }

    std::function<ErrorStatus(const android::hardware::hidl_memory&)> onCopyTo = [](const auto&) {
        return ErrorStatus::NONE;
    };

    Return<ErrorStatus> copyTo(const android::hardware::hidl_memory& destination) override {
        return onCopyTo(destination);
    }
    Return<ErrorStatus> copyFrom(const android::hardware::hidl_memory&,
                                 const android::hardware::hidl_vec<uint32_t>&) override {
        return ErrorStatus::NONE;
    }

  private:
    const std::function<void()> onEnd_;
};

/// A callback whose effect the test defines.
class Notified : public android::hardware::neuralnetworks::V1_3::IPreparedModelCallback {
    template <typename T>
    using Return = android::hardware::Return<T>;
    template <typename T>
    using Sp = android::sp<T>;
    using E0 = android::hardware::neuralnetworks::V1_0::ErrorStatus;
    using E3 = android::hardware::neuralnetworks::V1_3::ErrorStatus;
    using Model = android::hardware::neuralnetworks::V1_3::IPreparedModel;

  public:
    explicit Notified(std::function<void(E3, const Sp<Model>&)> onNotify)
        : onNotify_(std::move(onNotify)) {}

    Return<void> notify(
            E0, const Sp<android::hardware::neuralnetworks::V1_0::IPreparedModel>&) override {
        return android::hardware::Void();
    }
    Return<void> notify_1_2(
            E0, const Sp<android::hardware::neuralnetworks::V1_2::IPreparedModel>&) override {
        return android::hardware::Void();
    }
    Return<void> notify_1_3(E3 status, const Sp<Model>& model) override {
        onNotify_(status, model);
        return android::hardware::Void();
    }

  private:
    const std::function<void(E3, const Sp<Model>&)> onNotify_;
};

class Mourner : public android::hardware::hidl_death_recipient {
  public:
    std::atomic<int> told{0};
    std::promise<uint64_t> cookie;

    void serviceDied(uint64_t given,
                     const android::wp<android::hidl::base::V1_0::IBase>&) override {
        if (told++ == 0) {
            cookie.set_value(given);
        }
    }
};

}  // namespace vnpu::hal::rpc::test
