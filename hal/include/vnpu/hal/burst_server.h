// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <vnpu/hal/burst_session.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <tl/expected.hpp>

namespace vnpu::hal {

/// The service's end of a burst, with a listening thread. The destructor waits for a running
/// execution.
class ExecutionBurstServer : public android::hardware::neuralnetworks::V1_2::IBurstContext {
    using IBurstCallback = android::hardware::neuralnetworks::V1_2::IBurstCallback;
    using IPreparedModel = android::hardware::neuralnetworks::V1_2::IPreparedModel;
    using RequestDescriptor = android::hardware::MQDescriptorSync<
            android::hardware::neuralnetworks::V1_2::FmqRequestDatum>;
    using ResultDescriptor = android::hardware::MQDescriptorSync<
            android::hardware::neuralnetworks::V1_2::FmqResultDatum>;
    using Created = tl::expected<android::sp<ExecutionBurstServer>, std::string>;

  public:
    using IBurstExecutorWithCache = hal::IBurstExecutorWithCache;

    /// Fails, beside a wrong offer, if the process can have no more threads. `pollingTimeWindow` is
    /// how long the listener polls for the next request after each result before it sleeps: polling
    /// shortens the latency and costs power.
    [[nodiscard]] static Created create(
            const android::sp<IBurstCallback>& callback, const RequestDescriptor& requestChannel,
            const ResultDescriptor& resultChannel,
            std::shared_ptr<IBurstExecutorWithCache> executorWithCache,
            std::chrono::microseconds pollingTimeWindow = std::chrono::microseconds{0});
    /// Executes by executeSynchronously() and caches the client's memories without mapping them.
    [[nodiscard]] static Created create(
            const android::sp<IBurstCallback>& callback, const RequestDescriptor& requestChannel,
            const ResultDescriptor& resultChannel, const android::sp<IPreparedModel>& preparedModel,
            std::chrono::microseconds pollingTimeWindow = std::chrono::microseconds{0});

    ~ExecutionBurstServer() override;

    /// Waits for a running execution.
    android::hardware::Return<void> freeMemory(int32_t slot) override;

  private:
    struct Shared;

    ExecutionBurstServer(std::shared_ptr<Shared> shared, std::thread listener);

    const std::shared_ptr<Shared> shared_;  // between this object and the listener
    std::thread listener_;
};

}  // namespace vnpu::hal
