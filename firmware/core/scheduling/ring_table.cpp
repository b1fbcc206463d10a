// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/ring_table.h"

#include <algorithm>
#include <bit>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::fw {
namespace {

constexpr std::uint32_t kPhysical = hw::ControllerPort::kPhysical;

bool isCount(std::uint32_t count) {
    return count >= 2 && count <= kMaxRingSlots && std::has_single_bit(count);
}

/// Whether the driver's fields are valid and the counters match them.
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
    ring.isSuspended = false;
    ring.headJob = {};
    ring.aborted.reset();
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
    const bool takesBackStarted = tail == ring.head && ring.firstFree() != ring.head;
    if (!ring.exists || tail - ring.head > ring.slotCount || takesBackStarted) {
        log_.add(LogEvent::kBadDoorbell, index, tail);
        // No further job of the ring runs until a doorbell has a valid value.
        setTail(ring, ring.firstFree());
        return;
    }
    setTail(ring, tail);
}

void RingTable::setTail(Ring& ring, std::uint32_t tail) {
    if (tail == ring.tail) {
        return;
    }
    const std::uint64_t now = readCycles(port_);
    // A tail that moves back withdraws jobs; the remaining ones were seen before.
    const bool isNew = tail - ring.head > ring.tail - ring.head;
    for (std::uint32_t i = ring.tail; isNew && i != tail; ++i) {
        ring.queuedCycles[i % ring.slotCount] = now;
    }
    for (std::uint32_t i = tail; !isNew && i != ring.tail; ++i) {
        ring.aborted.reset(i % ring.slotCount);
    }
    if (tail == ring.head) {
        ring.headJob.isKnown = false;
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

RingTable::State RingTable::stateOf(std::uint32_t index) {
    Ring& ring = rings_[index];
    if (!ring.exists || ring.isSuspended || ring.head == ring.tail) {
        return State::kEmpty;
    }
    return hasCompletionSpace(ring) ? State::kReady : State::kStalled;
}

HeadJob& RingTable::head(std::uint32_t index) {
    Ring& ring = rings_[index];
    HeadJob& head = ring.headJob;
    if (!head.isKnown) {
        head = {};
        head.isKnown = true;
        head.job.ring = index;
        head.job.context = ring.context;
        head.job.queuedCycle = ring.queuedCycles[ring.head % ring.slotCount];
        head.job.slotStatus =
                readValue(port_, kPhysical, slotAddress(ring, ring.head), head.job.slot);
    }
    return head;
}

HeadJob* RingTable::findKept(std::uint64_t blocks, std::uint32_t ring) {
    const auto found = std::ranges::find_if(rings_, [&](const Ring& one) {
        return one.headJob.job.ring != ring && (one.headJob.progress.kept.blocks & blocks) != 0;
    });
    return found == rings_.end() ? nullptr : &found->headJob;
}

std::uint64_t RingTable::keptBlocks() const {
    std::uint64_t blocks = 0;
    for (const Ring& ring : rings_) {
        blocks |= ring.headJob.progress.kept.blocks;
    }
    return blocks;
}

std::uint64_t RingTable::slotAddress(const Ring& ring, std::uint32_t counter) {
    return ring.address + sizeof(RingHeader) +
           std::uint64_t{counter % ring.slotCount} * sizeof(JobSlot);
}

bool RingTable::abortJob(std::uint32_t index, std::uint64_t jobId) {
    Ring& ring = rings_[index];
    for (std::uint32_t counter = ring.head; counter != ring.tail; ++counter) {
        port_.charge(kAbortSearchCycles);
        std::uint64_t id = 0;
        const std::uint64_t place = slotAddress(ring, counter) + offsetof(JobSlot, jobId);
        if (counter == ring.head && ring.headJob.isKnown) {
            id = ring.headJob.job.slot.jobId;
        } else if (readValue(port_, kPhysical, place, id) != hw::JobStatus::kOk) {
            return false;
        }
        if (id == jobId) {
            ring.aborted.set(counter % ring.slotCount);
            return true;
        }
    }
    return false;
}

void RingTable::completeAborted(std::uint32_t runningRing) {
    for (std::uint32_t index = 0; index < regs::kRingCount; ++index) {
        Ring& ring = rings_[index];
        while (index != runningRing && ring.exists && ring.head != ring.tail &&
               ring.aborted[ring.head % ring.slotCount] && hasCompletionSpace(ring)) {
            abortHead(index);
        }
    }
}

std::uint32_t RingTable::destroy(std::uint32_t index) {
    Ring& ring = rings_[index];
    std::uint32_t aborted = 0;
    for (; ring.head != ring.tail; ++aborted) {
        abortHead(index);
    }
    ring.exists = false;
    ring.isAborting = false;
    return aborted;
}

void RingTable::abortHead(std::uint32_t index) {
    JobProgress& progress = head(index).progress;
    JobResult result;
    result.status = hw::JobStatus::kAborted;
    result.endCycle = readCycles(port_);
    if (!progress.hasStarted) {
        progress.startCycle = result.endCycle;
    }
    complete(index, result);
}

void RingTable::complete(std::uint32_t index, const JobResult& result) {
    port_.charge(kCompletionCycles);
    Ring& ring = rings_[index];
    const Job& job = ring.headJob.job;
    const JobProgress& progress = ring.headJob.progress;
    CompletionRecord record{};
    record.jobId = job.slot.jobId;
    record.fenceValue = job.slot.fenceValue;
    record.status = result.status;
    record.failingCommand = result.failingCommand;
    record.queuedCycle = job.queuedCycle;
    record.startCycle = progress.startCycle;
    record.endCycle = result.endCycle;
    record.faultAddress = result.faultAddress;
    record.commandCount = progress.commandCount;
    record.failingEngine = result.failingEngine;
    record.preemptions = progress.preemptions;
    record.restarts = progress.restarts;
    record.savedBytes = progress.savedBytes;
    record.reloadedBytes = progress.reloadedBytes;
    record.switchCycles = progress.switchCycles;
    record.wastedCycles = progress.wastedCycles;
    record.executedCycles = progress.executedCycles;
    record.contextStatus = progress.contextStatus;
    record.contextEngine = progress.contextEngine;
    ring.aborted.reset(ring.head % ring.slotCount);
    ring.headJob.isKnown = false;
    ring.headJob.progress = {};
    ++ring.head;
    writeCompletion(ring, record);
    writeRegister<regs::IrqRaise>(port_, regs::IrqStatus::kJobDone.mask());
}

void RingTable::writeCompletion(Ring& ring, CompletionRecord record) {
    record.checksum = checksumOf(record);
    // A free record can only be missing while a ring is destroyed; the reply reports these jobs to
    // the driver.
    if (hasCompletionSpace(ring)) {
        const std::uint32_t index = ring.completionTail % ring.completionCount;
        const std::uint64_t place = ring.address + sizeof(RingHeader) +
                                    std::uint64_t{ring.slotCount} * sizeof(JobSlot) +
                                    std::uint64_t{index} * sizeof(CompletionRecord);
        (void)writeValue(port_, kPhysical, place, record);
        ++ring.completionTail;
    }
    // The driver reads a record after its counters change, so they come last: record, fence, then
    // head and completionTail, which are adjacent, in one write.
    (void)writeValue(port_, kPhysical, ring.address + offsetof(RingHeader, fenceValue),
                     record.fenceValue);
    static_assert(offsetof(RingHeader, completionTail) == offsetof(RingHeader, head) + 4);
    const std::uint32_t counters[2] = {ring.head, ring.completionTail};
    (void)writeValue(port_, kPhysical, ring.address + offsetof(RingHeader, head), counters);
}

}  // namespace vnpu::fw
