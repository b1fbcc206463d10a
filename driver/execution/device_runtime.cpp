// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/device_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/port/register_access.h"

namespace vnpu::driver {

namespace {

/// First pause between two looks for a record that no interrupt tells of, at least; each is twice
/// as long as the last. chosen: hundreds of times what an interrupt takes.
constexpr std::chrono::nanoseconds kLeastFirstLook = std::chrono::milliseconds(1);
/// It is also as many times what the driver expects of the job. chosen: so that a job that has the
/// device for itself ends without a look.
constexpr double kLookEstimates = 2.0;

std::chrono::nanoseconds firstLookAfter(std::uint64_t estimateCycles, std::uint64_t clockHz) {
    const std::chrono::duration<double> estimate(static_cast<double>(estimateCycles) /
                                                 static_cast<double>(clockHz));
    return std::max(kLeastFirstLook, std::chrono::duration_cast<std::chrono::nanoseconds>(
                                             kLookEstimates * estimate));
}

/// What an interrupt may take from the line to the handler's look. chosen: ten times the usual.
constexpr std::chrono::nanoseconds kInterruptGrace = std::chrono::microseconds(50);

bool isDeviceFault(hw::JobStatus status) {
    return status != hw::JobStatus::kOk && status != hw::JobStatus::kNoRoom &&
           status != hw::JobStatus::kAborted && status != hw::JobStatus::kLoopTimeout;
}

}  // namespace

Result<std::shared_ptr<DeviceRuntime>> DeviceRuntime::create(DevicePort& port,
                                                             const DriverOptions& options) {
    auto info = DeviceInfo::read(port);
    if (!info) {
        return tl::unexpected(std::move(info.error()));
    }
    std::shared_ptr<DeviceRuntime> runtime(new DeviceRuntime(port, options, *info));
    VNPU_TRY(runtime->boot());
    return runtime;
}

DeviceRuntime::DeviceRuntime(DevicePort& port, const DriverOptions& options, const DeviceInfo& info)
    : port_(port),
      options_(options),
      info_(info),
      log_(port, options.observer),
      onChip_(port, info, counters_),
      mailbox_(port),
      rings_(info.ringCount),
      jobs_(port, counters_),
      interrupts_({.port = port,
                   .mailbox = mailbox_,
                   .rings = rings_,
                   .jobs = jobs_,
                   .log = log_,
                   .onFatal =
                           [this](const std::string& reason) {
                               recovery_.begin(FaultCause::kFatalInterrupt, reason);
                           },
                   .onFault =
                           [this](const FaultReport& report) {
                               const bool isEcho =  // of the reset
                                       report.cause == FaultCause::kSpuriousInterrupt &&
                                       recovery_.isRecovering();
                               if (!isEcho) {
                                   recovery_.report(report);
                               }
                           }}),
      recovery_({.port = port,
                 .info = info_,
                 .log = log_,
                 .mailbox = mailbox_,
                 .rings = rings_,
                 .jobs = jobs_,
                 .interrupts = interrupts_,
                 .post =
                         [this](std::function<void()> work) {
                             port_.post([self = weak_from_this().lock(), task = std::move(work)] {
                                 if (self != nullptr) {
                                     task();
                                 }
                             });
                         }}),
      contexts_(std::make_unique<ContextTable>(
              ContextTable::Options{.port = port,
                                    .counters = counters_,
                                    .mailbox = mailbox_,
                                    .rings = rings_,
                                    .budget = BootMemory::budgetBeside(info_),
                                    .userLimits = options.userLimits,
                                    .contextCount = info.contextCount})),
      power_({.port = port,
              .info = info_,
              .log = log_,
              .mailbox = mailbox_,
              .rings = rings_,
              .counters = counters_}),
      admissions_(port, counters_, options.scheduling, options.insists),
      strategy_(createStrategy(port, options.scheduling.strategy)) {
    if (options.observer != nullptr) {
        counters_.onHostCopy = [this](std::uint64_t bytes) {
            options_.observer->onHostCopy(port_.now(), bytes);
        };
    }
    mailbox_.setHandlers({.onSilence =
                                  [this](const std::string& reason) {
                                      recovery_.begin(FaultCause::kMailboxSilence, reason);
                                  },
                          .onCorruption =
                                  [this](const std::string& what) {
                                      recovery_.report({.cause = FaultCause::kCorruptMessage,
                                                        .remedy = FaultRemedy::kRepeated,
                                                        .what = what});
                                  },
                          .onLostInterrupt =
                                  [this](const std::string& what) {
                                      recovery_.report(
                                              {.cause = FaultCause::kLostInterrupt, .what = what});
                                  }});
}

DeviceRuntime::~DeviceRuntime() {
    holdInReset(port_);
    port_.setInterruptHandler({});
}

Result<void> DeviceRuntime::boot() {
    auto memory = BootMemory::create(port_, counters_, info_);
    if (!memory) {
        return tl::unexpected(std::move(memory.error()));
    }
    bootMemory_ = std::make_unique<BootMemory>(std::move(*memory));
    port_.setInterruptHandler([this] { interrupts_.handle(); });
    VNPU_TRY(bootFirmware(port_, *bootMemory_, info_, mailbox_));
    if (auto set = setScheduling(*bootMemory_, mailbox_, options_.scheduling); !set) {
        if (set.error().status != ErrorStatus::GENERAL_FAILURE) {
            return set;
        }
        log_.line(fmt::format("scheduling is left to the firmware: {}", set.error().reason));
    }
    recovery_.arm(*bootMemory_);
    return {};
}

Result<std::optional<fw::CompletionRecord>> DeviceRuntime::runJob(JobRing& ring, fw::JobSlot slot,
                                                                  const JobTerms& terms) {
    if (!strategy_->enter(terms.uid, terms.halPriority, terms.patience)) {
        return std::nullopt;
    }
    auto record = runAtOnce(ring, slot, terms);
    strategy_->leave();
    if (!record) {
        return tl::unexpected(std::move(record.error()));
    }
    count(*record);
    return *record;
}

Result<fw::CompletionRecord> DeviceRuntime::runAtOnce(JobRing& ring, fw::JobSlot slot,
                                                      const JobTerms& terms) {
    const std::shared_ptr<PendingJob> job = jobs_.add();
    slot.jobId = job->id;
    slot.fenceValue = job->id;
    slot.commandStreamVersion = info_.commandStreamVersion;
    if (terms.onSubmitted) {
        terms.onSubmitted(job->id);
    }
    if (auto submitted = ring.submit(slot); !submitted) {
        jobs_.drop(job->id);
        return tl::unexpected(std::move(submitted.error()));
    }
    ++counters_.jobsSubmitted;
    power_.onJobBegin(slot.clockLevel);
    auto record = awaitJob(*job, ring, firstLookAfter(slot.estimateCycles, info_.clockHz),
                           terms.patience);
    power_.onJobEnd();
    if (record && record->contextStatus != hw::JobStatus::kOk) {
        reportLostContext(*record, ring);
    }
    if (record && isDeviceFault(record->status)) {
        reportFailure(*record, ring);
    }
    return record;
}

Result<fw::CompletionRecord> DeviceRuntime::awaitJob(PendingJob& job, const JobRing& ring,
                                                     std::chrono::nanoseconds firstPause,
                                                     Patience patience) {
    const std::chrono::nanoseconds longest = options_.progressTimeout / 2;
    std::chrono::nanoseconds now = port_.now();
    std::chrono::nanoseconds pause = std::min(firstPause, longest);
    std::chrono::nanoseconds nextLook = now + pause;  // for its record
    std::chrono::nanoseconds nextBeat = now + longest;
    HeartbeatWatch heartbeat;
    for (;;) {
        std::chrono::nanoseconds wait = nextLook - now;
        if (patience) {
            if (const auto time = patience()) {
                wait = std::min(wait, *time);
            } else {
                abort(job, ring);
                patience = {};
            }
        }
        if (job.done->waitFor(wait)) {
            break;
        }
        now = port_.now();
        if (now < nextLook) {
            continue;
        }
        collectLost(job);
        if (now < nextBeat) {
            pause = std::min(2 * pause, nextBeat - now);
        } else {
            lookForLife(job, heartbeat);
            pause = longest;
            nextBeat = now + longest;
        }
        nextLook = now + pause;
    }
    if (job.failure) {
        return tl::unexpected(*job.failure);
    }
    if (!job.record) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE,
                    fmt::format("the device broke down during job {}", job.id));
    }
    return *job.record;
}

Result<void> DeviceRuntime::reschedule(SchedulingOptions options) {
    options.strategy = options_.scheduling.strategy;
    return setScheduling(*bootMemory_, mailbox_, options);
}

/// Whether the firmware still does something, while a job is pending.
void DeviceRuntime::lookForLife(const PendingJob& job, HeartbeatWatch& heartbeat) {
    if (recovery_.isRecovering()) {
        return;
    }
    if (hw::regs::IrqStatus::kFatal.get(readRegister<hw::regs::IrqStatus>(port_)) != 0) {
        recovery_.begin(FaultCause::kFatalInterrupt, "a fatal error that no interrupt told of");
    } else if (heartbeat.standsStill(readRegister<hw::regs::Heartbeat>(port_),
                                     recovery_.resets())) {
        recovery_.begin(FaultCause::kNoHeartbeat,
                        fmt::format("no heartbeat for {} ms of device time while job {} is pending",
                                    options_.progressTimeout.count() / 2'000'000, job.id));
    }
}

/// The job's record tells whether that came in time.
void DeviceRuntime::abort(const PendingJob& job, const JobRing& ring) {
    fw::Message message{};
    message.type = fw::MessageType::kAbortJob;
    message.target.ring = ring.index();
    message.target.jobId = job.id;
    if (const auto reply = mailbox_.request(message); !reply) {
        log_.line(fmt::format("job {} goes on: {}", job.id, reply.error().reason));
    }
}

void DeviceRuntime::count(const fw::CompletionRecord& record) {
    counters_.preemptions += record.preemptions;
    counters_.restarts += record.restarts;
    counters_.savedBytes += record.savedBytes;
    counters_.switchCycles += record.switchCycles;
    if (log_.observer() != nullptr) {
        log_.observer()->onJobShared(log_.now(), record.jobId,
                                     {.preemptions = record.preemptions,
                                      .restarts = record.restarts,
                                      .savedBytes = record.savedBytes,
                                      .reloadedBytes = record.reloadedBytes,
                                      .switchCycles = record.switchCycles,
                                      .wastedCycles = record.wastedCycles,
                                      .executedCycles = record.executedCycles});
    }
}

/// Takes records that the interrupt should have told of by now.
void DeviceRuntime::collectLost(PendingJob& job) {
    if (!rings_.hasRecords() || job.done->waitFor(kInterruptGrace) || !rings_.hasRecords()) {
        return;
    }
    interrupts_.collectCompletions();
    recovery_.report({.cause = FaultCause::kLostInterrupt,
                      .jobId = job.id,
                      .what = "a completion record waited in its ring"});
}

void DeviceRuntime::reportFailure(const fw::CompletionRecord& record, const JobRing& ring) {
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

void DeviceRuntime::reportLostContext(const fw::CompletionRecord& record, const JobRing& ring) {
    recovery_.report({.cause = FaultCause::kContextLost,
                      .remedy = FaultRemedy::kJobRestarted,
                      .jobId = record.jobId,
                      .ring = ring.index(),
                      .engine = record.contextEngine,
                      .status = record.contextStatus,
                      .what = fmt::format("its context between chip and save area: {}",
                                          hw::jobStatusName(record.contextStatus))});
}

}  // namespace vnpu::driver
