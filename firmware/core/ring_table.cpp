// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/ring_table.h"

#include <algorithm>
#include <bit>

#include "firmware/core/cycle_costs.h"
#include "firmware/core/register_io.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::fw {
namespace {

constexpr std::uint32_t kPhysical = hw::ControllerPort::kPhysical;

bool isCount(std::uint32_t count) {
    return count >= 2 && count <= kMaxRingSlots && std::has_single_bit(count);
}

/// What the driver wrote once, and counters that fit it.
bool isHeaderSane(const RingHeader& header) {
    return header.magic == kRingMagic && isCount(header.slotCount) &&
           isCount(header.completionCount) && header.completionCount >= header.slotCount &&
           header.tail - header.head <= header.slotCount &&
           header.completionTail - header.completionHead <= header.completionCount &&
           std::ranges::all_of(header.reserved, [](std::uint64_t word) { return word == 0; });
}

bool isRingPlace(std::uint64_t address, std::uint64_t sizeBytes) {
    return address != 0 && address % hw::kPageBytes == 0 &&
           address <= (1ULL << hw::kBusAddressBits) - sizeBytes;
}

}  // namespace

bool RingTable::isContextUsed(std::uint32_t context) const {
    return std::ranges::any_of(
            rings_, [&](const Ring& ring) { return ring.exists && ring.context == context; });
}

MessageStatus RingTable::create(const CreateOptions& options) {
    if (options.ring >= regs::kRingCount || rings_[options.ring].exists) {
        return MessageStatus::kBadRing;
    }
    if (options.band >= kBandCount) {
        return MessageStatus::kBadPriority;
    }
    RingHeader header{};
    const MessageStatus status = readHeader(options, header);
    if (status != MessageStatus::kOk) {
        return status;
    }
    Ring& ring = rings_[options.ring];
    ring.exists = true;
    ring.isAborting = false;
    ring.context = options.context;
    ring.band = options.band;
    ring.slotCount = header.slotCount;
    ring.completionCount = header.completionCount;
    ring.head = header.head;
    ring.tail = header.head;
    ring.completionTail = header.completionTail;
    ring.completionHead = header.completionHead;
    ring.address = options.address;
    setTail(ring, header.tail);
    return MessageStatus::kOk;
}

MessageStatus RingTable::readHeader(const CreateOptions& options, RingHeader& header) {
    if (!isRingPlace(options.address, sizeof(header)) ||
        readValue(port_, kPhysical, options.address, header) != hw::JobStatus::kOk) {
        return MessageStatus::kBadAddress;
    }
    if (header.magic == kRingMagic && majorOf(header.version) != majorOf(kRingApiVersion)) {
        return MessageStatus::kBadVersion;
    }
    if (!isHeaderSane(header)) {
        return MessageStatus::kBadRing;
    }
    const std::uint64_t sizeBytes = ringBytes(header.slotCount, header.completionCount);
    std::uint64_t lastWord = 0;
    if (!isRingPlace(options.address, sizeBytes) ||
        readValue(port_, kPhysical, options.address + sizeBytes - sizeof(lastWord), lastWord) !=
                hw::JobStatus::kOk) {
        return MessageStatus::kBadAddress;
    }
    return MessageStatus::kOk;
}

void RingTable::readDoorbells() {
    const std::uint32_t rung = readRegister<regs::DoorbellPending>(port_);
    if (rung == 0) {
        return;
    }
    writeRegister<regs::DoorbellPending>(port_, rung);
    for (std::uint32_t index = 0; index < regs::kRingCount; ++index) {
        if ((rung & (1U << index)) != 0) {
            port_.charge(kDoorbellCycles);
            takeDoorbell(index, readRegister<regs::DoorbellValue>(port_, index));
        }
    }
}

void RingTable::takeDoorbell(std::uint32_t index, std::uint32_t tail) {
    Ring& ring = rings_[index];
    if (!ring.exists || tail - ring.head > ring.slotCount) {
        log_.add(LogEvent::kBadDoorbell, index, tail);
        ring.tail = ring.head;  // nothing runs from it until a doorbell makes sense again
        return;
    }
    setTail(ring, tail);
}

void RingTable::setTail(Ring& ring, std::uint32_t tail) {
    if (tail == ring.tail) {
        return;
    }
    const std::uint64_t now = readCycles(port_);
    // A tail that went back takes jobs back; the ones that remain were seen before.
    const bool isNew = tail - ring.head > ring.tail - ring.head;
    for (std::uint32_t i = ring.tail; isNew && i != tail; ++i) {
        ring.queuedCycles[i % ring.slotCount] = now;
    }
    ring.tail = tail;
}

bool RingTable::hasCompletionSpace(Ring& ring) {
    if (ring.completionTail - ring.completionHead < ring.completionCount) {
        return true;
    }
    std::uint32_t head = 0;
    const std::uint64_t place = ring.address + offsetof(RingHeader, completionHead);
    if (readValue(port_, kPhysical, place, head) != hw::JobStatus::kOk) {
        return false;
    }
    // A head that lies outside the ring makes the difference large, so that the ring counts as
    // full.
    ring.completionHead = head;
    return ring.completionTail - head < ring.completionCount;
}

bool RingTable::pick(Job& job) {
    port_.charge(kPickCycles);
    isStalled_ = false;
    for (std::uint32_t band = kBandCount; band-- > 0;) {
        for (std::uint32_t i = 1; i <= regs::kRingCount; ++i) {
            const std::uint32_t index = (lastPicked_[band] + i) % regs::kRingCount;
            Ring& ring = rings_[index];
            if (!ring.exists || ring.band != band || ring.head == ring.tail) {
                continue;
            }
            if (!hasCompletionSpace(ring)) {
                isStalled_ = true;
                continue;
            }
            lastPicked_[band] = index;
            take(index, job);
            return true;
        }
    }
    return false;
}

void RingTable::take(std::uint32_t index, Job& job) {
    const Ring& ring = rings_[index];
    const std::uint32_t slot = ring.head % ring.slotCount;
    job = {};
    job.ring = index;
    job.context = ring.context;
    job.queuedCycle = ring.queuedCycles[slot];
    job.slotStatus = readValue(
            port_, kPhysical, ring.address + sizeof(RingHeader) + slot * sizeof(JobSlot), job.slot);
}

std::uint32_t RingTable::destroy(std::uint32_t index) {
    Ring& ring = rings_[index];
    std::uint32_t aborted = 0;
    for (; ring.head != ring.tail; ++aborted) {
        Job job;
        take(index, job);
        JobResult result;
        result.status = hw::JobStatus::kAborted;
        result.startCycle = result.endCycle = readCycles(port_);
        complete(job, result);
    }
    ring.exists = false;
    ring.isAborting = false;
    return aborted;
}

void RingTable::complete(const Job& job, const JobResult& result) {
    port_.charge(kCompletionCycles);
    CompletionRecord record{};
    record.jobId = job.slot.jobId;
    record.fenceValue = job.slot.fenceValue;
    record.status = result.status;
    record.failingCommand = result.failingCommand;
    record.queuedCycle = job.queuedCycle;
    record.startCycle = result.startCycle;
    record.endCycle = result.endCycle;
    record.faultAddress = result.faultAddress;
    record.commandCount = result.commandCount;
    Ring& ring = rings_[job.ring];
    ++ring.head;
    writeCompletion(ring, record);
    writeRegister<regs::IrqRaise>(port_, regs::IrqStatus::kJobDone.mask());
}

void RingTable::writeCompletion(Ring& ring, const CompletionRecord& record) {
    // Only the end of a ring that is being destroyed can find no place: the driver hears of those
    // jobs by the reply.
    if (hasCompletionSpace(ring)) {
        const std::uint32_t index = ring.completionTail % ring.completionCount;
        const std::uint64_t place = ring.address + sizeof(RingHeader) +
                                    std::uint64_t{ring.slotCount} * sizeof(JobSlot) +
                                    std::uint64_t{index} * sizeof(CompletionRecord);
        (void)writeValue(port_, kPhysical, place, record);
        ++ring.completionTail;
    }
    // The counters tell the driver to look, so they come last: record, fence, then head and
    // completionTail, which lie side by side, in one write.
    (void)writeValue(port_, kPhysical, ring.address + offsetof(RingHeader, fenceValue),
                     record.fenceValue);
    static_assert(offsetof(RingHeader, completionTail) == offsetof(RingHeader, head) + 4);
    const std::uint32_t counters[2] = {ring.head, ring.completionTail};
    (void)writeValue(port_, kPhysical, ring.address + offsetof(RingHeader, head), counters);
}

}  // namespace vnpu::fw
