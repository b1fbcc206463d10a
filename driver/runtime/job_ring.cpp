// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/job_ring.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "driver/port/register_access.h"
#include "firmware/api/boot.h"

namespace vnpu::driver {

Result<std::unique_ptr<JobRing>> JobRing::create(DevicePort& port, LiveCounters& counters,
                                                 std::uint32_t index) {
    auto memory = DmaAllocation::create(port, counters, fw::ringBytes(kSlots, kCompletions));
    if (!memory) {
        return tl::unexpected(std::move(memory.error()));
    }
    return std::unique_ptr<JobRing>(new JobRing(port, counters, index, std::move(*memory)));
}

JobRing::JobRing(DevicePort& port, LiveCounters& counters, std::uint32_t index,
                 DmaAllocation memory)
    : port_(port),
      index_(index),
      life_(counters.liveRings),
      memory_(std::move(memory)),
      hasRoom_(port.createEvent()) {
    fw::RingHeader start{};
    start.magic = fw::kRingMagic;
    start.version = fw::kRingApiVersion;
    start.slotCount = kSlots;
    start.completionCount = kCompletions;
    std::memcpy(memory_.bytes().data(), &start, sizeof(start));
}

Result<void> JobRing::submit(fw::JobSlot slot) {
    bool isShutDown = false;
    while (!trySubmit(slot, isShutDown)) {
        if (isShutDown) {
            return fail(ErrorStatus::DEVICE_UNAVAILABLE, "the device is out of order");
        }
        hasRoom_->wait();
    }
    return {};
}

bool JobRing::trySubmit(const fw::JobSlot& slot, bool& isShutDown) {
    const std::lock_guard guard(mutex_);
    isShutDown = isShutDown_;
    if (isShutDown) {
        return false;
    }
    if (tail_ - completionHead_ >= kSlots) {
        hasRoom_->reset();  // under the lock: collect() cannot make room unnoticed in between
        return false;
    }
    slotAt(tail_) = slot;
    ++tail_;
    std::atomic_ref(header().tail).store(tail_, std::memory_order_release);
    // A posted write takes no time; under the lock, so that the doorbell never sees tails out of
    // order.
    writeRegister<hw::regs::Doorbell>(port_, tail_, index_);
    return true;
}

std::vector<fw::CompletionRecord> JobRing::collect() {
    std::vector<fw::CompletionRecord> records;
    {
        const std::lock_guard guard(mutex_);
        const std::uint32_t written =
                std::atomic_ref(header().completionTail).load(std::memory_order_acquire);
        if (written - completionHead_ > tail_ - completionHead_) {
            return records;  // more records than jobs
        }
        while (completionHead_ != written) {
            records.push_back(recordAt(completionHead_));
            ++completionHead_;
        }
        std::atomic_ref(header().completionHead).store(completionHead_, std::memory_order_release);
    }
    if (!records.empty()) {
        hasRoom_->set();
    }
    return records;
}

void JobRing::shutDown() {
    {
        const std::lock_guard guard(mutex_);
        isShutDown_ = true;
    }
    hasRoom_->set();
}

fw::RingHeader& JobRing::header() const {
    return *reinterpret_cast<fw::RingHeader*>(memory_.bytes().data());
}

fw::JobSlot& JobRing::slotAt(std::uint32_t counter) const {
    auto* slots = reinterpret_cast<fw::JobSlot*>(memory_.bytes().data() + sizeof(fw::RingHeader));
    return slots[counter % kSlots];
}

const fw::CompletionRecord& JobRing::recordAt(std::uint32_t counter) const {
    const auto* records = reinterpret_cast<const fw::CompletionRecord*>(
            memory_.bytes().data() + sizeof(fw::RingHeader) + kSlots * sizeof(fw::JobSlot));
    return records[counter % kCompletions];
}

}  // namespace vnpu::driver
