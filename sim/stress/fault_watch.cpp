// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/fault_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/regs/status.h"

namespace vnpu::sim {

using driver::ErrorStatus;
using driver::FaultCause;
using driver::FaultRemedy;
using hw::FaultKind;

namespace {

// chosen: several times the latency of an interrupt and the period of the check for lost ones
constexpr std::chrono::milliseconds kGrace{5};

hw::JobStatus statusOf(FaultKind kind) {
    switch (kind) {
        case FaultKind::kDmaError:
            return hw::JobStatus::kBusError;
        case FaultKind::kMmuFault:
            return hw::JobStatus::kMmuFault;
        case FaultKind::kEngineHang:
        case FaultKind::kEngineStuck:
            return hw::JobStatus::kEngineHang;
        default:
            return hw::JobStatus::kEccError;
    }
}

/// Whether the report names the engine of the fault; accesses of the controller have none.
bool isEngine(const driver::FaultReport& report, hw::Engine engine) {
    return engine == hw::Engine::kController ? report.engine == driver::FaultReport::kNone
                                             : report.engine == static_cast<std::uint32_t>(engine);
}

}  // namespace

void FaultWatch::tell(std::chrono::nanoseconds now, std::string_view what) {
    story_ += fmt::format("{:>12} {}\n", now.count(), what);
}

void FaultWatch::onCallBegin(std::chrono::nanoseconds now, std::string_view call, std::uint64_t id,
                             std::uint32_t uid) {
    tell(now, fmt::format("call {} {} of uid {}", id, call, uid));
}

void FaultWatch::onCallEnd(std::chrono::nanoseconds now, std::uint64_t id, ErrorStatus status) {
    tell(now, fmt::format("call {} ends with {}", id, static_cast<int>(status)));
}

void FaultWatch::onJobSubmitted(std::chrono::nanoseconds now, std::uint64_t jobId,
                                std::uint64_t callId, const driver::CompiledModel& /*model*/) {
    jobs_[jobId].submitted = now;
    tell(now, fmt::format("job {} of call {}", jobId, callId));
}

void FaultWatch::onJobCompleted(std::chrono::nanoseconds now, std::uint64_t jobId,
                                ErrorStatus status) {
    jobs_[jobId].status = status;
    jobs_[jobId].ended = now;
    tell(now, fmt::format("job {} ends with {}", jobId, static_cast<int>(status)));
}

void FaultWatch::onFaultReport(std::chrono::nanoseconds now, const driver::FaultReport& report) {
    faults_.push_back({now, report});
    tell(now, fmt::format("fault {}", driver::toJson(report)));
}

const FaultWatch::Job* FaultWatch::ended(std::uint64_t jobId) const {
    const auto found = jobs_.find(jobId);
    return found == jobs_.end() || !found->second.status ? nullptr : &found->second;
}

/// A job ends with the status of its fault, or starts again if only its context in memory was hit.
FaultVerdict FaultWatch::judgeJobFault(const hw::InjectedFault& fault, std::size_t begin) const {
    FaultVerdict verdict;
    const bool needsReset = fault.kind == FaultKind::kEngineStuck;
    bool isReset = false;
    for (std::size_t i = begin; i < faults_.size(); ++i) {
        const driver::FaultReport& report = faults_[i].report;
        const bool isJobs = report.cause == FaultCause::kJobFailed ||
                            report.cause == FaultCause::kEngineHang ||
                            report.cause == FaultCause::kContextLost ||
                            report.cause == FaultCause::kCorruptRecord;
        if (isJobs && report.jobId == fault.jobId) {
            const bool isRecord = fault.kind == FaultKind::kCorruptRecord;
            verdict.isDetected = true;
            verdict.isAttributed = isRecord ? report.cause == FaultCause::kCorruptRecord
                                            : report.status == statusOf(fault.kind) &&
                                                      isEngine(report, fault.engine);
            verdict.remedy = report.remedy;
            verdict.settledAt = faults_[i].time;
        }
        isReset = isReset || report.remedy == FaultRemedy::kDeviceReset;
        if (needsReset && isReset) {
            verdict.remedy = FaultRemedy::kDeviceReset;
            verdict.settledAt = faults_[i].time;
        }
    }
    const Job* const job = ended(fault.jobId);
    const bool hasRestarted = verdict.remedy == FaultRemedy::kJobRestarted;
    const ErrorStatus due = hasRestarted ? ErrorStatus::NONE : ErrorStatus::GENERAL_FAILURE;
    verdict.isAttributed = verdict.isAttributed && job != nullptr && job->status == due;
    verdict.isSettled = verdict.isDetected && job != nullptr && (!needsReset || isReset);
    return verdict;
}

/// The device was reset. A job that the report names had begun and not ended at the time of the
/// fault.
FaultVerdict FaultWatch::judgeControllerHang(std::size_t begin,
                                             std::chrono::nanoseconds happened) const {
    FaultVerdict verdict;
    for (std::size_t i = begin; i < faults_.size(); ++i) {
        const driver::FaultReport& report = faults_[i].report;
        if (report.remedy != FaultRemedy::kDeviceReset) {
            continue;
        }
        const Job* const job = ended(report.jobId);
        const bool isRight = job != nullptr && job->status == ErrorStatus::GENERAL_FAILURE &&
                             job->submitted <= happened && job->ended >= happened;
        verdict = {.isSettled = report.jobId == 0 || job != nullptr,
                   .isDetected = true,
                   .isAttributed = report.jobId == 0 || isRight,
                   .remedy = report.remedy,
                   .settledAt = faults_[i].time};
    }
    return verdict;
}

FaultVerdict FaultWatch::judge(const hw::InjectedFault& fault, std::size_t begin,
                               std::chrono::nanoseconds happened,
                               std::chrono::nanoseconds now) const {
    const auto reported = [&](std::initializer_list<FaultCause> causes) {
        FaultVerdict verdict;
        for (std::size_t i = begin; i < faults_.size() && !verdict.isDetected; ++i) {
            const FaultCause cause = faults_[i].report.cause;
            if (std::find(causes.begin(), causes.end(), cause) != causes.end()) {
                verdict = {.isSettled = true,
                           .isDetected = true,
                           .isAttributed = true,
                           .remedy = faults_[i].report.remedy,
                           .settledAt = faults_[i].time};
            }
        }
        return verdict;
    };
    const auto harmless = [&](bool isProven, std::chrono::nanoseconds when) {
        return FaultVerdict{.isSettled = isProven, .isHarmless = isProven, .settledAt = when};
    };
    switch (fault.kind) {
        case FaultKind::kSramBitFlip:
        case FaultKind::kDramBitFlip:
        case FaultKind::kEngineSlow: {
            const Job* const job = ended(fault.jobId);
            return harmless(job != nullptr && job->status == ErrorStatus::NONE,
                            job == nullptr ? now : job->ended);
        }
        case FaultKind::kLostInterrupt: {
            const FaultVerdict verdict = reported({FaultCause::kLostInterrupt});
            return verdict.isDetected ? verdict : harmless(fault.isMadeGood, now);
        }
        case FaultKind::kSpuriousInterrupt: {
            // A spurious interrupt at the time of a real one cannot be distinguished from it.
            const FaultVerdict verdict = reported({FaultCause::kSpuriousInterrupt});
            return verdict.isDetected ? verdict : harmless(now - happened > kGrace, now);
        }
        case FaultKind::kCorruptMessage:
            return reported({FaultCause::kCorruptMessage, FaultCause::kBootFailed});
        case FaultKind::kControllerHang:
            return judgeControllerHang(begin, happened);
        default:
            return judgeJobFault(fault, begin);
    }
}

std::vector<std::uint64_t> FaultWatch::unexplainedJobs() const {
    std::vector<std::uint64_t> unexplained;
    for (const auto& [id, job] : jobs_) {
        const bool isExplained = std::any_of(
                faults_.begin(), faults_.end(),
                [jobId = id](const SeenFault& seen) { return seen.report.jobId == jobId; });
        if (job.status != ErrorStatus::NONE && !isExplained) {
            unexplained.push_back(id);
        }
    }
    return unexplained;
}

}  // namespace vnpu::sim
