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

/// Executes the requests of a burst and caches the client's memories by slot. One call at a time.
class IBurstExecutorWithCache {
  public:
    virtual ~IBurstExecutorWithCache() = default;

    virtual bool isCacheEntryPresent(int32_t slot) const = 0;
    /// The memory is untrusted and owned by the caller. An unusable memory may be ignored: then the
    /// execution that uses the slot fails.
    virtual void addCacheEntry(const android::hardware::hidl_memory& memory, int32_t slot) = 0;
    /// Unknown slots are allowed.
    virtual void removeCacheEntry(int32_t slot) = 0;
    /// Runs a request whose pools are the memories of `slots`. The result has output shapes only
    /// with NONE and OUTPUT_INSUFFICIENT_SIZE.
    virtual BurstResult execute(const android::hardware::neuralnetworks::V1_0::Request& request,
                                const std::vector<int32_t>& slots,
                                android::hardware::neuralnetworks::V1_2::MeasureTiming measure) = 0;
};

/// The service's end of a burst without a listening thread. The listener calls receive() and
/// tryReceive(). The owner must not call answer(), serve() and freeMemory() at the same time. Any
/// thread may call close() at any time.
class BurstSession {
    using IBurstCallback = android::hardware::neuralnetworks::V1_2::IBurstCallback;
    using FmqRequestDatum = android::hardware::neuralnetworks::V1_2::FmqRequestDatum;
    using FmqResultDatum = android::hardware::neuralnetworks::V1_2::FmqResultDatum;

  public:
    /// The arguments of configureExecutionBurst, borrowed.
    struct Offer {
        const android::sp<IBurstCallback>& callback;
        const android::hardware::MQDescriptorSync<FmqRequestDatum>& requestChannel;
        const android::hardware::MQDescriptorSync<FmqResultDatum>& resultChannel;
    };

    /// Fails with the reason if the callback is null or a channel is unusable.
    [[nodiscard]] static tl::expected<std::unique_ptr<BurstSession>, std::string> create(
            const Offer& offer, std::shared_ptr<IBurstExecutorWithCache> executor);

    /// See PacketChannel. Returns nothing also when the burst has ended (isOpen() is false).
    std::optional<RequestPacket> receive(std::chrono::microseconds pollingWindow) {
        return requests_->receive(pollingWindow);
    }
    std::optional<RequestPacket> tryReceive() { return requests_->tryReceive(); }
    bool isOpen() const { return requests_->isOpen(); }
    void close();

    /// Serves a packet and sends the result, or GENERAL_FAILURE if the result does not fit the
    /// channel.
    void answer(const RequestPacket& packet);

    /// Executes the request of the packet and asks the client for memories that are not cached. A
    /// malformed packet results in GENERAL_FAILURE.
    [[nodiscard]] BurstResult serve(const RequestPacket& packet);

    /// Drops the memory of a slot that the client will reuse. Ignores unknown slots.
    void freeMemory(int32_t slot) { executor_->removeCacheEntry(slot); }

    /// Whether the listener is inside a call to the client; the call may never return.
    bool isAskingClient() const { return isAskingClient_; }

  private:
    BurstSession(android::sp<IBurstCallback> callback,
                 std::unique_ptr<PacketChannel<FmqRequestDatum>> requests,
                 std::unique_ptr<PacketChannel<FmqResultDatum>> results,
                 std::shared_ptr<IBurstExecutorWithCache> executor);
    /// NONE if the executor has the memories of all slots afterwards.
    android::hardware::neuralnetworks::V1_0::ErrorStatus fetchMissing(
            const std::vector<int32_t>& slots);

    const android::sp<IBurstCallback> callback_;
    const std::unique_ptr<PacketChannel<FmqRequestDatum>> requests_;
    const std::unique_ptr<PacketChannel<FmqResultDatum>> results_;
    const std::shared_ptr<IBurstExecutorWithCache> executor_;
    std::atomic<bool> isAskingClient_{false};
};

}  // namespace vnpu::hal
