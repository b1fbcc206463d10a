// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/MQDescriptor.h>
#include <vnpu/hal/burst_packets.h>
#include <vnpu/hal/packet_channel.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// Executes what a burst asks for, and keeps the client's memory by slot between executions. One
/// call at a time.
class IBurstExecutorWithCache {
  public:
    virtual ~IBurstExecutorWithCache() = default;

    virtual bool isCacheEntryPresent(int32_t slot) const = 0;
    /// The memory is foreign, and the caller's. One that is of no use may be left out: then the
    /// execution fails.
    virtual void addCacheEntry(const android::hardware::hidl_memory& memory, int32_t slot) = 0;
    /// Also for slots that are not there.
    virtual void removeCacheEntry(int32_t slot) = 0;
    /// Runs a request whose pools are the memories of `slots`. Shapes only with NONE and
    /// OUTPUT_INSUFFICIENT_SIZE.
    virtual BurstResult execute(const android::hardware::neuralnetworks::V1_0::Request& request,
                                const std::vector<int32_t>& slots,
                                android::hardware::neuralnetworks::V1_2::MeasureTiming measure) = 0;
};

/// The service's end of a burst, without the thread that listens: receive() and tryReceive() are
/// the listener's; answer(), serve() and freeMemory() exclude each other, by the owner's care;
/// close() may come from any thread at any time.
class BurstSession {
    using IBurstCallback = android::hardware::neuralnetworks::V1_2::IBurstCallback;
    using FmqRequestDatum = android::hardware::neuralnetworks::V1_2::FmqRequestDatum;
    using FmqResultDatum = android::hardware::neuralnetworks::V1_2::FmqResultDatum;

  public:
    /// What a client gives to configureExecutionBurst, borrowed.
    struct Offer {
        const android::sp<IBurstCallback>& callback;
        const android::hardware::MQDescriptorSync<FmqRequestDatum>& requestChannel;
        const android::hardware::MQDescriptorSync<FmqResultDatum>& resultChannel;
    };

    /// Fails, with the reason, if there is no callback or a channel cannot be used.
    [[nodiscard]] static tl::expected<std::unique_ptr<BurstSession>, std::string> create(
            const Offer& offer, std::shared_ptr<IBurstExecutorWithCache> executor);

    /// See PacketChannel. Nothing also means that the burst is over, if it is not open any more.
    std::optional<RequestPacket> receive(std::chrono::microseconds pollingWindow) {
        return requests_->receive(pollingWindow);
    }
    std::optional<RequestPacket> tryReceive() { return requests_->tryReceive(); }
    bool isOpen() const { return requests_->isOpen(); }
    void close();

    /// Serves a packet and sends the result, or GENERAL_FAILURE if that does not fit the channel.
    void answer(const RequestPacket& packet);

    /// Executes what the packet says, with memory that it asks the client for if need be. A packet
    /// that says nothing sensible is a GENERAL_FAILURE.
    [[nodiscard]] BurstResult serve(const RequestPacket& packet);

    /// The client will use the slot for other memory. Unknown slots do nothing.
    void freeMemory(int32_t slot) { executor_->removeCacheEntry(slot); }

    /// Whether the listener is in a call to the client, which may never return.
    bool isAskingClient() const { return isAskingClient_; }

  private:
    BurstSession(android::sp<IBurstCallback> callback,
                 std::unique_ptr<PacketChannel<FmqRequestDatum>> requests,
                 std::unique_ptr<PacketChannel<FmqResultDatum>> results,
                 std::shared_ptr<IBurstExecutorWithCache> executor);
    /// NONE once all slots are with the executor.
    android::hardware::neuralnetworks::V1_0::ErrorStatus fetchMissing(
            const std::vector<int32_t>& slots);

    const android::sp<IBurstCallback> callback_;
    const std::unique_ptr<PacketChannel<FmqRequestDatum>> requests_;
    const std::unique_ptr<PacketChannel<FmqResultDatum>> results_;
    const std::shared_ptr<IBurstExecutorWithCache> executor_;
    std::atomic<bool> isAskingClient_{false};
};

}  // namespace vnpu::hal
