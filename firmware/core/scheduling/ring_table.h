// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "firmware/api/job_ring.h"
#include "firmware/api/mailbox.h"
#include "firmware/api/state_dump.h"
#include "firmware/core/base/log_ring.h"
#include "firmware/core/scheduling/job.h"
#include "hw_model/regs/controller_port.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw {

/// The job rings: creation, doorbells, the jobs at their heads, completion records.
///
/// A ring whose completion ring is full provides no job until the driver has read a record, so that
/// there is room for each completion and a slow reader delays no other ring.
class RingTable {
  public:
    RingTable(hw::ControllerPort& port, LogRing& log) : port_(port), log_(log) {}

    bool exists(std::uint32_t ring) const {
        return ring < hw::regs::kRingCount && rings_[ring].exists;
    }
    bool isContextUsed(std::uint32_t context) const;
    RingDump describe(std::uint32_t ring) const {
        const Ring& one = rings_[ring];
        return {one.exists ? 1U : 0U, one.context, one.head, one.tail};
    }

    struct CreateOptions {
        std::uint32_t ring;
        std::uint32_t context;
        std::uint32_t band;
        std::uint64_t address;
    };

    /// Opens a ring with the counters of its header; the jobs that it already holds may run at
    /// once. kBadRing for an index out of range or in use and for a bad header.
    MessageStatus create(const CreateOptions& options);

    /// Asks the job that runs from `ring`, if any, to end with kAborted.
    void requestAbort(std::uint32_t ring) { rings_[ring].isAborting = true; }

    /// Whether the job at the head of `ring` must end with kAborted.
    bool isAborting(std::uint32_t ring) const {
        const Ring& one = rings_[ring];
        return one.isAborting || one.aborted[one.head % one.slotCount];
    }

    /// Makes a job end with kAborted: immediately if it is the first of its ring, else when it
    /// becomes the first. False if the ring has no such job.
    bool abortJob(std::uint32_t ring, std::uint64_t jobId);

    /// Completes the jobs at the heads of all rings but `runningRing` that must end with kAborted.
    void completeAborted(std::uint32_t runningRing);

    /// A suspended ring provides no job.
    void setSuspended(std::uint32_t ring, bool isSuspended) {
        rings_[ring].isSuspended = isSuspended;
    }
    bool isSuspended(std::uint32_t ring) const { return rings_[ring].isSuspended; }

    /// Ends the queued jobs with kAborted, closes the ring and returns the number of these jobs.
    /// None of the ring's jobs may be running.
    std::uint32_t destroy(std::uint32_t ring);

    /// Reads the new tails of the rings whose doorbells were rung.
    void readDoorbells();

    enum class State {
        kEmpty,    // or suspended
        kStalled,  // its job waits for a free completion record
        kReady,
    };
    State stateOf(std::uint32_t ring);

    /// The number of jobs that the ring has provided.
    std::uint32_t sequenceOf(std::uint32_t ring) const { return rings_[ring].head; }
    std::uint32_t bandOf(std::uint32_t ring) const { return rings_[ring].band; }
    std::uint32_t contextOf(std::uint32_t ring) const { return rings_[ring].context; }
    std::uint64_t arrivalOf(std::uint32_t ring) const {
        return rings_[ring].queuedCycles[rings_[ring].head % rings_[ring].slotCount];
    }

    /// The job at the head of a ring that has one; its slot is read once.
    HeadJob& head(std::uint32_t ring);

    /// A preempted job that has kept something in `blocks` of SRAM, of a ring other than `ring`;
    /// null if there is none.
    HeadJob* findKept(std::uint64_t blocks, std::uint32_t ring);

    /// The SRAM in which any preempted job has kept something.
    std::uint64_t keptBlocks() const;

    /// Writes the completion of the job at the ring's head, frees its slot and raises JOB_DONE.
    void complete(std::uint32_t ring, const JobResult& result);

  private:
    struct Ring {
        bool exists = false;
        bool isAborting = false;  // all its jobs
        bool isSuspended = false;
        std::uint32_t context = 0;
        std::uint32_t band = 0;
        std::uint32_t slotCount = 0;
        std::uint32_t completionCount = 0;
        std::uint32_t head = 0;
        std::uint32_t tail = 0;
        std::uint32_t completionTail = 0;
        std::uint32_t completionHead = 0;  // as last read
        std::uint64_t address = 0;
        HeadJob headJob;
        std::bitset<kMaxRingSlots> aborted;                       // by slot: the job must end
        std::array<std::uint64_t, kMaxRingSlots> queuedCycles{};  // by slot: its doorbell was seen

        /// The first job that the driver can still withdraw.
        std::uint32_t firstFree() const { return head + (headJob.progress.hasStarted ? 1 : 0); }
    };

    void setTail(Ring& ring, std::uint32_t tail);
    void takeDoorbell(std::uint32_t index, std::uint32_t tail);
    bool hasCompletionSpace(Ring& ring);
    static std::uint64_t slotAddress(const Ring& ring, std::uint32_t counter);
    void abortHead(std::uint32_t index);
    void writeCompletion(Ring& ring, CompletionRecord record);
    MessageStatus readHeader(const CreateOptions& options, RingHeader& header);

    hw::ControllerPort& port_;
    LogRing& log_;
    std::array<Ring, hw::regs::kRingCount> rings_;
};

}  // namespace vnpu::fw
