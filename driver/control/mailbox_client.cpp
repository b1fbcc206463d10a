// SPDX-License-Identifier: Apache-2.0
#include "driver/control/mailbox_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "driver/port/register_access.h"

namespace vnpu::driver {

namespace {

namespace regs = hw::regs;
using Words = std::array<std::uint32_t, regs::kMailboxWords>;

constexpr std::chrono::milliseconds kReplyTimeout{
        100};  // chosen: thousands of times a reply's latency

/// First and longest pause between two polls for a message whose interrupt was lost. chosen: a
/// hundred times a reply's latency, so that an undisturbed request never polls.
constexpr std::chrono::nanoseconds kReplyFirstLook = std::chrono::milliseconds(1);
constexpr std::chrono::nanoseconds kReplyLongestLook = std::chrono::milliseconds(16);

/// Longest latency from the interrupt line to the handler. chosen: ten times the usual.
constexpr std::chrono::nanoseconds kReplyGrace = std::chrono::microseconds(50);

constexpr int kMaxTries = 4;  // chosen: a mailbox that corrupts this many in a row is broken

bool isBootMessage(const fw::Message& message) {
    return message.type == fw::MessageType::kReady || message.type == fw::MessageType::kBootFailed;
}

bool isCorrupted(const fw::Message& message) {
    return message.type == fw::MessageType::kNone;
}

}  // namespace

MailboxClient::MailboxClient(DevicePort& port, std::function<void(const FaultReport&)> onFault)
    : port_(port),
      onFault_(std::move(onFault)),
      turn_(port),
      reading_(port),
      arrival_(port.createEvent()),
      usable_(port.createEvent()) {
    usable_->set();
}

Result<fw::Message> MailboxClient::request(fw::Message message) {
    for (;;) {
        usable_->wait();
        const HostLockGuard turn(turn_);
        if (isShutDown_) {
            return fail(ErrorStatus::DEVICE_UNAVAILABLE, "the device is out of order");
        }
        if (isPaused_) {
            continue;
        }
        auto reply = exchange(message);
        if (reply || reply.error().status != ErrorStatus::DEVICE_UNAVAILABLE) {
            ++answered_;
            lastAnswer_ = port_.now();
            return reply;
        }
        if (!isPaused_ && !isShutDown_) {
            onFault_({.cause = FaultCause::kMailboxSilence, .what = reply.error().reason});
        }
        if (!isPaused_) {
            return reply;
        }
    }
}

Result<fw::Message> MailboxClient::exchange(fw::Message message) {
    if (++lastId_ == 0) {
        ++lastId_;
    }
    message.requestId = lastId_;
    std::optional<fw::Message> reply;
    for (int tries = 0; tries < kMaxTries && (!reply || isCorrupted(*reply)); ++tries) {
        fw::Message sent = message;
        if (tries > 0) {
            sent.type = static_cast<fw::MessageType>(static_cast<std::uint32_t>(sent.type) |
                                                     fw::kRepeated);
        }
        reply = tryExchange(sent);
        if (!reply) {
            return fail(
                    ErrorStatus::DEVICE_UNAVAILABLE,
                    fmt::format("no reply to mailbox message {} within {} ms of device time",
                                static_cast<std::uint32_t>(message.type), kReplyTimeout.count()));
        }
        if (isCorrupted(*reply)) {
            onFault_({.cause = FaultCause::kCorruptMessage,
                      .remedy = FaultRemedy::kRepeated,
                      .what = fmt::format("mailbox message {} or its reply was corrupted",
                                          static_cast<std::uint32_t>(message.type))});
        }
    }
    if (isCorrupted(*reply)) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE,
                    fmt::format("mailbox message {} or its reply was corrupted {} times in a row",
                                static_cast<std::uint32_t>(message.type), kMaxTries));
    }
    const auto status = static_cast<fw::MessageStatus>(reply->status);
    if (status != fw::MessageStatus::kOk) {
        return fail(
                status == fw::MessageStatus::kBusy ? ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT
                                                   : ErrorStatus::GENERAL_FAILURE,
                fmt::format("firmware refuses mailbox message {} (context {}, ring {}): status {}",
                            static_cast<std::uint32_t>(message.type), message.target.context,
                            message.target.ring, reply->status));
    }
    if (!isTakenOver_) {
        journal_.note(message);
    }
    return *reply;
}

std::optional<fw::Message> MailboxClient::tryExchange(const fw::Message& message) {
    arrival_->reset();
    {
        const MutexLock guard(mutex_);
        expected_ = message.requestId;
        arrived_.reset();
    }
    if (isShutDown_ || (isPaused_ && !isTakenOver_)) {
        return std::nullopt;
    }
    // The inbound mailbox is empty, because its last message was answered or the client is shut
    // down.
    const auto words = std::bit_cast<Words>(fw::sealed(message));
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        writeRegister<regs::MailboxIn>(port_, words[i], i);
    }
    writeRegister<regs::MailboxInControl>(port_, regs::MailboxInControl::kFull.put(1));
    awaitArrival(kReplyTimeout);
    const MutexLock guard(mutex_);
    expected_ = 0;
    return arrived_;
}

/// Waits for the interrupt that announces a message, and polls now and then because it may be lost.
bool MailboxClient::awaitArrival(std::chrono::nanoseconds timeout) {
    std::chrono::nanoseconds pause = kReplyFirstLook;
    for (std::chrono::nanoseconds left = timeout; left.count() > 0;) {
        pause = std::min(pause, left);
        if (arrival_->waitFor(pause)) {
            return true;
        }
        left -= pause;
        if (hasMessage() && !arrival_->waitFor(kReplyGrace) && hasMessage()) {
            onMessage();
            onFault_({.cause = FaultCause::kLostInterrupt,
                      .what = "a message was waiting in the mailbox"});
        }
        pause = std::min(2 * pause, kReplyLongestLook);
    }
    return arrival_->waitFor(std::chrono::nanoseconds(0));
}

bool MailboxClient::hasMessage() {
    return regs::MailboxOutControl::kFull.get(readRegister<regs::MailboxOutControl>(port_)) != 0;
}

Result<fw::Message> MailboxClient::waitForBoot(std::chrono::nanoseconds timeout) {
    if (!awaitArrival(timeout)) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE,
                    fmt::format("firmware did not report within {} ns of device time",
                                timeout.count()));
    }
    const MutexLock guard(mutex_);
    if (!arrived_ || isCorrupted(*arrived_)) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE,
                    arrived_ ? "the message that ends the boot was corrupted"
                             : "the device broke down during boot");
    }
    return *arrived_;
}

void MailboxClient::onMessage() {
    fw::Message message{};
    {
        const HostLockGuard turn(reading_);
        if (!hasMessage()) {
            return;
        }
        Words words{};
        for (std::uint32_t i = 0; i < words.size(); ++i) {
            words[i] = readRegister<regs::MailboxOut>(port_, i);
        }
        writeRegister<regs::MailboxOutControl>(port_, 0);
        message = std::bit_cast<fw::Message>(words);
    }
    bool isRepeated = false;
    const bool isIntact = fw::unseal(message, isRepeated);
    const bool isComplaint =
            isIntact && message.type == fw::MessageType::kReply && message.requestId == 0 &&
            message.status == static_cast<std::uint32_t>(fw::MessageStatus::kCorrupted);
    {
        const MutexLock guard(mutex_);
        const bool isReply = message.type == fw::MessageType::kReply && expected_ != 0 &&
                             message.requestId == expected_;
        if (!isIntact || isComplaint) {
            arrived_ = fw::Message{};
        } else if (isReply || (isBootMessage(message) && expected_ == 0)) {
            arrived_ = message;
        } else {
            return;  // a reply whose request has given up
        }
    }
    arrival_->set();
}

void MailboxClient::pause() {
    usable_->reset();
    isPaused_ = true;
    arrival_->set();  // ends the wait for a reply
}

void MailboxClient::takeOver() {
    turn_.lock();
    isTakenOver_ = true;
}

void MailboxClient::expectBoot() {
    arrival_->reset();
    const MutexLock guard(mutex_);
    expected_ = 0;
    arrived_.reset();
}

Result<void> MailboxClient::replay() {
    for (const fw::Message& message : journal_.messages()) {
        VNPU_TRY(exchange(message));
    }
    return {};
}

void MailboxClient::resume() {
    isTakenOver_ = false;
    isPaused_ = false;
    turn_.unlock();
    usable_->set();
}

void MailboxClient::shutDown() {
    isShutDown_ = true;
    isPaused_ = false;
    if (isTakenOver_.exchange(false)) {
        turn_.unlock();
    }
    arrival_->set();
    usable_->set();
}

}  // namespace vnpu::driver
