// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/scheduler.h"

#include <algorithm>
#include <span>
#include <utility>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "firmware/core/scheduling/scheduling_parameters.h"

namespace vnpu::fw {
namespace {

std::uint64_t after(std::uint64_t nowCycle, std::uint64_t cycles) {
    return cycles > kNeverCycles - nowCycle ? kNeverCycles : nowCycle + cycles;
}

std::uint64_t left(std::uint64_t whole, std::uint64_t used) {
    return whole > used ? whole - used : 0;
}

}  // namespace

Scheduler::Scheduler(const Parts& parts) : port_(parts.port), rings_(parts.rings), log_(parts.log) {
    chooser_.emplace(parameters_);
}

MessageStatus Scheduler::setParameters(std::uint64_t busAddress) {
    const MessageStatus status = readSchedulingParameters(port_, busAddress, parameters_);
    if (status != MessageStatus::kOk) {
        return status;
    }
    dramLatencyCycles_ = readRegister<regs::ConfigDramLatency>(port_);
    dramBytesPer1024Cycles_ = std::max(readRegister<regs::ConfigDramBandwidth>(port_), 1U);
    hasParameters_ = true;
    chooser_.emplace(parameters_);
    if (runningRing_ != kNoRing) {
        chooser_->onStart(describe(runningRing_, readCycles(port_)));
    }
    log_.add(LogEvent::kScheduling, static_cast<std::uint32_t>(parameters_.policy),
             static_cast<std::uint64_t>(parameters_.mechanism));
    return status;
}

bool Scheduler::pick(std::uint32_t& ring) {
    port_.charge(kPickCycles);
    rings_.completeAborted(kNoRing);
    const Queue queue = collect();
    if (queue.candidates.empty()) {
        return false;
    }
    chooser_->observe(queue);
    const Candidate& chosen = chooser_->choose(queue);
    chooser_->onStart(chosen);
    ring = chosen.ring;
    return true;
}

Queue Scheduler::collect() {
    const std::uint64_t now = hasParameters_ ? readCycles(port_) : 0;
    isStalled_ = false;
    std::size_t count = 0;
    Queue queue;
    queue.now = now;
    queue.served = now;
    for (std::uint32_t ring = 0; ring < regs::kRingCount; ++ring) {
        const RingTable::State state = rings_.stateOf(ring);
        isStalled_ = isStalled_ || state == RingTable::State::kStalled;
        if (state != RingTable::State::kReady) {
            continue;
        }
        candidates_[count] = describe(ring, now);
        if (ring == runningRing_) {
            queue.running = &candidates_[count];
        }
        ++count;
    }
    queue.candidates = std::span(candidates_).first(count);
    return queue;
}

Candidate Scheduler::describe(std::uint32_t ring, std::uint64_t nowCycle) {
    Candidate one;
    one.ring = ring;
    one.sequence = rings_.sequenceOf(ring);
    one.context = rings_.contextOf(ring);
    one.band = rings_.bandOf(ring);
    one.arrival = rings_.arrivalOf(ring);
    if (!hasParameters_) {
        return one;
    }
    port_.charge(kCandidateCycles);
    const HeadJob& head = rings_.head(ring);
    const JobProgress& progress = head.progress;
    const std::uint64_t turn = turnOf(head, nowCycle);
    one.level = std::min(head.job.slot.level, kMaxLevel);
    one.executed = progress.executedCycles + turn;
    one.waited = left(nowCycle, one.arrival + one.executed);
    one.estimate = head.job.slot.estimateCycles;
    one.deadline = head.job.slot.deadlineCycle;
    if (one.estimate != 0) {
        one.remaining = left(one.estimate, progressOf(head, nowCycle));
    }
    return one;
}

std::uint64_t Scheduler::progressOf(const HeadJob& head, std::uint64_t nowCycle) const {
    return head.progress.attemptCycles + turnOf(head, nowCycle);
}

/// A job makes no progress while its context is restored.
std::uint64_t Scheduler::turnOf(const HeadJob& head, std::uint64_t nowCycle) const {
    const bool isExecuting = head.job.ring == runningRing_ && !head.progress.isSaved;
    return isExecuting ? left(nowCycle, head.progress.runStartCycle) : 0;
}

void Scheduler::onStart(std::uint32_t ring) {
    runningRing_ = ring;
    if (hasParameters_) {
        JobProgress& progress = rings_.head(ring).progress;
        progress.runStartCycle = readCycles(port_);
        if (progress.isSaved) {
            const std::uint64_t last = std::exchange(progress.restoredAt, progress.executedCycles);
            progress.isRestoredAgain = last == progress.executedCycles;
        }
        evaluate();
    }
}

void Scheduler::onTurnEnd() {
    runningRing_ = kNoRing;
    isSavingKept_ = false;
    wish_ = Wish::kNone;
    lookCycle_ = timeoutCycle_ = kNeverCycles;
}

void Scheduler::look(bool somethingCame) {
    const bool isTimed = lookCycle_ != kNeverCycles || timeoutCycle_ != kNeverCycles;
    if (runningRing_ == kNoRing || isSavingKept_ || (!somethingCame && !isTimed)) {
        return;
    }
    const bool isIdle =
            !hasParameters_ && !rings_.isSuspended(runningRing_) && wish_ == Wish::kNone;
    if (isIdle || (!somethingCame && readCycles(port_) < std::min(lookCycle_, timeoutCycle_))) {
        return;
    }
    evaluate();
}

void Scheduler::evaluate() {
    const Queue queue = collect();
    const std::uint64_t now = queue.now;
    lookCycle_ = kNeverCycles;
    wantedBlocks_ = hw::kAllSramBlocks;
    if (queue.running == nullptr) {
        // A suspended job leaves as soon as its context can be saved.
        wish(rings_.head(runningRing_).canBeSaved() ? Wish::kSave : Wish::kNone, now);
    } else {
        chooser_->observe(queue);
        decide(queue);
    }
    if (wish_ == Wish::kSave && now >= timeoutCycle_ &&
        rings_.head(runningRing_).progress.restarts < kMaxRestarts) {
        wish_ = Wish::kStop;
    }
    if (wish_ != Wish::kSave || now >= timeoutCycle_) {
        timeoutCycle_ = kNeverCycles;
    }
}

void Scheduler::decide(const Queue& queue) {
    port_.charge(kDecideCycles);
    if (wish_ == Wish::kStop) {
        return;
    }
    const Candidate& chosen = chooser_->choose(queue);
    if (&chosen != queue.running && mustGetOn(*queue.running, chosen)) {
        wish(Wish::kNone, queue.now);
        lookCycle_ = after(queue.now, kLeastLookCycles);
        return;
    }
    if (&chosen == queue.running) {
        wish(Wish::kNone, queue.now);
        if (parameters_.mechanism != Mechanism::kNone) {
            const std::uint64_t cycles = chooser_->cyclesToLook(queue);
            lookCycle_ = after(queue.now, std::max(cycles, kLeastLookCycles));
        }
        return;
    }
    switch (decidePreemption(parameters_.mechanism, victim(queue.now))) {
        case PreemptionAction::kLetRun:
            wish(Wish::kNone, queue.now);
            break;
        case PreemptionAction::kSave:
            wantedBlocks_ = rings_.head(chosen.ring).job.sramBlocks();
            wish(Wish::kSave, queue.now);
            break;
        case PreemptionAction::kStop:
            wish(Wish::kStop, queue.now);
            break;
    }
}

/// While its data is restored, a job yields only to a higher band or level that the policy prefers,
/// and to another context only if it executed since its previous restore; otherwise two jobs could
/// preempt each other forever without progress.
bool Scheduler::mustGetOn(const Candidate& running, const Candidate& chosen) {
    const JobProgress& progress = rings_.head(running.ring).progress;
    if (!progress.isSaved) {
        return false;
    }
    return chooser_->areApart(running, chosen)
                   ? progress.isRestoredAgain
                   : std::pair(chosen.band, chosen.level) <= std::pair(running.band, running.level);
}

void Scheduler::wish(Wish wish, std::uint64_t nowCycle) {
    if (wish == wish_) {
        return;
    }
    wish_ = wish;
    if (wish == Wish::kNone) {
        return;
    }
    if (wish == Wish::kSave && parameters_.preemptTimeoutCycles != 0) {
        timeoutCycle_ = after(nowCycle, parameters_.preemptTimeoutCycles);
    }
    const std::uint64_t jobId = rings_.head(runningRing_).job.slot.jobId;
    port_.trace("preempt-request", jobId);
    log_.add(LogEvent::kPreemptRequest, runningRing_, jobId);
}

Victim Scheduler::victim(std::uint64_t nowCycle) {
    const HeadJob& head = rings_.head(runningRing_);
    const std::uint64_t estimate = head.job.slot.estimateCycles;
    Victim victim;
    victim.canBeSaved = head.canBeSaved();
    victim.restarts = head.progress.restarts;
    victim.progressCycles = progressOf(head, nowCycle);
    victim.remainingCycles = estimate == 0 ? kUnknownTime : left(estimate, victim.progressCycles);
    victim.switchCycles = switchCycles(head);
    return victim;
}

/// An upper bound: data in SRAM that the next job does not use is not saved. Until the first
/// checkpoint states what is live, the size of the save area counts.
std::uint64_t Scheduler::switchCycles(const HeadJob& head) const {
    constexpr std::uint64_t kMostBytes = 1ULL << 40;  // chosen: beyond any SRAM, short of overflow
    const std::uint64_t known = head.progress.contextBytes;
    const std::uint64_t bytes = std::min(known != 0 ? known : head.job.slot.saveBytes, kMostBytes);
    const std::uint64_t moved = 2 * bytes + head.progress.reloadBytes;
    return 2 * dramLatencyCycles_ + moved * 1024 / dramBytesPer1024Cycles_;
}

bool Scheduler::counts(const hw::Checkpoint& checkpoint) const {
    return parameters_.granularity == Granularity::kTile ||
           (checkpoint.flags & hw::kCheckpointOperation) != 0;
}

bool Scheduler::mayWantSave(const hw::Checkpoint& checkpoint) const {
    const bool isOn = parameters_.mechanism == Mechanism::kCheckpoint ||
                      parameters_.mechanism == Mechanism::kDynamic;
    return isOn && counts(checkpoint) && rings_.head(runningRing_).canBeSaved();
}

bool Scheduler::forcesSave(const hw::Checkpoint& checkpoint) const {
    return (parameters_.flags & kScheduleForced) != 0 && counts(checkpoint) &&
           rings_.head(runningRing_).canBeSaved();
}

bool Scheduler::mustStop() const {
    return wish_ == Wish::kStop ||
           (wish_ == Wish::kSave && rings_.head(runningRing_).progress.isSaved);
}

std::uint64_t Scheduler::cyclesToSleep(std::uint64_t limitCycles) {
    const std::uint64_t due = std::min(lookCycle_, timeoutCycle_);
    if (due == kNeverCycles) {
        return limitCycles;
    }
    const std::uint64_t now = readCycles(port_);
    return std::clamp<std::uint64_t>(left(due, now), 1, limitCycles);
}

}  // namespace vnpu::fw
