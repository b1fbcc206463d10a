// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/api/job_ring.h"
#include "firmware/api/mailbox.h"
#include "firmware/core/log_ring.h"
#include "hw_model/regs/controller_port.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw {

inline constexpr std::uint32_t kBandCount = 4;

/// A job as it was taken from its ring.
struct Job {
    std::uint32_t ring = 0;
    std::uint32_t context = 0;
    JobSlot slot{};
    hw::JobStatus slotStatus = hw::JobStatus::kOk;  // of the read of the slot
    std::uint64_t queuedCycle = 0;
};

/// How a job ended.
struct JobResult {
    hw::JobStatus status = hw::JobStatus::kOk;
    std::uint32_t failingCommand = kNoCommand;
    std::uint64_t startCycle = 0;
    std::uint64_t endCycle = 0;
    std::uint64_t faultAddress = 0;
    std::uint32_t commandCount = 0;

    static constexpr std::uint32_t kNoCommand = 0xFFFFFFFF;
};

/// The job rings: creation, doorbells, choice of the next job, completion records.
///
/// A ring whose completion ring has no free record gives no job until the driver has read one, so
/// that a completion always finds its place and a slow reader holds up nobody else.
class RingTable {
  public:
    RingTable(hw::ControllerPort& port, LogRing& log) : port_(port), log_(log) {}

    bool exists(std::uint32_t ring) const {
        return ring < hw::regs::kRingCount && rings_[ring].exists;
    }
    bool isContextUsed(std::uint32_t context) const;

    struct CreateOptions {
        std::uint32_t ring;
        std::uint32_t context;
        std::uint32_t band;
        std::uint64_t address;
    };

    /// Takes over a ring with the counters of its header; jobs that already stand in it are due at
    /// once. kBadRing for an index out of range or in use and for a bad header.
    MessageStatus create(const CreateOptions& options);

    /// Asks the job that runs from `ring`, if any, to end with kAborted.
    void requestAbort(std::uint32_t ring) { rings_[ring].isAborting = true; }
    bool isAborting(std::uint32_t ring) const { return rings_[ring].isAborting; }

    /// Ends the queued jobs with kAborted and forgets the ring; the number of those jobs. Nothing
    /// may run from it.
    std::uint32_t destroy(std::uint32_t ring);

    /// Takes the new tails from the rung doorbells.
    void readDoorbells();

    /// The next job: highest band first, the rings of a band in turn. False if there is none that
    /// may run.
    bool pick(Job& job);

    /// Whether the last pick() passed over a ring only because its completion ring is full.
    bool isStalled() const { return isStalled_; }

    /// Writes the completion of the job at the ring's head, frees its slot and raises JOB_DONE.
    void complete(const Job& job, const JobResult& result);

  private:
    static constexpr std::uint32_t kLastRing = hw::regs::kRingCount - 1;

    struct Ring {
        bool exists = false;
        bool isAborting = false;
        std::uint32_t context = 0;
        std::uint32_t band = 0;
        std::uint32_t slotCount = 0;
        std::uint32_t completionCount = 0;
        std::uint32_t head = 0;
        std::uint32_t tail = 0;
        std::uint32_t completionTail = 0;
        std::uint32_t completionHead = 0;  // as last read
        std::uint64_t address = 0;
        std::array<std::uint64_t, kMaxRingSlots> queuedCycles{};  // by slot: its doorbell was seen
    };

    void setTail(Ring& ring, std::uint32_t tail);
    void takeDoorbell(std::uint32_t index, std::uint32_t tail);
    bool hasCompletionSpace(Ring& ring);
    void take(std::uint32_t index, Job& job);
    void writeCompletion(Ring& ring, const CompletionRecord& record);
    MessageStatus readHeader(const CreateOptions& options, RingHeader& header);

    hw::ControllerPort& port_;
    LogRing& log_;
    std::array<Ring, hw::regs::kRingCount> rings_;
    std::array<std::uint32_t, kBandCount> lastPicked_ = {kLastRing, kLastRing, kLastRing,
                                                         kLastRing};
    bool isStalled_ = false;
};

}  // namespace vnpu::fw
