// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <fmt/format.h>
#include <hidl/HidlInternal.h>
#include <vnpu/hal/packet_channel.h>

#include <cerrno>
#include <cstddef>
#include <thread>
#include <utility>

#include "hal/src/fmq/futex.h"

namespace vnpu::hal {
namespace {

using android::hardware::EventFlag;

// source: libfmq, the default bits of its blocking calls
constexpr uint32_t kNotFull = 0x1;
constexpr uint32_t kNotEmpty = 0x2;

// of a packet: its information and its last datum
constexpr size_t kFewestData = 2;

/// Whether each packet begins with its size and the last one ends with the data. Such data come
/// from a correct sender; a packet with a datum too many or too few is no sequence of packets.
template <typename Datum>
bool areWholePackets(const std::vector<Datum>& data) {
    size_t next = 0;
    while (next < data.size()) {
        if (data[next].getDiscriminator() != Datum::hidl_discriminator::packetInformation) {
            return false;
        }
        const size_t size = data[next].packetInformation().packetSize;
        if (size < kFewestData || size > data.size() - next) {
            return false;
        }
        next += size;
    }
    return true;
}

}  // namespace

template <typename Datum>
PacketChannel<Datum>::PacketChannel(std::unique_ptr<Queue> queue) : queue_(std::move(queue)) {
    EventFlag::createEventFlag(queue_->getEventFlagWord(), &flag_);
    queue_->setErrorHandler([this](typename Queue::Error, std::string&& reason) {
        android::hardware::details::logError(reason);
        isClosed_ = true;
    });
}

template <typename Datum>
PacketChannel<Datum>::~PacketChannel() {
    EventFlag::deleteEventFlag(&flag_);
}

template <typename Datum>
tl::expected<std::unique_ptr<PacketChannel<Datum>>, std::string> PacketChannel<Datum>::wrap(
        std::unique_ptr<Queue> queue) {
    if (!queue->isValid()) {
        return tl::unexpected(std::string("the queue is invalid"));
    }
    if (queue->getEventFlagWord() == nullptr) {
        return tl::unexpected(std::string("the queue has no event flag"));
    }
    return std::unique_ptr<PacketChannel>(new PacketChannel(std::move(queue)));
}

template <typename Datum>
tl::expected<std::unique_ptr<PacketChannel<Datum>>, std::string> PacketChannel<Datum>::create(
        size_t length) {
    return wrap(std::make_unique<Queue>(length, true));
}

template <typename Datum>
tl::expected<std::unique_ptr<PacketChannel<Datum>>, std::string> PacketChannel<Datum>::attach(
        const Descriptor& descriptor) {
    if (descriptor.getSize() / sizeof(Datum) > kMaxLength) {
        return tl::unexpected(fmt::format("the queue holds {} bytes, expected {} data at most",
                                          descriptor.getSize(), kMaxLength));
    }
    return wrap(std::make_unique<Queue>(descriptor));
}

template <typename Datum>
tl::expected<void, std::string> PacketChannel<Datum>::send(const Packet& packet) {
    if (isClosed_) {
        return tl::unexpected(std::string("the channel is closed"));
    }
    // Not a blocking write: the peer could consume the room again and never free it.
    if (!queue_->write(packet.data(), packet.size())) {
        return tl::unexpected(
                fmt::format("a packet of {} data does not fit into a queue with room "
                            "for {} of {}",
                            packet.size(), queue_->availableToWrite(), queue_->getQuantumCount()));
    }
    flag_->wake(kNotEmpty);
    return {};
}

template <typename Datum>
std::optional<typename PacketChannel<Datum>::Packet> PacketChannel<Datum>::tryReceive() {
    if (isClosed_) {
        return std::nullopt;
    }
    if (next_ < received_.size()) {
        return takeNext();
    }
    typename Queue::MemTransaction look;
    if (!queue_->beginRead(1, &look)) {  // also detects corrupt counters
        return std::nullopt;
    }
    received_.resize(queue_->availableToRead());
    next_ = received_.size();  // so that nothing is left after a failure
    if (!queue_->read(received_.data(), received_.size()) || received_.empty()) {
        return std::nullopt;
    }
    flag_->wake(kNotFull);
    const bool isOne = !areWholePackets(received_) ||
                       received_[0].packetInformation().packetSize == received_.size();
    if (isOne) {
        return std::exchange(received_, {});
    }
    next_ = 0;
    return takeNext();
}

template <typename Datum>
std::optional<typename PacketChannel<Datum>::Packet> PacketChannel<Datum>::takeNext() {
    const auto begin = received_.begin() + static_cast<std::ptrdiff_t>(next_);
    next_ += received_[next_].packetInformation().packetSize;
    return Packet(begin, received_.begin() + static_cast<std::ptrdiff_t>(next_));
}

template <typename Datum>
std::optional<typename PacketChannel<Datum>::Packet> PacketChannel<Datum>::receive(
        std::chrono::microseconds pollingWindow) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + pollingWindow;
    bool isPolling = pollingWindow.count() > 0;
    while (!isClosed_) {
        auto packet = tryReceive();
        if (packet || isClosed_) {  // by corrupt counters, in tryReceive
            return packet;
        }
        if (isPolling) {
            std::this_thread::yield();
            isPolling = Clock::now() < end;
        } else {
            sleep();
        }
    }
    return std::nullopt;
}

/// Sleeps until the state may have changed.
template <typename Datum>
void PacketChannel<Datum>::sleep() {
    uint32_t bits = 0;
    const android::status_t status = flag_->wait(kNotEmpty, &bits);
    if (status != android::NO_ERROR && status != -EAGAIN && status != -EINTR) {
        android::hardware::details::logError(
                fmt::format("packet channel: waiting failed with status {}", status));
        isClosed_ = true;
    }
}

template <typename Datum>
void PacketChannel<Datum>::close() {
    isClosed_ = true;
    flag_->wake(kNotEmpty);
    // If the peer has set the bit itself, the call above wakes no thread.
    wakeFutex(*queue_->getEventFlagWord(), kNotEmpty);
}

template class PacketChannel<android::hardware::neuralnetworks::V1_2::FmqRequestDatum>;
template class PacketChannel<android::hardware::neuralnetworks::V1_2::FmqResultDatum>;

}  // namespace vnpu::hal
