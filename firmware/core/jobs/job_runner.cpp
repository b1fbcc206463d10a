// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/job_runner.h"

#include "firmware/core/base/register_io.h"
#include "firmware/core/jobs/job_checks.h"

namespace vnpu::fw {

using hw::JobStatus;

JobRunner::JobRunner(const Parts& parts)
    : port_(parts.port),
      dispatcher_(parts.dispatcher),
      rings_(parts.rings),
      dumper_(parts.dumper),
      turn_(port_, dispatcher_, parts.log),
      fetcher_(port_),
      regions_(port_),
      mover_(port_, dispatcher_),
      checkpoints_(
              {port_, dispatcher_, parts.scheduler, turn_, fetcher_, regions_, loops_, mover_}),
      resumer_(checkpoints_.parts(), checkpoints_),
      stream_(checkpoints_.parts(), checkpoints_) {}

void JobRunner::readDeviceLimits() {
    regions_.readDeviceLimits();
    mover_.readDeviceLimits(regions_.limits().sramBytes);
}

TurnEnd JobRunner::run(HeadJob& head) {
    beginTurn(head);
    if (!head.progress.hasStarted) {
        head.progress.hasStarted = true;
        head.progress.startCycle = turn_.phaseStart();
    }
    return endTurn(runJob());
}

TurnEnd JobRunner::saveKept(HeadJob& head, std::uint64_t blocks) {
    beginTurn(head);
    return endTurn(checkpoints_.saveKept(blocks));
}

void JobRunner::beginTurn(HeadJob& head) {
    loops_.reset();
    turn_.begin(head, rings_.keptBlocks());
    checkpoints_.begin();
}

TurnEnd JobRunner::endTurn(const Step& step) {
    turn_.end();
    switch (*step.end) {
        case TurnEnd::kDone:
            finish(step.status);
            break;
        case TurnEnd::kPreempted:
            break;
        case TurnEnd::kStopped:
            discard();
            break;
    }
    return *step.end;
}

Step JobRunner::runJob() {
    const Job& job = turn_.job();
    VNPU_TRY(Step::of(job.slotStatus));
    if (!isSlotSane(job.slot)) {
        return Step::finish(JobStatus::kBadJob);
    }
    VNPU_TRY(Step::of(regions_.load(job)));
    fetcher_.start({job.context, job.slot.commandAddress, job.slot.commandBytes});
    if (turn_.progress().isSaved) {
        VNPU_TRY(resumer_.resume());
    }
    return stream_.run();
}

/// Discards the job's progress: it begins from the start.
void JobRunner::discard() {
    dispatcher_.abort();
    (void)turn_.releaseFault();
    JobProgress& progress = turn_.progress();
    progress.isSaved = false;
    progress.kept = {};
    progress.wastedCycles += progress.attemptCycles;
    progress.attemptCycles = 0;
    ++progress.restarts;
}

void JobRunner::finish(JobStatus status) {
    JobResult& result = turn_.result();
    if (status == JobStatus::kEngineHang) {
        dumper_.writeHang(turn_.job().ring, result.failingEngine);
    }
    if (status != JobStatus::kOk) {
        dispatcher_.abort();
        const bool isBusy = regs::Status::kBusy.get(readRegister<regs::Status>(port_)) != 0;
        result.isDeviceStuck = isBusy;
        result.faultAddress = turn_.releaseFault();
    }
    if (status == JobStatus::kMmuFault) {
        writeRegister<regs::IrqRaise>(port_, regs::IrqStatus::kFault.mask());
    } else {
        result.faultAddress = 0;
    }
    result.status = status;
    result.endCycle = turn_.phaseStart();
}

}  // namespace vnpu::fw
