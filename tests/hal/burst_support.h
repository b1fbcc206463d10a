// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <vnpu/hal/burst_session.h>
#include <vnpu/hal/shared_memory.h>

#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace vnpu::hal::test {

namespace nn = android::hardware::neuralnetworks;

android::hardware::hidl_memory makeMemory(uint64_t sizeBytes = 64);

/// A request with an input of dimensions 2 x 3 in pool 0, an input without a value, and an output
/// in pool 1.
nn::V1_0::Request makeRequest();

/// A successful execution with outputs of shape 2 x 3 and of a scalar.
BurstResult makeResult();

/// Records its calls; answers makeResult() unless configured otherwise.
class FakeExecutor : public IBurstExecutorWithCache {
  public:
    bool isCacheEntryPresent(int32_t slot) const override { return slots.count(slot) != 0; }
    void addCacheEntry(const android::hardware::hidl_memory& memory, int32_t slot) override {
        addedBytes += memory.size();
        slots.insert(slot);
    }
    void removeCacheEntry(int32_t slot) override { slots.erase(slot); }
    BurstResult execute(const nn::V1_0::Request& request, const std::vector<int32_t>& usedSlots,
                        nn::V1_2::MeasureTiming measure) override {
        executions.push_back({request, usedSlots, measure});
        return onExecute ? onExecute() : makeResult();
    }

    std::set<int32_t> slots;
    uint64_t addedBytes = 0;
    std::vector<BurstRequest> executions;
    std::function<BurstResult()> onExecute;
};

/// Returns makeMemory() for any slot unless configured otherwise.
class FakeCallback : public nn::V1_2::IBurstCallback {
  public:
    ~FakeCallback() override {
        if (onEnd) {
            onEnd();
        }
    }
    android::hardware::Return<void> getMemories(const android::hardware::hidl_vec<int32_t>& slots,
                                                getMemories_cb callback) override;

    std::vector<std::vector<int32_t>> asked;
    nn::V1_0::ErrorStatus status = nn::V1_0::ErrorStatus::NONE;
    int surplus = 0;            // memories beyond the requested ones
    bool givesNothing = false;  // returns memories without a handle
    bool isSilent = false;      // returns without calling the callback
    bool isDead = false;
    std::function<void()> onAsked;
    std::function<void()> onEnd;
};

/// The client's end of a burst, driven step by step.
struct FakeClient {
    explicit FakeClient(size_t resultLength = 64);

    BurstSession::Offer offer() const {
        return {callback, requests->descriptor(), results->descriptor()};
    }
    /// Sends a packet and waits for the result.
    BurstResult exchange(const RequestPacket& packet) const;

    android::sp<FakeCallback> fake = new FakeCallback;
    android::sp<nn::V1_2::IBurstCallback> callback = fake;
    std::unique_ptr<PacketChannel<nn::V1_2::FmqRequestDatum>> requests;
    std::unique_ptr<PacketChannel<nn::V1_2::FmqResultDatum>> results;
};

/// A prepared model that implements only the methods below.
class FakePreparedModel : public nn::V1_2::IPreparedModel {
  public:
    android::hardware::Return<nn::V1_0::ErrorStatus> execute(
            const nn::V1_0::Request&, const android::sp<nn::V1_0::IExecutionCallback>&) override;
    android::hardware::Return<nn::V1_0::ErrorStatus> execute_1_2(
            const nn::V1_0::Request&, nn::V1_2::MeasureTiming,
            const android::sp<nn::V1_2::IExecutionCallback>&) override;
    android::hardware::Return<void> executeSynchronously(const nn::V1_0::Request& request,
                                                         nn::V1_2::MeasureTiming measure,
                                                         executeSynchronously_cb callback) override;
    android::hardware::Return<void> configureExecutionBurst(
            const android::sp<nn::V1_2::IBurstCallback>& callback,
            const android::hardware::MQDescriptorSync<nn::V1_2::FmqRequestDatum>& requests,
            const android::hardware::MQDescriptorSync<nn::V1_2::FmqResultDatum>& results,
            configureExecutionBurst_cb answer) override;

    std::function<BurstResult(const nn::V1_0::Request&, nn::V1_2::MeasureTiming)> onExecute;
    /// The result of configureExecutionBurst(); null: GENERAL_FAILURE.
    std::function<android::sp<nn::V1_2::IBurstContext>(const BurstSession::Offer&)> onBurst;
};

}  // namespace vnpu::hal::test
