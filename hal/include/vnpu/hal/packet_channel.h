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

/// One direction of a burst: a queue with an event flag, seen from its sending or its receiving
/// end. A packet is all that lies in the queue at one moment: its sender publishes it at once, and
/// there is one under way at most. One thread sends, one receives, any closes.
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
    /// A channel that somebody else made, emptied. Refuses a queue that cannot be mapped, has no
    /// event flag or holds more than kMaxLength data.
    [[nodiscard]] static tl::expected<std::unique_ptr<PacketChannel>, std::string> attach(
            const Descriptor& descriptor);

    ~PacketChannel();
    PacketChannel(const PacketChannel&) = delete;
    PacketChannel& operator=(const PacketChannel&) = delete;

    const Descriptor& descriptor() const { return *queue_->getDesc(); }

    /// Never waits: fails for a packet that does not fit in behind what is still there, and on a
    /// channel that is closed.
    [[nodiscard]] tl::expected<void, std::string> send(const Packet& packet);

    /// Waits for a packet, first by looking again and again for as long as `pollingWindow`, then
    /// asleep. Nothing once the channel is closed, or if its counters are foul.
    [[nodiscard]] std::optional<Packet> receive(std::chrono::microseconds pollingWindow);
    /// The packet that is there now.
    [[nodiscard]] std::optional<Packet> tryReceive();

    /// From now on nothing is sent, and nobody waits. As a hostile peer can make a sleeper miss
    /// this, who waits for one to return calls it again.
    void close();
    bool isOpen() const { return !isClosed_; }

  private:
    using Queue = android::hardware::MessageQueue<Datum, android::hardware::kSynchronizedReadWrite>;

    explicit PacketChannel(std::unique_ptr<Queue> queue);
    static tl::expected<std::unique_ptr<PacketChannel>, std::string> wrap(
            std::unique_ptr<Queue> queue);
    void sleep();

    const std::unique_ptr<Queue> queue_;
    android::hardware::EventFlag* flag_ = nullptr;
    std::atomic<bool> isClosed_{false};
};

}  // namespace vnpu::hal
