// SPDX-License-Identifier: Apache-2.0
#include "driver/control/recovery.h"

#include <fmt/format.h>

#include <utility>

namespace vnpu::driver {

void Recovery::begin(FaultCause cause, const std::string& reason) {
    State expected = State::kUsable;
    if (!state_.compare_exchange_strong(
                expected, memory_ == nullptr ? State::kGivenUp : State::kRecovering)) {
        return;
    }
    parts_.environment.log.line(fmt::format("device fault: {}", reason));
    if (memory_ == nullptr) {
        giveUp(reason);
        return;
    }
    parts_.mailbox.pause();
    parts_.post([this, report = FaultReport{.cause = cause,
                                            .remedy = FaultRemedy::kDeviceReset,
                                            .what = reason}] { run(report); });
}

void Recovery::run(FaultReport report) {
    const std::chrono::nanoseconds begin = parts_.environment.port.now();
    parts_.mailbox.takeOver();
    const DeviceDump dump = DeviceDump::take(parts_.environment.port, *memory_, parts_.rings);
    report.dump = dump.json();
    for (const std::string& line : dump.lines()) {
        parts_.environment.log.line("dump: " + line);
    }
    ++resets_;
    holdInReset(parts_.environment.port);
    parts_.interrupts.collectCompletions();  // jobs that ended before the reset
    endGuilty(dump, report);
    std::string failure;
    const bool isBack = !isFruitless() && bootAgain(failure);
    if (!isBack) {
        report.remedy = FaultRemedy::kGivenUp;
        this->report(report);
        giveUp(failure.empty() ? "it broke down too often with nothing done in between" : failure);
        return;
    }
    state_ = State::kUsable;
    parts_.mailbox.resume();
    parts_.rings.ringDoorbells();  // announces jobs that were submitted during the recovery
    report.recoveryTime = parts_.environment.port.now() - begin;
    this->report(report);
}

void Recovery::endGuilty(const DeviceDump& dump, FaultReport& report) {
    const std::uint64_t id = dump.running.jobId;
    if (id != 0 && parts_.jobs.isPending(id)) {
        report.jobId = id;
        report.ring = dump.running.ring;
    }
    report.survivors = parts_.rings.settle(report.jobId);
    if (report.jobId != 0) {
        parts_.jobs.fail(id,
                         {ErrorStatus::GENERAL_FAILURE,
                          fmt::format("the device broke down during job {}: {}", id, report.what)});
    }
}

bool Recovery::bootAgain(std::string& failure) {
    for (int tries = 0; tries < kMaxBoots; ++tries) {
        auto booted = bootFirmware(parts_.environment.port, *memory_, parts_.environment.info,
                                   parts_.mailbox);
        if (booted) {
            booted = parts_.mailbox.replay();
        }
        if (booted) {
            return true;
        }
        failure = booted.error().reason;
        report({.cause = FaultCause::kBootFailed, .what = failure});
        holdInReset(parts_.environment.port);
        parts_.rings.settle(0);  // rings that the firmware knew already may have started jobs
    }
    return false;
}

bool Recovery::isFruitless() {
    const std::uint64_t work = parts_.jobs.completed() + parts_.mailbox.answered();
    fruitlessResets_ = resets_ > 1 && work == workAtLastReset_ ? fruitlessResets_ + 1 : 0;
    workAtLastReset_ = work;
    return fruitlessResets_ >= kMaxFruitlessResets;
}

void Recovery::giveUp(const std::string& reason) {
    state_ = State::kGivenUp;
    holdInReset(parts_.environment.port);
    parts_.environment.log.line(fmt::format("device out of order: {}", reason));
    parts_.mailbox.shutDown();
    parts_.rings.shutDown();
    parts_.jobs.endAll();
}

void Recovery::report(const FaultReport& report) const {
    parts_.environment.log.event(&DriverObserver::onFaultReport, report);
    parts_.environment.log.line("fault: " + toText(report));
}

}  // namespace vnpu::driver
