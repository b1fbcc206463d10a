// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/core/base/log_ring.h"
#include "firmware/core/host/state_dumper.h"
#include "firmware/core/jobs/command_fetcher.h"
#include "firmware/core/jobs/context_mover.h"
#include "firmware/core/jobs/dispatcher.h"
#include "firmware/core/jobs/loop_clock.h"
#include "firmware/core/jobs/region_table.h"
#include "firmware/core/scheduling/job.h"
#include "firmware/core/scheduling/ring_table.h"
#include "firmware/core/scheduling/scheduler.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// How a job's turn on the device ended.
enum class TurnEnd {
    kDone,       // the job has a result
    kPreempted,  // its context is saved; it goes on later
    kStopped,    // it begins from the start later
};

/// Gives one job its turn, from its slot or its save area to its result or its next preemption:
///
///   slot --check--> regions --read, check--> [restore] --> stream --frame, validate, dispatch-->
///    |                 |                        |            |    |                   |
///    | bad field       | bad entry, fault       |            |    | checkpoint, wanted drain
///    |                 |                        |            |    v                   |
///    |                 |                        |            |   save --> kPreempted  v
///    v                 v                        |            v    |                   kDone
///   stop the engines, release the fault record -+- bad command,   |
///   --> kDone                                   |  fault, engine  |
///                                               |  error          |
///                                               v                 v
///                       the save area failed, or the job is to go at once --> kStopped
///
/// While preemption is on, a job stays at a checkpoint as long as the DSP works: an operator takes
/// long, and behind the checkpoint the job could not be saved while it waits for that.
///
/// What a preempted job keeps on the chip is saved in a short turn of its own, before one that uses
/// that SRAM has its turn.
///
/// Between the commands, and at every branch, it looks for engine errors, the end of its ring,
/// preemption and reset: no loop can hold it.
class JobRunner {
  public:
    struct Parts {
        hw::ControllerPort& port;
        Dispatcher& dispatcher;
        Scheduler& scheduler;
        RingTable& rings;
        LogRing& log;
        StateDumper& dumper;
    };

    explicit JobRunner(const Parts& parts)
        : port_(parts.port),
          dispatcher_(parts.dispatcher),
          scheduler_(parts.scheduler),
          rings_(parts.rings),
          log_(parts.log),
          dumper_(parts.dumper),
          fetcher_(port_),
          regions_(port_),
          mover_(port_, dispatcher_) {}

    /// Reads the sizes of the device; once per boot.
    void readDeviceLimits();

    /// Runs the job on from where it is; with kDone result() tells how it ended. After a reset
    /// nothing means anything.
    TurnEnd run(HeadJob& head);

    /// A turn of a preempted job that only saves what it has kept in `blocks` of SRAM: kPreempted
    /// again, or as run().
    TurnEnd saveKept(HeadJob& head, std::uint64_t blocks);

    const JobResult& result() const { return result_; }

  private:
    void beginTurn(HeadJob& head);
    TurnEnd endTurn(hw::JobStatus status);
    hw::JobStatus prepare();
    hw::JobStatus resume();
    hw::JobStatus findCheckpoint(const SaveArea& area);
    hw::JobStatus runStream();
    hw::JobStatus runCommand(const hw::CommandView& command, bool& isEnd);
    hw::JobStatus runControl(const hw::CommandView& command, bool& isEnd);
    hw::JobStatus runCheckpoint(const hw::CommandView& command);
    hw::JobStatus stayAt(const hw::Checkpoint& checkpoint, bool isForced);
    hw::JobStatus resumeDsp(const SaveArea& area);
    hw::JobStatus save(const hw::Checkpoint& checkpoint, bool isForced);
    hw::JobStatus leaveSaved(Stop stop);
    hw::JobStatus writeTimestamp(const hw::CommandView& command);
    hw::JobStatus startSegment();
    hw::JobStatus startLoop(const hw::Loop& work);
    hw::JobStatus runBranch(const hw::CommandView& command);
    hw::JobStatus checkLoop(const hw::Branch& work);
    hw::JobStatus readCondition(const hw::Branch& work, bool& holds);
    hw::JobStatus statusOf(Stop stop);
    hw::JobStatus leave(TurnEnd end);
    hw::JobStatus giveUpSave(hw::JobStatus why, std::uint32_t engine = kNoEngine);
    hw::JobStatus giveUpMove();
    hw::JobStatus readEngineError();
    std::uint64_t releaseFault();
    void stopRunning();
    void discard();
    void finish(hw::JobStatus status);

    hw::ControllerPort& port_;
    Dispatcher& dispatcher_;
    Scheduler& scheduler_;
    RingTable& rings_;
    LogRing& log_;
    StateDumper& dumper_;
    CommandFetcher fetcher_;
    RegionTable regions_;
    ContextMover mover_;
    LoopClock loops_;
    HeadJob* head_ = nullptr;  // whose turn it is
    TurnEnd end_ = TurnEnd::kDone;
    JobResult result_;
    std::uint32_t dspStateBytes_ = 0;
    std::uint64_t holdEnd_ = 0;      // until when the present checkpoint holds it, 0: not at all
    std::uint64_t passedCycle_ = 0;  // when the turn began, or the last checkpoint was left
    bool isRunning_ = false;  // neither saving nor restoring: the time counts as the job's own
    std::uint64_t phaseStart_ = 0;
};

}  // namespace vnpu::fw
