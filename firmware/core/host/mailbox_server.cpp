// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/mailbox_server.h"

#include <array>
#include <bit>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "firmware/core/host/boot_sequence.h"

namespace vnpu::fw {
namespace {

Message reply(const Message& request, MessageStatus status, std::uint32_t value = 0) {
    Message message{};
    message.type = MessageType::kReply;
    message.requestId = request.requestId;
    message.status = static_cast<std::uint32_t>(status);
    message.value = value;
    return message;
}

}  // namespace

bool MailboxServer::service() {
    if (destroying_ && destroying_->target.ring != parts_.scheduler.runningRing()) {
        finishDestroy();
    }
    bool isAsked = false;
    Message request{};
    while (parts_.outbox.flush() && !destroying_ && takeRequest(request)) {
        isAsked = true;
        answer(request);
    }
    return isAsked;
}

bool MailboxServer::takeRequest(Message& request) {
    if (!parts_.interrupts.take(regs::ControllerIrqStatus::kMessage)) {
        return false;
    }
    const std::uint32_t control = readRegister<regs::MailboxInControl>(parts_.port);
    if (regs::MailboxInControl::kFull.get(control) == 0) {
        return false;
    }
    std::array<std::uint32_t, regs::kMailboxWords> words{};
    for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
        words[i] = readRegister<regs::MailboxIn>(parts_.port, i);
    }
    writeRegister<regs::MailboxInControl>(parts_.port, 0);
    request = std::bit_cast<Message>(words);
    return true;
}

void MailboxServer::answer(Message request) {
    parts_.port.charge(kMessageCycles);
    bool isRepeated = false;
    if (!unseal(request, isRepeated)) {
        parts_.log.add(LogEvent::kBadMessage, 0);
        parts_.outbox.put(reply({}, MessageStatus::kCorrupted));
        return;
    }
    if (isRepeated && request.requestId == lastReply_.requestId) {
        parts_.outbox.put(lastReply_);
        return;
    }
    if (request.type == MessageType::kDestroyRing && parts_.rings.exists(request.target.ring)) {
        destroying_ = request;
        parts_.rings.requestAbort(request.target.ring);
        if (request.target.ring != parts_.scheduler.runningRing()) {
            finishDestroy();
        }
        return;
    }
    const Message answer = handle(request);
    if (answer.status != static_cast<std::uint32_t>(MessageStatus::kOk)) {
        parts_.log.add(LogEvent::kBadMessage, static_cast<std::uint32_t>(request.type));
    }
    send(answer);
}

void MailboxServer::send(const Message& reply) {
    lastReply_ = reply;
    parts_.outbox.put(reply);
}

Message MailboxServer::dump(const Message& request) {
    const std::uint64_t address = request.target.address;
    if (request.value < sizeof(StateDump)) {
        return reply(request, MessageStatus::kBadParameter);
    }
    const bool isWritten =
            address != 0 && address % 8 == 0 &&
            parts_.dumper.write(address, parts_.scheduler.runningRing()) == hw::JobStatus::kOk;
    return reply(request, isWritten ? MessageStatus::kOk : MessageStatus::kBadAddress,
                 sizeof(StateDump));
}

Message MailboxServer::handle(const Message& request) {
    const std::uint32_t context = request.target.context;
    switch (request.type) {
        case MessageType::kCreateContext: {
            const MessageStatus status = parts_.contexts.create(context, request.target.address);
            if (status == MessageStatus::kOk) {
                parts_.scheduler.onContextCreated(context);
                parts_.log.add(LogEvent::kContextCreated, context);
            }
            return reply(request, status);
        }
        case MessageType::kDestroyContext: {
            if (parts_.contexts.exists(context) && parts_.rings.isContextUsed(context)) {
                return reply(request, MessageStatus::kBusy);
            }
            const MessageStatus status = parts_.contexts.destroy(context);
            if (status == MessageStatus::kOk) {
                parts_.log.add(LogEvent::kContextDestroyed, context);
            }
            return reply(request, status);
        }
        case MessageType::kCreateRing: {
            if (!parts_.contexts.exists(context)) {
                return reply(request, MessageStatus::kBadContext);
            }
            const std::uint32_t ring = request.target.ring;
            const MessageStatus status =
                    parts_.rings.create({ring, context, request.value, request.target.address});
            if (status == MessageStatus::kOk) {
                parts_.log.add(LogEvent::kRingCreated, ring, context);
            }
            return reply(request, status);
        }
        case MessageType::kAbortJob:
        case MessageType::kSuspendRing:
        case MessageType::kResumeRing:
            return reply(request, handleRing(request));
        case MessageType::kSetScheduling:
            return reply(request, parts_.scheduler.setParameters(request.target.address));
        case MessageType::kSetPower:
            return reply(request, parts_.power.hold(request.value));
        case MessageType::kDestroyRing:
            return reply(request, MessageStatus::kBadRing);  // answer() handles existing rings
        case MessageType::kInvalidateTlb:
            return reply(request, parts_.contexts.invalidate(context));
        case MessageType::kGetVersions: {
            Message message = reply(request, MessageStatus::kOk);
            fillVersions(message);
            return message;
        }
        case MessageType::kPing:
            return reply(request, MessageStatus::kOk, request.value);
        case MessageType::kStateDump:
            return dump(request);
        default:
            return reply(request, MessageStatus::kUnknownType);
    }
}

MessageStatus MailboxServer::handleRing(const Message& request) {
    const std::uint32_t ring = request.target.ring;
    if (!parts_.rings.exists(ring)) {
        return MessageStatus::kBadRing;
    }
    if (request.type == MessageType::kAbortJob) {
        return parts_.rings.abortJob(ring, request.target.jobId) ? MessageStatus::kOk
                                                                 : MessageStatus::kBadJob;
    }
    const bool isSuspended = request.type == MessageType::kSuspendRing;
    parts_.rings.setSuspended(ring, isSuspended);
    parts_.log.add(isSuspended ? LogEvent::kRingSuspended : LogEvent::kRingResumed, ring);
    return MessageStatus::kOk;
}

void MailboxServer::finishDestroy() {
    const Message request = *destroying_;
    destroying_.reset();
    const std::uint32_t aborted = parts_.rings.destroy(request.target.ring);
    parts_.log.add(LogEvent::kRingDestroyed, request.target.ring);
    send(reply(request, MessageStatus::kOk, aborted));
}

}  // namespace vnpu::fw
