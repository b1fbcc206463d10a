// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <vnpu/hal/burst_callback.h>
#include <vnpu/hal/burst_packets.h>
#include <vnpu/hal/packet_channel.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// The client's end of a burst: a series of executions of one prepared model. The burst lasts as
/// long as this object. One execution at a time; any thread.
class ExecutionBurstController {
    using IPreparedModel = android::hardware::neuralnetworks::V1_2::IPreparedModel;
    using IBurstContext = android::hardware::neuralnetworks::V1_2::IBurstContext;
    using Request = android::hardware::neuralnetworks::V1_0::Request;
    using MeasureTiming = android::hardware::neuralnetworks::V1_2::MeasureTiming;
    using RequestChannel = PacketChannel<android::hardware::neuralnetworks::V1_2::FmqRequestDatum>;
    using ResultChannel = PacketChannel<android::hardware::neuralnetworks::V1_2::FmqResultDatum>;

  public:
    /// Lets time pass until isDone() is true.
    using Wait = std::function<void(const std::function<bool()>& isDone)>;

    struct Options {
        /// How long to poll for a result before the thread sleeps.
        std::chrono::microseconds pollingTimeWindow{0};
        size_t channelLength = 1024;  // source: AOSP NNAPI runtime
        /// Replaces polling and sleeping, for clients that must not block their thread.
        Wait wait;
    };

    struct Outcome {
        BurstResult result;
        /// True if nothing was executed and another path may succeed: the packet did not fit, or
        /// the burst has ended or is in use.
        bool isFallbackUseful = false;
    };

    /// Fails with the reason if the prepared model refuses the burst.
    [[nodiscard]] static tl::expected<std::unique_ptr<ExecutionBurstController>, std::string>
    create(const android::sp<IPreparedModel>& preparedModel, Options options);
    ~ExecutionBurstController();

    /// Executes the request and waits for the result. `memoryIds` names the request's pools in
    /// order.
    [[nodiscard]] Outcome compute(const Request& request, MeasureTiming measure,
                                  const std::vector<intptr_t>& memoryIds);

    /// Releases the memory of the id. No execution may be using it.
    void freeMemory(intptr_t memoryId);

  private:
    class PeerDeath;

    ExecutionBurstController(Options options, android::sp<ExecutionBurstCallback> callback,
                             std::shared_ptr<RequestChannel> requests,
                             std::shared_ptr<ResultChannel> results);
    [[nodiscard]] tl::expected<void, std::string> connect(
            const android::sp<IPreparedModel>& preparedModel);
    Outcome exchange(const Request& request, MeasureTiming measure,
                     const std::vector<intptr_t>& memoryIds);
    std::optional<ResultPacket> receive();
    void close();

    const Options options_;
    const android::sp<ExecutionBurstCallback> callback_;
    const std::shared_ptr<RequestChannel> requests_;
    const std::shared_ptr<ResultChannel> results_;
    android::sp<IBurstContext> context_;
    android::sp<PeerDeath> peerDeath_;
    std::atomic<bool> isBusy_{false};
};

}  // namespace vnpu::hal
