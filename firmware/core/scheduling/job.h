// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/job_ring.h"
#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/scheduling/kept_context.h"
#include "hw_model/regs/sram_blocks.h"
#include "hw_model/regs/status.h"

namespace vnpu::fw {

/// A job as it was taken from its ring.
struct Job {
    std::uint32_t ring = 0;
    std::uint32_t context = 0;
    JobSlot slot{};
    hw::JobStatus slotStatus = hw::JobStatus::kOk;  // of the read of the slot
    std::uint64_t queuedCycle = 0;

    /// The SRAM that it uses (sram_blocks.h).
    std::uint64_t sramBlocks() const {
        return slot.sramBlocks == 0 ? hw::kAllSramBlocks : slot.sramBlocks;
    }
};

/// The progress of a job over all its turns on the device.
struct JobProgress {
    bool hasStarted = false;
    bool isSaved = false;  // its context is in its save area, except the part kept on the chip;
                           // otherwise it starts from the beginning
    KeptContext kept;
    /// Why its save area failed, and at which engine; the area is not used again.
    hw::JobStatus contextStatus = hw::JobStatus::kOk;
    std::uint32_t contextEngine = kNoEngine;
    std::uint32_t commandCount = 0;
    std::uint32_t preemptions = 0;
    std::uint32_t restarts = 0;
    std::uint64_t startCycle = 0;
    std::uint64_t runStartCycle = 0;          // of the current turn, after the restore
    std::uint64_t executedCycles = 0;         // of the earlier turns
    std::uint64_t restoredAt = kNeverCycles;  // executedCycles when its last restore began
    bool isRestoredAgain = false;             // it left its last restore, and executed nothing
    std::uint64_t attemptCycles = 0;  // of these, since the job last started from the beginning
    std::uint64_t savedBytes = 0;
    std::uint64_t reloadedBytes = 0;
    std::uint64_t switchCycles = 0;
    std::uint64_t wastedCycles = 0;
    std::uint64_t contextBytes = 0;  // to save at the last checkpoint; 0: none yet
    std::uint64_t reloadBytes = 0;   // to load again after it
};

/// The job at the head of a ring, the only job of the ring that may have started.
struct HeadJob {
    bool isKnown = false;  // its slot was read
    Job job;
    JobProgress progress;

    bool canBeSaved() const {
        return job.slot.saveAddress != 0 && progress.contextStatus == hw::JobStatus::kOk;
    }
};

/// How a job ended.
struct JobResult {
    hw::JobStatus status = hw::JobStatus::kOk;
    std::uint32_t failingCommand = kNoCommand;
    std::uint32_t failingEngine = kNoEngine;
    bool isDeviceStuck = false;  // an engine is still busy although it was stopped
    std::uint64_t endCycle = 0;
    std::uint64_t faultAddress = 0;
};

}  // namespace vnpu::fw
