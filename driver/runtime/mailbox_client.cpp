// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/mailbox_client.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "driver/port/register_access.h"

namespace vnpu::driver {

namespace {

namespace regs = hw::regs;
using Words = std::array<std::uint32_t, regs::kMailboxWords>;
static_assert(sizeof(Words) == sizeof(fw::Message));

constexpr std::chrono::milliseconds kReplyTimeout{
        100};  // chosen: thousands of times what a reply takes

bool isBootMessage(const fw::Message& message) {
    return message.type == fw::MessageType::kReady || message.type == fw::MessageType::kBootFailed;
}

ErrorStatus errorStatusOf(fw::MessageStatus status) {
    return status == fw::MessageStatus::kBusy ? ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT
                                              : ErrorStatus::GENERAL_FAILURE;
}

}  // namespace

MailboxClient::MailboxClient(DevicePort& port)
    : port_(port), turn_(port), arrival_(port.createEvent()) {}

Result<fw::Message> MailboxClient::request(fw::Message message) {
    const HostLockGuard turn(turn_);
    if (isShutDown_) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE, "the device is out of order");
    }
    if (++lastId_ == 0) {
        ++lastId_;
    }
    message.requestId = lastId_;
    arrival_->reset();
    {
        const std::lock_guard guard(mutex_);
        expected_ = message.requestId;
        arrived_.reset();
    }
    send(message);
    if (isShutDown_) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE, "the device is out of order");
    }
    const bool isInTime = arrival_->waitFor(kReplyTimeout);
    std::optional<fw::Message> reply;
    {
        const std::lock_guard guard(mutex_);
        expected_ = 0;
        reply = arrived_;
    }
    if (!reply) {
        std::string reason = fmt::format(
                "no reply to mailbox message {} {}", static_cast<std::uint32_t>(message.type),
                isInTime ? "before the device broke down" : "within 100 ms of device time");
        if (!isInTime && onSilence_) {
            onSilence_(reason);
        }
        return fail(ErrorStatus::DEVICE_UNAVAILABLE, std::move(reason));
    }
    const auto status = static_cast<fw::MessageStatus>(reply->status);
    if (status != fw::MessageStatus::kOk) {
        return fail(
                errorStatusOf(status),
                fmt::format("firmware refuses mailbox message {} (context {}, ring {}): status {}",
                            static_cast<std::uint32_t>(message.type), message.target.context,
                            message.target.ring, reply->status));
    }
    return *reply;
}

Result<fw::Message> MailboxClient::waitForBoot(std::chrono::nanoseconds timeout) {
    if (!arrival_->waitFor(timeout)) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE,
                    fmt::format("firmware did not report within {} ns of device time",
                                timeout.count()));
    }
    const std::lock_guard guard(mutex_);
    if (!arrived_) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE, "the device broke down during boot");
    }
    return *arrived_;
}

void MailboxClient::onMessage() {
    if (regs::MailboxOutControl::kFull.get(readRegister<regs::MailboxOutControl>(port_)) == 0) {
        return;
    }
    Words words{};
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        words[i] = readRegister<regs::MailboxOut>(port_, i);
    }
    writeRegister<regs::MailboxOutControl>(port_, 0);
    fw::Message message{};
    std::memcpy(&message, words.data(), sizeof(message));
    {
        const std::lock_guard guard(mutex_);
        const bool isReply = message.type == fw::MessageType::kReply && expected_ != 0 &&
                             message.requestId == expected_;
        if (!isReply && !(isBootMessage(message) && expected_ == 0)) {
            return;  // a reply that nobody waits for any more
        }
        arrived_ = message;
    }
    arrival_->set();
}

void MailboxClient::shutDown() {
    isShutDown_ = true;
    arrival_->set();
}

void MailboxClient::send(const fw::Message& message) {
    Words words{};
    std::memcpy(words.data(), &message, sizeof(message));
    // The inbound mailbox is empty: its last message was answered, or the client is shut down.
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        writeRegister<regs::MailboxIn>(port_, words[i], i);
    }
    writeRegister<regs::MailboxInControl>(port_, regs::MailboxInControl::kFull.put(1));
}

}  // namespace vnpu::driver
