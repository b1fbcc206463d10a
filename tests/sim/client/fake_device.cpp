// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/client/fake_device.h"

#include <stdexcept>

namespace vnpu::sim::test {

namespace {

using android::sp;
using android::hardware::hidl_array;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using android::hardware::MQDescriptorSync;
using android::hardware::Return;
using android::hardware::Status;
using android::hardware::Void;

Status unused() {
    return Status::fromExceptionCode(Status::EX_UNSUPPORTED_OPERATION, "not faked");
}

class FakePreparedModel : public nn::IPreparedModel {
  public:
    explicit FakePreparedModel(FakeBehavior& behavior) : behavior_(behavior) {}

    Return<nn10::ErrorStatus> execute(const nn10::Request&,
                                      const sp<nn10::IExecutionCallback>&) override {
        return unused();
    }
    Return<nn10::ErrorStatus> execute_1_2(const nn10::Request&, nn12::MeasureTiming,
                                          const sp<nn12::IExecutionCallback>&) override {
        return unused();
    }
    Return<void> executeSynchronously(const nn10::Request&, nn12::MeasureTiming,
                                      executeSynchronously_cb) override {
        return unused();
    }
    Return<void> configureExecutionBurst(const sp<nn12::IBurstCallback>&,
                                         const MQDescriptorSync<nn12::FmqRequestDatum>&,
                                         const MQDescriptorSync<nn12::FmqResultDatum>&,
                                         configureExecutionBurst_cb) override {
        return unused();
    }
    Return<void> executeFenced(const nn::Request&, const hidl_vec<hidl_handle>&,
                               nn12::MeasureTiming, const nn::OptionalTimePoint&,
                               const nn::OptionalTimeoutDuration&,
                               const nn::OptionalTimeoutDuration&, executeFenced_cb) override {
        return unused();
    }

    Return<nn::ErrorStatus> execute_1_3(const nn::Request& request, nn12::MeasureTiming measure,
                                        const nn::OptionalTimePoint& deadline,
                                        const nn::OptionalTimeoutDuration& loopTimeout,
                                        const sp<nn::IExecutionCallback>& callback) override {
        ++behavior_.asynchronousCalls;
        note(request, measure, deadline, loopTimeout);
        if (behavior_.executeLaunch == nn::ErrorStatus::NONE) {
            callback->notify_1_3(behavior_.executeStatus, behavior_.outputShapes, timing());
        }
        return behavior_.executeLaunch;
    }
    Return<void> executeSynchronously_1_3(const nn::Request& request, nn12::MeasureTiming measure,
                                          const nn::OptionalTimePoint& deadline,
                                          const nn::OptionalTimeoutDuration& loopTimeout,
                                          executeSynchronously_1_3_cb callback) override {
        ++behavior_.synchronousCalls;
        note(request, measure, deadline, loopTimeout);
        callback(behavior_.executeStatus, behavior_.outputShapes, timing());
        return Void();
    }

  private:
    void note(const nn::Request& request, nn12::MeasureTiming measure,
              const nn::OptionalTimePoint& deadline,
              const nn::OptionalTimeoutDuration& loopTimeout) {
        behavior_.deadline = deadline;
        behavior_.measure = measure;
        behavior_.loopTimeout = loopTimeout;
        if (behavior_.onExecute) {
            behavior_.onExecute(request);
        }
    }
    nn12::Timing timing() const {
        const bool tells =
                behavior_.measure == nn12::MeasureTiming::YES || behavior_.tellsTimesUnasked;
        return tells ? behavior_.timing : nn12::Timing{UINT64_MAX, UINT64_MAX};
    }

    FakeBehavior& behavior_;
};

class FakeDevice : public nn::IDevice {
  public:
    explicit FakeDevice(FakeBehavior& behavior) : behavior_(behavior) {}

    Return<void> getCapabilities(getCapabilities_cb) override { return unused(); }
    Return<void> getSupportedOperations(const nn10::Model&, getSupportedOperations_cb) override {
        return unused();
    }
    Return<nn10::ErrorStatus> prepareModel(const nn10::Model&,
                                           const sp<nn10::IPreparedModelCallback>&) override {
        return unused();
    }
    Return<nn10::DeviceStatus> getStatus() override { return unused(); }
    Return<void> getCapabilities_1_1(getCapabilities_1_1_cb) override { return unused(); }
    Return<void> getSupportedOperations_1_1(const nn11::Model&,
                                            getSupportedOperations_1_1_cb) override {
        return unused();
    }
    Return<nn10::ErrorStatus> prepareModel_1_1(const nn11::Model&, nn11::ExecutionPreference,
                                               const sp<nn10::IPreparedModelCallback>&) override {
        return unused();
    }
    Return<void> getVersionString(getVersionString_cb callback) override {
        callback(nn10::ErrorStatus::NONE, "fake");
        return Void();
    }
    Return<void> getType(getType_cb callback) override {
        callback(nn10::ErrorStatus::NONE, nn12::DeviceType::ACCELERATOR);
        return Void();
    }
    Return<void> getCapabilities_1_2(getCapabilities_1_2_cb) override { return unused(); }
    Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) override {
        callback(nn10::ErrorStatus::NONE, {});
        return Void();
    }
    Return<void> getSupportedOperations_1_2(const nn12::Model&,
                                            getSupportedOperations_1_2_cb) override {
        return unused();
    }
    Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) override {
        callback(nn10::ErrorStatus::NONE, behavior_.cacheFiles, behavior_.cacheFiles);
        return Void();
    }
    Return<nn10::ErrorStatus> prepareModel_1_2(const nn12::Model&, nn11::ExecutionPreference,
                                               const hidl_vec<hidl_handle>&,
                                               const hidl_vec<hidl_handle>&,
                                               const hidl_array<std::uint8_t, 32>&,
                                               const sp<nn12::IPreparedModelCallback>&) override {
        return unused();
    }
    Return<nn10::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>&, const hidl_vec<hidl_handle>&,
            const hidl_array<std::uint8_t, 32>&, const sp<nn12::IPreparedModelCallback>&) override {
        return unused();
    }
    Return<void> getCapabilities_1_3(getCapabilities_1_3_cb) override { return unused(); }
    Return<nn::ErrorStatus> prepareModelFromCache_1_3(
            const nn::OptionalTimePoint&, const hidl_vec<hidl_handle>& models,
            const hidl_vec<hidl_handle>& data, const hidl_array<std::uint8_t, 32>&,
            const sp<nn::IPreparedModelCallback>& callback) override {
        behavior_.loadedFiles = models.size() + data.size();
        notify(behavior_.cacheStatus, callback);
        return behavior_.cacheStatus;
    }
    Return<void> allocate(const nn::BufferDesc&, const hidl_vec<sp<nn::IPreparedModel>>&,
                          const hidl_vec<nn::BufferRole>&, const hidl_vec<nn::BufferRole>&,
                          allocate_cb callback) override {
        callback(behavior_.allocateStatus, nullptr, 0);
        return Void();
    }

    Return<void> getSupportedOperations_1_3(const nn::Model& model,
                                            getSupportedOperations_1_3_cb callback) override {
        hidl_vec<bool> supported(model.main.operations.size());
        for (bool& answer : supported) {
            answer = behavior_.isSupported;
        }
        callback(behavior_.supportStatus, supported);
        return Void();
    }
    Return<nn::ErrorStatus> prepareModel_1_3(
            const nn::Model&, nn11::ExecutionPreference, nn::Priority priority,
            const nn::OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& models,
            const hidl_vec<hidl_handle>& data, const hidl_array<std::uint8_t, 32>&,
            const sp<nn::IPreparedModelCallback>& callback) override {
        behavior_.priority = priority;
        behavior_.deadline = deadline;
        behavior_.savedFiles = models.size() + data.size();
        if (behavior_.prepareLaunch == nn::ErrorStatus::NONE) {
            notify(behavior_.prepareStatus, callback);
        }
        return behavior_.prepareLaunch;
    }

  private:
    void notify(nn::ErrorStatus status, const sp<nn::IPreparedModelCallback>& callback) {
        const bool isGood = status == nn::ErrorStatus::NONE;
        callback->notify_1_3(status, isGood ? new FakePreparedModel(behavior_) : nullptr);
    }

    FakeBehavior& behavior_;
};

/// Everything here happens on one thread, so waiting for an unset event would never end.
class FakeEvent : public driver::HostEvent {
  public:
    void set() override { isSet_ = true; }
    void reset() override { isSet_ = false; }
    void wait() override {
        if (!isSet_) {
            throw std::logic_error("wait for an event that nothing sets any more");
        }
    }
    bool waitFor(std::chrono::nanoseconds) override { return isSet_; }

  private:
    bool isSet_ = false;
};

}  // namespace

sp<nn::IDevice> makeFakeDevice(FakeBehavior& behavior) {
    return new FakeDevice(behavior);
}

std::unique_ptr<driver::HostEvent> FakeContext::createEvent() {
    return std::make_unique<FakeEvent>();
}

driver::DevicePort& FakeContext::port() {
    throw std::logic_error("there is no device behind the fake");
}

}  // namespace vnpu::sim::test
