// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/lint_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "firmware/api/boot.h"
#include "firmware/api/job_ring.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"
#include "sim/bringup/register_text.h"

namespace vnpu::sim {

namespace {

namespace regs = hw::regs;
using fw::MessageType;

// The words of a message that rules name.
constexpr std::uint32_t kTypeWord = 0;
constexpr std::uint32_t kContextWord = 4;
constexpr std::uint32_t kRingWord = 5;
constexpr std::uint32_t kAddressWord = 6;

std::string mailboxWord(std::uint32_t index) {
    return registerName(regs::MailboxIn::kSpec.at(index));
}

std::string doorbell(std::uint32_t index) {
    return registerName(regs::Doorbell::kSpec.at(index));
}

template <typename Value>
Value valueAt(std::span<const std::byte> data) {
    Value value{};
    std::memcpy(&value, data.data(), sizeof(value));
    return value;
}

/// A field of a structure that may have the wrong value.
struct Expected {
    bool isRight;
    const char* field;
    std::uint64_t value;
    const char* expected;
};

/// The first wrong field as text; empty if all are right.
template <std::size_t count>
std::string firstWrong(const Expected (&fields)[count]) {
    for (const Expected& field : fields) {
        if (!field.isRight) {
            return fmt::format("{} is {:#x}, expected {}", field.field, field.value,
                               field.expected);
        }
    }
    return "";
}

bool isPowerOfTwoIn(std::uint32_t value, std::uint32_t least, std::uint32_t most) {
    return std::has_single_bit(value) && value >= least && value <= most;
}

}  // namespace

void LintProtocol::read(std::uint64_t time, std::uint32_t offset, std::uint32_t value) {
    const regs::RegisterHit hit = regs::findRegister(offset);
    if (hit.spec == &regs::MailboxInControl::kSpec) {
        isInFull_ = isInFull_ && regs::MailboxInControl::kFull.get(value) != 0;
    } else if (hit.spec == &regs::MailboxOutControl::kSpec) {
        isOutFull_ = regs::MailboxOutControl::kFull.get(value) != 0;
        isInFull_ = isInFull_ && !isOutFull_;
    } else if (hit.spec == &regs::IrqStatus::kSpec && regs::IrqStatus::kMessage.get(value) != 0) {
        isOutFull_ = true;
        isInFull_ = false;
    } else if (hit.spec == &regs::MailboxOut::kSpec) {
        readMailboxWord(time, hit.index, value);
    } else if (hit.spec == &regs::Status::kSpec &&
               regs::Status::kState.get(value) ==
                       static_cast<std::uint32_t>(regs::DeviceState::kReady)) {
        isReady_ = true;
    }
}

void LintProtocol::written(std::uint64_t time, std::uint32_t offset, std::uint32_t value) {
    const regs::RegisterHit hit = regs::findRegister(offset);
    if (hit.spec == &regs::Control::kSpec) {
        writeControl(time, value);
    } else if (hit.spec == &regs::BootParametersLo::kSpec) {
        bootAddress_ = (bootAddress_ >> 32 << 32) | value;
    } else if (hit.spec == &regs::BootParametersHi::kSpec) {
        bootAddress_ = (std::uint64_t{value} << 32) | static_cast<std::uint32_t>(bootAddress_);
    } else if (hit.spec == &regs::MailboxIn::kSpec) {
        writeMailboxWord(time, hit.index, value);
    } else if (hit.spec == &regs::MailboxInControl::kSpec &&
               regs::MailboxInControl::kFull.get(value) != 0) {
        sendMessage(time);
    } else if (hit.spec == &regs::MailboxOutControl::kSpec &&
               regs::MailboxOutControl::kFull.get(value) == 0) {
        if (isOutFull_ && wordsRead_ == 0) {
            report_.mistake(time, LintRule::kMessageDropped, registerName(offset));
        }
        isOutFull_ = false;
        wordsRead_ = 0;
    } else if (hit.spec == &regs::Doorbell::kSpec) {
        ringDoorbell(time, hit.index, value);
    } else if (hit.spec == &regs::MmuInvalidate::kSpec &&
               regs::MmuInvalidate::kAll.get(value) == 0 &&
               !contexts_.contains(regs::MmuInvalidate::kContext.get(value))) {
        report_.mistake(time, LintRule::kContextMisuse, registerName(offset),
                        fmt::format("context {}", regs::MmuInvalidate::kContext.get(value)));
    }
}

void LintProtocol::writeControl(std::uint64_t time, std::uint32_t value) {
    const bool isReset = regs::Control::kReset.get(value) != 0;
    const bool isBoot = regs::Control::kBoot.get(value) != 0;
    if (isBoot && isReset) {
        report_.mistake(time, LintRule::kBootInReset, registerName(regs::Control::kSpec.offset));
    }
    isInReset_ = isReset;
    if (isBoot && !isReset) {
        checkBoot(time);
        isRunning_ = true;
    }
}

void LintProtocol::checkBoot(std::uint64_t time) {
    const std::string where = registerName(regs::BootParametersLo::kSpec.offset);
    if (isRunning_) {
        report_.mistake(time, LintRule::kBootTwice, registerName(regs::Control::kSpec.offset));
    } else if (bootAddress_ == 0) {
        report_.mistake(time, LintRule::kBootWithoutParameters, where);
    } else if (bootAddress_ % alignof(fw::BootParameters) != 0) {
        report_.mistake(time, LintRule::kBootParametersMisaligned, where,
                        fmt::format("address {:#x}", bootAddress_));
    }
}

void LintProtocol::writeMailboxWord(std::uint64_t time, std::uint32_t index, std::uint32_t value) {
    if (isInFull_) {
        report_.mistake(time, LintRule::kMailboxFull, mailboxWord(index));
    }
    sent_[index] = value;
}

void LintProtocol::sendMessage(std::uint64_t time) {
    const std::string where = registerName(regs::MailboxInControl::kSpec.offset);
    if (isInFull_) {
        report_.mistake(time, LintRule::kMailboxFull, where);
        return;
    }
    if (isOutFull_) {
        report_.mistake(time, LintRule::kMessageNotReleased,
                        registerName(regs::MailboxOutControl::kSpec.offset));
    }
    if (!isReady_) {
        report_.mistake(time, LintRule::kMessageBeforeReady, where);
    }
    isInFull_ = true;
    auto message = std::bit_cast<fw::Message>(sent_);
    bool isRepeated = false;
    if (!fw::unseal(message, isRepeated)) {
        report_.mistake(time, LintRule::kBrokenSeal, mailboxWord(kTypeWord),
                        fmt::format("checksum {:#06x}, expected {:#06x}", sent_[kTypeWord] >> 16,
                                    fw::sealOf(std::bit_cast<fw::Message>(sent_))));
        return;
    }
    if (!isRepeated || message.requestId != request_.requestId) {
        request_ = message;
        checkMessage(time, message);
    }
}

void LintProtocol::checkMessage(std::uint64_t time, const fw::Message& message) {
    switch (message.type) {
        case MessageType::kCreateContext:
            createContext(time, message);
            break;
        case MessageType::kDestroyContext:
            destroyContext(time, message.target.context);
            break;
        case MessageType::kCreateRing:
            createRing(time, message);
            break;
        case MessageType::kDestroyRing:
        case MessageType::kAbortJob:
        case MessageType::kSuspendRing:
        case MessageType::kResumeRing:
            if (!rings_.contains(message.target.ring)) {
                report_.mistake(time, LintRule::kRingMisuse, mailboxWord(kRingWord),
                                fmt::format("ring {} is not in use", message.target.ring));
            }
            if (message.type == MessageType::kDestroyRing) {
                rings_.erase(message.target.ring);
            }
            break;
        case MessageType::kInvalidateTlb:
            if (!contexts_.contains(message.target.context)) {
                report_.mistake(time, LintRule::kContextMisuse, mailboxWord(kContextWord),
                                fmt::format("context {} is not in use", message.target.context));
            }
            break;
        case MessageType::kGetVersions:
        case MessageType::kPing:
        case MessageType::kSetScheduling:
        case MessageType::kStateDump:
        case MessageType::kSetPower:
            break;
        default:
            report_.mistake(time, LintRule::kUnknownMessage, mailboxWord(kTypeWord),
                            fmt::format("type {}", static_cast<std::uint32_t>(message.type)));
    }
}

void LintProtocol::createContext(std::uint64_t time, const fw::Message& message) {
    const std::uint32_t context = message.target.context;
    const std::uint64_t root = message.target.address;
    if (context >= regs::kContextCount || contexts_.contains(context)) {
        report_.mistake(
                time, LintRule::kContextMisuse, mailboxWord(kContextWord),
                fmt::format("context {} {}", context,
                            context >= regs::kContextCount ? "is out of range" : "is in use"));
    } else if (root == 0 || root % hw::kPageBytes != 0 || root >> hw::kBusAddressBits != 0) {
        report_.mistake(time, LintRule::kRootMisaligned, mailboxWord(kAddressWord),
                        fmt::format("address {:#x}", root));
    } else {
        contexts_[context] = root;
        tables_[root] = {context, 0};
    }
}

void LintProtocol::destroyContext(std::uint64_t time, std::uint32_t context) {
    const bool isUsed = std::any_of(rings_.begin(), rings_.end(), [&](const auto& ring) {
        return ring.second.context == context;
    });
    if (!contexts_.contains(context) || isUsed) {
        report_.mistake(time, LintRule::kContextMisuse, mailboxWord(kContextWord),
                        fmt::format("context {} {}", context,
                                    isUsed ? "still has rings" : "is not in use"));
        return;
    }
    contexts_.erase(context);
    std::erase_if(tables_, [&](const auto& page) { return page.second.context == context; });
}

void LintProtocol::createRing(std::uint64_t time, const fw::Message& message) {
    const std::uint32_t index = message.target.ring;
    const std::uint64_t address = message.target.address;
    if (index >= regs::kRingCount || rings_.contains(index)) {
        report_.mistake(time, LintRule::kRingMisuse, mailboxWord(kRingWord),
                        fmt::format("ring {} {}", index,
                                    index >= regs::kRingCount ? "is out of range" : "is in use"));
    } else if (!contexts_.contains(message.target.context)) {
        report_.mistake(
                time, LintRule::kContextMisuse, mailboxWord(kContextWord),
                fmt::format("context {} of ring {} is not in use", message.target.context, index));
    } else if (address == 0 || address % hw::kPageBytes != 0) {
        report_.mistake(time, LintRule::kRingMisaligned, mailboxWord(kAddressWord),
                        fmt::format("address {:#x}", address));
    } else {
        rings_[index] = {.address = address, .context = message.target.context};
    }
}

void LintProtocol::readMailboxWord(std::uint64_t time, std::uint32_t index, std::uint32_t value) {
    if (!isOutFull_) {
        report_.mistake(time, LintRule::kMailboxEmpty,
                        registerName(regs::MailboxOut::kSpec.at(index)));
        return;
    }
    received_[index] = value;
    ++wordsRead_;
    if (index + 1 == received_.size()) {
        takeReply();
    }
}

void LintProtocol::takeReply() {
    auto message = std::bit_cast<fw::Message>(received_);
    bool isRepeated = false;
    if (!fw::unseal(message, isRepeated)) {
        return;
    }
    isReady_ = isReady_ || message.type == MessageType::kReady;
    const bool isRefusal = message.type == MessageType::kReply &&
                           message.requestId == request_.requestId &&
                           message.status != static_cast<std::uint32_t>(fw::MessageStatus::kOk);
    if (isRefusal && request_.type == MessageType::kCreateRing) {
        rings_.erase(request_.target.ring);
    } else if (isRefusal && request_.type == MessageType::kCreateContext) {
        contexts_.erase(request_.target.context);
    }
}

void LintProtocol::ringDoorbell(std::uint64_t time, std::uint32_t index, std::uint32_t tail) {
    const auto found = rings_.find(index);
    if (found == rings_.end()) {
        report_.mistake(time, LintRule::kDoorbellBeforeRing, doorbell(index));
        return;
    }
    Ring& ring = found->second;
    const std::uint32_t step = tail - ring.tail;
    const bool isWithdrawal = ring.tail - tail <= ring.slotCount;
    if (ring.slotCount != 0 && step > ring.slotCount && !isWithdrawal) {
        report_.mistake(
                time, LintRule::kDoorbellTail, doorbell(index),
                fmt::format("from {} to {} with {} slots", ring.tail, tail, ring.slotCount));
        return;
    }
    ring.tail = tail;
}

void LintProtocol::memoryRead(std::uint64_t time, std::uint64_t address,
                              std::span<const std::byte> data) {
    if (isRunning_ && address == bootAddress_ && data.size() == sizeof(fw::BootParameters)) {
        checkBootParameters(time, data);
        return;
    }
    if (data.size() == sizeof(std::uint64_t)) {
        const auto page = tables_.find(address / hw::kPageBytes * hw::kPageBytes);
        if (page != tables_.end()) {
            checkTableEntry(time, page->second, address, data);
        }
        return;
    }
    for (auto& [index, ring] : rings_) {
        const std::uint64_t offset = address - ring.address;  // huge below the ring
        if (offset == 0 && data.size() == sizeof(fw::RingHeader)) {
            checkRingHeader(time, index, ring, data);
        } else if (offset >= sizeof(fw::RingHeader) && data.size() == sizeof(fw::JobSlot) &&
                   offset < fw::ringBytes(ring.slotCount, 0)) {
            checkSlot(time, index, data);
        }
    }
}

void LintProtocol::checkBootParameters(std::uint64_t time, std::span<const std::byte> data) {
    const auto boot = valueAt<fw::BootParameters>(data);
    const auto isMajor = [](std::uint32_t theirs, std::uint32_t ours) {
        return fw::majorOf(theirs) == fw::majorOf(ours);
    };
    const std::string wrong = firstWrong({
            {boot.magic == fw::kBootMagic, "magic", boot.magic, "\"BOOT\""},
            {boot.sizeBytes == sizeof(boot), "sizeBytes", boot.sizeBytes, "64"},
            {isMajor(boot.bootApiVersion, fw::kBootApiVersion), "bootApiVersion",
             boot.bootApiVersion, "major version 1"},
            {isMajor(boot.mailboxApiVersion, fw::kMailboxApiVersion), "mailboxApiVersion",
             boot.mailboxApiVersion, "major version 2"},
            {isMajor(boot.ringApiVersion, fw::kRingApiVersion), "ringApiVersion",
             boot.ringApiVersion, "major version 2"},
            {boot.commandStreamVersion == hw::kCommandStreamVersion, "commandStreamVersion",
             boot.commandStreamVersion, "COMMAND_STREAM_VERSION"},
            {boot.flags == 0, "flags", boot.flags, "0"},
            {boot.logBytes == 0 || isPowerOfTwoIn(boot.logBytes, 4096, 1 << 20), "logBytes",
             boot.logBytes, "0 or a power of two from 4 KiB to 1 MiB"},
            {boot.logBusAddress % 8 == 0, "logBusAddress", boot.logBusAddress, "a multiple of 8"},
            {boot.dumpBusAddress % 8 == 0, "dumpBusAddress", boot.dumpBusAddress,
             "a multiple of 8"},
    });
    if (!wrong.empty()) {
        report_.mistake(time, LintRule::kBadBootParameters,
                        registerName(regs::BootParametersLo::kSpec.offset), wrong);
    }
}

void LintProtocol::checkRingHeader(std::uint64_t time, std::uint32_t index, Ring& ring,
                                   std::span<const std::byte> data) {
    const auto header = valueAt<fw::RingHeader>(data);
    const std::string wrong = firstWrong({
            {header.magic == fw::kRingMagic, "magic", header.magic, "\"RING\""},
            {fw::majorOf(header.version) == fw::majorOf(fw::kRingApiVersion), "version",
             header.version, "major version 2"},
            {isPowerOfTwoIn(header.slotCount, 2, fw::kMaxRingSlots), "slotCount", header.slotCount,
             "a power of two from 2 to 256"},
            {isPowerOfTwoIn(header.completionCount, header.slotCount, fw::kMaxRingSlots),
             "completionCount", header.completionCount, "a power of two from slotCount to 256"},
            {header.tail - header.head <= header.slotCount, "tail", header.tail,
             "head to head + slotCount"},
    });
    if (!wrong.empty()) {
        report_.mistake(time, LintRule::kBadRingHeader, mailboxWord(kAddressWord),
                        fmt::format("ring {}: {}", index, wrong));
        return;
    }
    ring.slotCount = header.slotCount;
    ring.tail = header.tail;
}

void LintProtocol::checkSlot(std::uint64_t time, std::uint32_t index,
                             std::span<const std::byte> data) {
    const auto slot = valueAt<fw::JobSlot>(data);
    const bool isReserved = slot.reserved[0] != 0 || slot.reserved[1] != 0 || slot.reserved[2] != 0;
    const std::string wrong = firstWrong({
            {slot.jobId != 0, "jobId", slot.jobId, "another value"},
            {slot.commandAddress % 8 == 0, "commandAddress", slot.commandAddress,
             "a multiple of 8"},
            {slot.commandBytes != 0 && slot.commandBytes % 8 == 0, "commandBytes",
             slot.commandBytes, "a multiple of 8, not 0"},
            {slot.regionTableAddress % 8 == 0, "regionTableAddress", slot.regionTableAddress,
             "a multiple of 8"},
            {slot.regionCount >= 1 && slot.regionCount <= hw::kMaxRegions, "regionCount",
             slot.regionCount, "1 or more, within the limit"},
            {slot.flags == 0, "flags", slot.flags, "0"},
            {slot.commandStreamVersion == hw::kCommandStreamVersion, "commandStreamVersion",
             slot.commandStreamVersion, "COMMAND_STREAM_VERSION"},
            {slot.saveAddress % 64 == 0, "saveAddress", slot.saveAddress, "a multiple of 64"},
            {slot.level <= fw::kMaxLevel, "level", slot.level, "0 to 255"},
            {slot.clockLevel <= fw::kMaxClockLevel, "clockLevel", slot.clockLevel, "0 to 15"},
            {!isReserved, "reserved", 1, "0"},
    });
    if (!wrong.empty()) {
        report_.mistake(time, LintRule::kBadJobSlot, doorbell(index), wrong);
    }
}

void LintProtocol::checkTableEntry(std::uint64_t time, TablePage page, std::uint64_t address,
                                   std::span<const std::byte> data) {
    using Entry = hw::PageTableEntry;
    const auto entry = valueAt<std::uint64_t>(data);
    if ((entry & Entry::kValid) == 0) {
        return;
    }
    const bool isLast = page.level + 1 == hw::kTableLevels;
    const std::uint64_t known =
            Entry::kAddressMask | Entry::kValid | (isLast ? Entry::kWritable | Entry::kLarge : 0);
    if ((entry & ~known) != 0) {
        report_.mistake(time, LintRule::kBadTableEntry, mailboxWord(kAddressWord),
                        fmt::format("context {}, level {}, entry {:#x} at {:#x}", page.context,
                                    page.level, entry, address));
    }
    if (!isLast) {
        tables_[Entry::address(entry)] = {page.context, page.level + 1};
    }
}

std::string LintProtocol::placeOf(std::uint64_t address) const {
    if (address - bootAddress_ < sizeof(fw::BootParameters)) {
        return registerName(regs::BootParametersLo::kSpec.offset);
    }
    for (const auto& [index, ring] : rings_) {
        if (address - ring.address < fw::ringBytes(fw::kMaxRingSlots, fw::kMaxRingSlots)) {
            return doorbell(index);
        }
    }
    return tables_.contains(address / hw::kPageBytes * hw::kPageBytes) ? mailboxWord(kAddressWord)
                                                                       : "DMA";
}

void LintProtocol::busError(std::uint64_t time, std::uint64_t address, std::size_t bytes,
                            bool isWrite) {
    report_.mistake(
            time, LintRule::kDmaBusError, placeOf(address),
            fmt::format("{} of {} bytes at {:#x}", isWrite ? "write" : "read", bytes, address));
}

}  // namespace vnpu::sim
