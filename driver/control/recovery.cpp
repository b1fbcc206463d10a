// SPDX-License-Identifier: Apache-2.0
#include "driver/control/recovery.h"

#include <fmt/format.h>

#include <utility>

#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"

namespace vnpu::driver {

void Recovery::begin(FaultCause cause, const std::string& reason) {
    State expected = State::kUsable;
    if (!state_.compare_exchange_strong(
                expected, memory_ == nullptr ? State::kGivenUp : State::kRecovering)) {
        return;
    }
    environment_.log.line(fmt::format("device fault: {}", reason));
    if (memory_ == nullptr) {
        giveUp(reason);
        return;
    }
    environment_.mailbox.pause();
    FaultReport report{.cause = cause, .remedy = FaultRemedy::kDeviceReset, .what = reason};
    if (const auto posted = post_([this, report] { run(report); }); !posted) {
        report.remedy = FaultRemedy::kGivenUp;
        this->report(report);
        giveUp(posted.error().reason);
    }
}

void Recovery::handle(const FaultReport& report) {
    const bool isBreakdown = report.cause == FaultCause::kFatalInterrupt ||
                             report.cause == FaultCause::kMailboxSilence;
    // A reset causes an interrupt without a pending cause.
    const bool isEcho = report.cause == FaultCause::kSpuriousInterrupt && isRecovering();
    if (isBreakdown) {
        begin(report.cause, report.what);
    } else if (!isEcho) {
        this->report(report);
    }
}

void Recovery::run(FaultReport report) {
    const std::chrono::nanoseconds begin = environment_.port.now();
    environment_.mailbox.takeOver();
    const DeviceDump dump = DeviceDump::take(environment_.port, *memory_, environment_.rings);
    report.dump = dump.json();
    for (const std::string& line : dump.lines()) {
        environment_.log.line("dump: " + line);
    }
    ++resets_;
    holdInReset(environment_.port);
    interrupts_.collectCompletions();  // jobs that ended before the reset
    endGuilty(dump, report);
    std::string failure;
    const bool isBack = !isFruitless() && bootAgain(failure);
    if (!isBack) {
        report.remedy = FaultRemedy::kGivenUp;
        this->report(report);
        giveUp(failure.empty()
                       ? "it broke down repeatedly without finishing a job or request in between"
                       : failure);
        return;
    }
    state_ = State::kUsable;
    environment_.mailbox.resume();
    environment_.rings.resume();
    report.recoveryTime = environment_.port.now() - begin;
    this->report(report);
}

void Recovery::endGuilty(const DeviceDump& dump, FaultReport& report) {
    const std::uint64_t id = dump.running.jobId;
    if (id != 0 && environment_.jobs.isPending(id)) {
        report.jobId = id;
        report.ring = dump.running.ring;
    }
    report.survivors = environment_.rings.settle(report.jobId);
    if (report.jobId != 0) {
        environment_.jobs.end(
                id, fail(ErrorStatus::GENERAL_FAILURE,
                         fmt::format("the device broke down during job {}: {}", id, report.what)));
    }
}

bool Recovery::bootAgain(std::string& failure) {
    for (int tries = 0; tries < kMaxBoots; ++tries) {
        auto booted =
                bootFirmware(environment_.port, *memory_, environment_.info, environment_.mailbox);
        if (booted) {
            booted = environment_.mailbox.replay();
        }
        if (booted) {
            return true;
        }
        failure = booted.error().reason;
        report({.cause = FaultCause::kBootFailed, .what = failure});
        holdInReset(environment_.port);
        environment_.rings.settle(0);  // rings that the firmware knew already may have started jobs
    }
    return false;
}

bool Recovery::isFruitless() {
    const std::uint64_t work = environment_.jobs.completed() + environment_.mailbox.answered();
    fruitlessResets_ = resets_ > 1 && work == workAtLastReset_ ? fruitlessResets_ + 1 : 0;
    workAtLastReset_ = work;
    return fruitlessResets_ >= kMaxFruitlessResets;
}

void Recovery::giveUp(const std::string& reason) {
    state_ = State::kGivenUp;
    holdInReset(environment_.port);
    environment_.log.line(fmt::format("device out of order: {}", reason));
    environment_.mailbox.shutDown();
    environment_.rings.shutDown();
    environment_.jobs.endAll();
}

void Recovery::report(const FaultReport& report) {
    FaultReport kept = report;
    kept.dump.clear();
    const std::chrono::nanoseconds now = environment_.port.now();
    {
        const MutexLock guard(faultsMutex_);
        faults_.add({.at = now, .report = std::move(kept)});
    }
    environment_.log.event(&DriverObserver::onFaultReport, report);
    environment_.log.line("fault: " + toText(report));
}

void Recovery::addTo(DriverActivity& activity) const {
    activity.resets = resets();
    activity.isGivenUp = isGivenUp();
    const MutexLock guard(faultsMutex_);
    activity.faults = faults_.values();
    activity.faultCount = faults_.count();
}

}  // namespace vnpu::driver
