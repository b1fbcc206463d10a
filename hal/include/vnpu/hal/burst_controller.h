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
    /// Calls its argument, and lets time pass, until that is true.
    using Wait = std::function<void(const std::function<bool()>& isDone)>;

    struct Options {
        /// How long to look for a result before sleeping.
        std::chrono::microseconds pollingTimeWindow{0};
        size_t channelLength = 1024;  // source: AOSP NNAPI runtime
        /// Instead of both, for clients that may not block their thread.
        Wait wait;
    };

    struct Outcome {
        BurstResult result;
        /// Nothing was executed, and another path may do: the packet did not fit, or the burst is
        /// over or in use.
        bool isFallbackUseful = false;
    };

    /// Fails, with the reason, if the prepared model refuses.
    [[nodiscard]] static tl::expected<std::unique_ptr<ExecutionBurstController>, std::string>
    create(const android::sp<IPreparedModel>& preparedModel, Options options);
    ~ExecutionBurstController();

    /// Executes, and waits for the result. `memoryIds` name the request's pools, in their order.
    [[nodiscard]] Outcome compute(const Request& request, MeasureTiming measure,
                                  const std::vector<intptr_t>& memoryIds);

    /// The memory of that id is not used any more. Not while an execution uses it.
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
