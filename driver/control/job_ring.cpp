// SPDX-License-Identifier: Apache-2.0
#include "driver/control/job_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "driver/port/register_access.h"
#include "firmware/api/boot.h"

namespace vnpu::driver {

Result<std::unique_ptr<JobRing>> JobRing::create(DevicePort& port, LiveCounters& counters,
                                                 std::uint32_t index) {
    VNPU_TRY_ASSIGN(auto memory,
                    DmaAllocation::create(port, counters, fw::ringBytes(kSlots, kCompletions)));
    return std::unique_ptr<JobRing>(new JobRing(port, counters, index, std::move(memory)));
}

JobRing::JobRing(DevicePort& port, LiveCounters& counters, std::uint32_t index,
                 DmaAllocation memory)
    : port_(port),
      index_(index),
      life_(counters.liveRings),
      memory_(std::move(memory)),
      hasRoom_(port.createEvent()) {
    writeHeader();
}

/// Writes the whole header, for a firmware that has not seen the ring.
void JobRing::writeHeader() {
    fw::RingHeader start{};
    start.magic = fw::kRingMagic;
    start.version = fw::kRingApiVersion;
    start.slotCount = kSlots;
    start.completionCount = kCompletions;
    start.tail = tail_;
    start.head = start.completionTail = start.completionHead = completionHead_;
    std::memcpy(memory_.bytes().data(), &start, sizeof(start));
}

Result<void> JobRing::submit(const fw::JobSlot& slot) {
    for (;;) {
        {
            const MutexLock guard(mutex_);
            if (isShutDown_) {
                return fail(ErrorStatus::DEVICE_UNAVAILABLE, "the device is out of order");
            }
            if (tail_ - completionHead_ < kSlots) {
                slotAt(tail_) = slot;
                jobs_.push_back(slot);
                ++tail_;
                std::atomic_ref(header().tail).store(tail_, std::memory_order_release);
                // A posted write takes no time; under the lock, so that the doorbell never sees
                // tails out of order.
                if (!isSettled_) {  // otherwise resume() announces the job
                    writeRegister<hw::regs::Doorbell>(port_, tail_, index_);
                }
                return {};
            }
            hasRoom_->reset();  // under the lock: collect() cannot make room unnoticed in between
        }
        hasRoom_->wait();
    }
}

std::uint32_t JobRing::writtenRecords() const {
    const std::uint32_t written =
            std::atomic_ref(header().completionTail).load(std::memory_order_acquire);
    const bool isSane = written - completionHead_ <= tail_ - completionHead_;
    return isSane ? written : completionHead_;  // otherwise there would be more records than jobs
}

std::optional<std::uint32_t> JobRing::oldestRecord() {
    const MutexLock guard(mutex_);
    return writtenRecords() == completionHead_ ? std::nullopt : std::optional(completionHead_);
}

std::vector<JobCompletion> JobRing::collect() {
    std::vector<JobCompletion> completions;
    {
        const MutexLock guard(mutex_);
        const std::uint32_t written = writtenRecords();
        while (completionHead_ != written) {
            completions.push_back(check(recordAt(completionHead_)));
            ++completionHead_;
        }
        std::atomic_ref(header().completionHead).store(completionHead_, std::memory_order_release);
    }
    if (!completions.empty()) {
        hasRoom_->set();
    }
    return completions;
}

JobCompletion JobRing::check(const fw::CompletionRecord& record) {
    JobCompletion completion{record, index_, {}};
    auto job = std::find_if(jobs_.begin(), jobs_.end(),
                            [&](const fw::JobSlot& slot) { return slot.jobId == record.jobId; });
    if (record.checksum != fw::checksumOf(record)) {
        completion.doubt = fmt::format("checksum is {:#x}, expected {:#x}", record.checksum,
                                       fw::checksumOf(record));
    } else if (job == jobs_.end()) {
        completion.doubt = fmt::format("job {} is not in this ring", record.jobId);
    } else if (record.fenceValue != job->fenceValue) {
        completion.doubt =
                fmt::format("fence is {}, expected {}", record.fenceValue, job->fenceValue);
    } else if (record.endCycle < record.startCycle) {
        completion.doubt = fmt::format("job {} ended at cycle {}, before its start at {}",
                                       record.jobId, record.endCycle, record.startCycle);
    } else if (hw::jobStatusName(record.status) == "?") {
        completion.doubt = fmt::format("status is {}", static_cast<std::uint32_t>(record.status));
    } else if (hw::jobStatusName(record.contextStatus) == "?") {
        completion.doubt = fmt::format("status of its context is {}",
                                       static_cast<std::uint32_t>(record.contextStatus));
    }
    const bool isNamed = job != jobs_.end() && record.fenceValue == job->fenceValue;
    if (!isNamed) {
        job = jobs_.begin();  // a ring's jobs end in order unless they are aborted
    }
    completion.record.jobId = job == jobs_.end() ? 0 : job->jobId;
    if (job != jobs_.end()) {
        jobs_.erase(job);
    }
    return completion;
}

std::size_t JobRing::settle(std::uint64_t endedJob) {
    std::size_t left = 0;
    {
        const MutexLock guard(mutex_);
        std::erase_if(jobs_,
                      [endedJob](const fw::JobSlot& slot) { return slot.jobId == endedJob; });
        left = jobs_.size();
        completionHead_ = tail_ - static_cast<std::uint32_t>(left);
        for (std::size_t i = 0; i < left; ++i) {
            slotAt(completionHead_ + static_cast<std::uint32_t>(i)) = jobs_[i];
        }
        writeHeader();
        isSettled_ = true;
    }
    hasRoom_->set();
    return left;
}

fw::RingHeader JobRing::headerNow() {
    const MutexLock guard(mutex_);
    return header();
}

void JobRing::resume() {
    {
        const MutexLock guard(mutex_);
        isSettled_ = false;
    }
    ringDoorbell();
}

void JobRing::ringDoorbell() {
    const MutexLock guard(mutex_);
    if (!isSettled_) {
        writeRegister<hw::regs::Doorbell>(port_, tail_, index_);
    }
}

void JobRing::shutDown() {
    {
        const MutexLock guard(mutex_);
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
