// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmq/EventFlag.h>
#include <fmq/MessageQueue.h>
#include <hidl/MQDescriptor.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// One direction of a burst: a queue with an event flag, used from its sending or its receiving
/// end. The sender publishes a packet in one step, and its first datum gives its size, so that
/// several packets may wait in the queue. Data that are not whole packets are received together,
/// for the receiver to refuse. One thread sends, one receives, and any thread may close.
template <typename Datum>
class PacketChannel {
  public:
    using Packet = std::vector<Datum>;
    using Descriptor = android::hardware::MQDescriptorSync<Datum>;

    /// chosen: 1.5 MB a packet; NNAPI's own runtime makes channels of 1024 data
    static constexpr size_t kMaxLength = 65536;

    /// A channel for packets of up to `length` data.
    [[nodiscard]] static tl::expected<std::unique_ptr<PacketChannel>, std::string> create(
            size_t length);
    /// Attaches to a channel that the peer created and empties it. Refuses a queue that cannot be
    /// mapped, has no event flag or holds more than kMaxLength data.
    [[nodiscard]] static tl::expected<std::unique_ptr<PacketChannel>, std::string> attach(
            const Descriptor& descriptor);

    ~PacketChannel();
    PacketChannel(const PacketChannel&) = delete;
    PacketChannel& operator=(const PacketChannel&) = delete;

    const Descriptor& descriptor() const { return *queue_->getDesc(); }

    /// Never blocks. Fails if the queue has too little room left or the channel is closed.
    [[nodiscard]] tl::expected<void, std::string> send(const Packet& packet);

    /// Waits for a packet: polls for `pollingWindow`, then sleeps. Returns nothing once the channel
    /// is closed or its counters are corrupt.
    [[nodiscard]] std::optional<Packet> receive(std::chrono::microseconds pollingWindow);
    /// Returns the next packet without waiting.
    [[nodiscard]] std::optional<Packet> tryReceive();

    /// Ends sending and wakes the receiver. A hostile peer can suppress the wake-up, so a caller
    /// that waits for the receiver must repeat the call.
    void close();
    bool isOpen() const { return !isClosed_; }

  private:
    using Queue = android::hardware::MessageQueue<Datum, android::hardware::kSynchronizedReadWrite>;

    explicit PacketChannel(std::unique_ptr<Queue> queue);
    static tl::expected<std::unique_ptr<PacketChannel>, std::string> wrap(
            std::unique_ptr<Queue> queue);
    std::optional<Packet> takeNext();
    void sleep();

    const std::unique_ptr<Queue> queue_;
    android::hardware::EventFlag* flag_ = nullptr;
    std::atomic<bool> isClosed_{false};
    // Of the receiver: data that it has read together with an earlier packet, from next_ on.
    Packet received_;
    size_t next_ = 0;
};

}  // namespace vnpu::hal
