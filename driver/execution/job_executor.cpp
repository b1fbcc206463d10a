// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/job_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
#include "driver/port/register_access.h"

namespace vnpu::driver {

namespace {

/// Shortest first pause between two polls for a record whose interrupt was lost; each pause is
/// twice the last. chosen: hundreds of times an interrupt's latency.
constexpr std::chrono::nanoseconds kFirstRecordLook = std::chrono::milliseconds(1);
/// The first pause is also at least this multiple of the job's estimate. chosen: a job alone on the
/// device ends without a poll.
constexpr double kLookEstimates = 2.0;

std::chrono::nanoseconds firstLook(std::uint64_t estimateCycles, std::uint64_t clockHz) {
    const std::chrono::duration<double> estimate(static_cast<double>(estimateCycles) /
                                                 static_cast<double>(clockHz));
    return std::max(kFirstRecordLook, std::chrono::duration_cast<std::chrono::nanoseconds>(
                                              kLookEstimates * estimate));
}

/// Longest latency from the interrupt line to the handler. chosen: ten times the usual.
constexpr std::chrono::nanoseconds kRecordGrace = std::chrono::microseconds(50);

bool isDeviceFault(hw::JobStatus status) {
    return status != hw::JobStatus::kOk && status != hw::JobStatus::kNoRoom &&
           status != hw::JobStatus::kAborted && status != hw::JobStatus::kLoopTimeout;
}

}  // namespace

JobExecutor::JobExecutor(const Environment& environment, InterruptHandler& interrupts,
                         Recovery& recovery, PowerGovernor& power)
    : environment_(environment),
      interrupts_(interrupts),
      recovery_(recovery),
      power_(power),
      queue_(environment.options.scheduling.strategy == Strategy::kQueue
                     ? std::make_unique<JobQueue>(environment.port)
                     : nullptr) {}

Result<std::optional<fw::CompletionRecord>> JobExecutor::scheduleAndRun(JobRing& ring,
                                                                        fw::JobSlot slot,
                                                                        const Terms& terms) {
    if (queue_ && !queue_->enter(terms.uid, terms.halPriority, terms.waitBudget)) {
        return std::nullopt;
    }
    auto record = submitAndAwait(ring, slot, terms);
    if (queue_) {
        queue_->leave();
    }
    if (!record) {
        return tl::unexpected(std::move(record.error()));
    }
    count(*record, terms.uid);
    return *record;
}

Result<fw::CompletionRecord> JobExecutor::submitAndAwait(JobRing& ring, fw::JobSlot slot,
                                                         const Terms& terms) {
    const std::shared_ptr<PendingJob> job = environment_.jobs.add();
    slot.jobId = job->id;
    slot.fenceValue = job->id;
    slot.commandStreamVersion = environment_.info.commandStreamVersion;
    if (terms.onSubmitted) {
        terms.onSubmitted(job->id);
    }
    if (auto submitted = ring.submit(slot); !submitted) {
        environment_.jobs.drop(job->id);
        return tl::unexpected(std::move(submitted.error()));
    }
    ++environment_.counters.jobsSubmitted;
    power_.onJobBegin(slot.clockLevel);
    auto record = awaitEnd(*job, ring, firstLook(slot.estimateCycles, environment_.info.clockHz),
                           terms.waitBudget);
    power_.onJobEnd();
    if (record && record->contextStatus != hw::JobStatus::kOk) {
        reportLostContext(*record, ring);
    }
    if (record && isDeviceFault(record->status)) {
        reportFailure(*record, ring);
    }
    return record;
}

Result<fw::CompletionRecord> JobExecutor::awaitEnd(PendingJob& job, const JobRing& ring,
                                                   std::chrono::nanoseconds firstPause,
                                                   WaitBudget budget) {
    const std::chrono::nanoseconds longest = environment_.options.progressTimeout / 2;
    std::chrono::nanoseconds now = environment_.port.now();
    std::chrono::nanoseconds pause = std::min(firstPause, longest);
    std::chrono::nanoseconds nextLook = now + pause;  // for its record
    std::chrono::nanoseconds nextBeat = now + longest;
    Heartbeat heartbeat;
    for (;;) {
        std::chrono::nanoseconds wait = nextLook - now;
        if (budget) {
            if (const auto time = budget()) {
                wait = std::min(wait, *time);
            } else {
                abort(job, ring);
                budget = {};
            }
        }
        if (job.done->waitFor(wait)) {
            break;
        }
        now = environment_.port.now();
        if (now < nextLook) {
            continue;
        }
        collectLost(job);
        if (now < nextBeat) {
            pause = std::min(2 * pause, nextBeat - now);
        } else {
            checkProgress(job, heartbeat);
            pause = longest;
            nextBeat = now + longest;
        }
        nextLook = now + pause;
    }
    return std::move(*job.outcome);
}

/// Starts a recovery if the firmware has reported a fatal error or made no progress while a job is
/// pending.
void JobExecutor::checkProgress(const PendingJob& job, Heartbeat& heartbeat) {
    if (recovery_.isRecovering()) {
        return;
    }
    if (hw::regs::IrqStatus::kFatal.get(readRegister<hw::regs::IrqStatus>(environment_.port)) !=
        0) {
        recovery_.begin(FaultCause::kFatalInterrupt, "a fatal error that no interrupt reported");
        return;
    }
    const std::pair beat{readRegister<hw::regs::Heartbeat>(environment_.port), recovery_.resets()};
    if (std::exchange(heartbeat, beat) == beat) {
        recovery_.begin(
                FaultCause::kNoHeartbeat,
                fmt::format("no heartbeat for {} ms of device time while job {} is pending",
                            environment_.options.progressTimeout.count() / 2'000'000, job.id));
    }
}

/// The job's record shows whether the abort was in time.
void JobExecutor::abort(const PendingJob& job, const JobRing& ring) {
    fw::Message message{};
    message.type = fw::MessageType::kAbortJob;
    message.target.ring = ring.index();
    message.target.jobId = job.id;
    if (const auto reply = environment_.mailbox.request(message); !reply) {
        environment_.log.line(fmt::format("job {} continues: {}", job.id, reply.error().reason));
    }
}

void JobExecutor::count(const fw::CompletionRecord& record, std::uint32_t uid) {
    const std::chrono::duration<double> time(
            static_cast<double>(record.executedCycles + record.switchCycles) /
            static_cast<double>(environment_.info.clockHz));
    deviceTimes_.add(uid, std::chrono::duration_cast<std::chrono::nanoseconds>(time));
    environment_.counters.preemptions += record.preemptions;
    environment_.counters.restarts += record.restarts;
    environment_.counters.savedBytes += record.savedBytes;
    environment_.counters.switchCycles += record.switchCycles;
    environment_.log.event(&DriverObserver::onJobShared, record.jobId,
                           JobSharing{.preemptions = record.preemptions,
                                      .restarts = record.restarts,
                                      .savedBytes = record.savedBytes,
                                      .reloadedBytes = record.reloadedBytes,
                                      .switchCycles = record.switchCycles,
                                      .wastedCycles = record.wastedCycles,
                                      .executedCycles = record.executedCycles});
}

/// Collects records whose interrupt must have been lost: those that a first look finds and that no
/// interrupt has announced some time later. Other jobs may end at both moments.
void JobExecutor::collectLost(PendingJob& job) {
    const auto before = environment_.rings.oldestRecords();
    if (before.empty() || job.done->waitFor(kRecordGrace)) {
        return;
    }
    const auto now = environment_.rings.oldestRecords();
    const bool isOverdue = std::any_of(before.begin(), before.end(), [&](const auto& record) {
        const auto left = now.find(record.first);
        return left != now.end() && left->second == record.second;
    });
    if (!isOverdue) {
        return;
    }
    interrupts_.collectCompletions();
    recovery_.report({.cause = FaultCause::kLostInterrupt,
                      .jobId = job.id,
                      .what = "a completion record was waiting in its ring"});
}

void JobExecutor::reportFailure(const fw::CompletionRecord& record, const JobRing& ring) {
    const bool isHang = record.status == hw::JobStatus::kEngineHang;
    recovery_.report({.cause = isHang ? FaultCause::kEngineHang : FaultCause::kJobFailed,
                      .remedy = FaultRemedy::kJobEnded,
                      .jobId = record.jobId,
                      .ring = ring.index(),
                      .engine = record.failingEngine,
                      .command = record.failingCommand,
                      .address = record.faultAddress,
                      .status = record.status,
                      .what = std::string(hw::jobStatusName(record.status))});
}

void JobExecutor::reportLostContext(const fw::CompletionRecord& record, const JobRing& ring) {
    recovery_.report({.cause = FaultCause::kContextLost,
                      .remedy = FaultRemedy::kJobRestarted,
                      .jobId = record.jobId,
                      .ring = ring.index(),
                      .engine = record.contextEngine,
                      .status = record.contextStatus,
                      .what = fmt::format("its context could not be saved or restored: {}",
                                          hw::jobStatusName(record.contextStatus))});
}

}  // namespace vnpu::driver
