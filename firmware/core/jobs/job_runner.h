// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/core/base/log_ring.h"
#include "firmware/core/host/state_dumper.h"
#include "firmware/core/jobs/job_resumer.h"
#include "firmware/core/jobs/stream_runner.h"
#include "firmware/core/scheduling/ring_table.h"

namespace vnpu::fw {

/// Gives one job its turn, from its slot or its save area to its result or its next preemption:
///
///   slot --check--> regions --read, check--> [JobResumer] --> StreamRunner --kEnd, drain--> kDone
///    |                 |                        |              |        |
///    | bad field       | bad entry, fault       |   bad command,        | checkpoint, save wanted
///    |                 |                        |   fault, engine error v
///    |                 |                        |              |     CheckpointRunner
///    v                 v                        |              v        |
///   stop the engines, release the fault record -+-----------> kDone     +--> kPreempted
///                                               |                       |
///      the save area failed, or the job is to leave at once ------------+--> kStopped
///
/// The context that a preempted job keeps on the chip is saved in a short turn of that job, before
/// a job that uses the same SRAM gets its turn.
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

    explicit JobRunner(const Parts& parts);

    /// Reads the sizes of the device; once per boot.
    void readDeviceLimits();

    /// Continues the job; after kDone result() returns its result. After a reset both are invalid.
    TurnEnd run(HeadJob& head);

    /// A turn of a preempted job that only saves its kept context in `blocks` of SRAM; returns
    /// kPreempted again, or as run() does.
    TurnEnd saveKept(HeadJob& head, std::uint64_t blocks);

    const JobResult& result() const { return turn_.result(); }

  private:
    void beginTurn(HeadJob& head);
    TurnEnd endTurn(const Step& step);
    Step runJob();
    void discard();
    void finish(hw::JobStatus status);

    hw::ControllerPort& port_;
    Dispatcher& dispatcher_;
    RingTable& rings_;
    StateDumper& dumper_;
    JobTurn turn_;
    CommandFetcher fetcher_;
    RegionTable regions_;
    LoopClock loops_;
    ContextMover mover_;
    CheckpointRunner checkpoints_;
    JobResumer resumer_;
    StreamRunner stream_;
};

}  // namespace vnpu::fw
