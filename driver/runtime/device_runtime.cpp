// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/device_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/port/register_access.h"
#include "driver/runtime/firmware_log.h"

namespace vnpu::driver {

namespace {

/// How long a job may go on before the driver looks whether the firmware is alive.
constexpr std::chrono::milliseconds kWatchPeriod{100};  // chosen: a hundred heartbeats (boot.cpp)

constexpr std::size_t kShownLogRecords = 16;  // chosen: the last few jobs

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
                   .onFatal = [this](const std::string& reason) { breakDown(reason); }}),
      contexts_(std::make_unique<ContextTable>(
              ContextTable::Options{.port = port,
                                    .counters = counters_,
                                    .mailbox = mailbox_,
                                    .rings = rings_,
                                    .budget = BootMemory::budgetBeside(info_),
                                    .userLimits = options.userLimits,
                                    .contextCount = info.contextCount})),
      admissions_(port, counters_, options.scheduling),
      strategy_(createStrategy(port, options.scheduling.strategy)) {
    if (options.observer != nullptr) {
        counters_.onHostCopy = [this](std::uint64_t bytes) {
            options_.observer->onHostCopy(port_.now(), bytes);
        };
    }
    mailbox_.setSilenceHandler([this](const std::string& reason) { breakDown(reason); });
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
    auto set = setScheduling(port_, counters_, mailbox_, options_.scheduling);
    if (!set && set.error().status == ErrorStatus::GENERAL_FAILURE) {
        log_.line(fmt::format("scheduling is left to the firmware: {}", set.error().reason));
        return {};
    }
    return set;
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
    return awaitJob(*job, ring, terms.patience);
}

Result<fw::CompletionRecord> DeviceRuntime::awaitJob(PendingJob& job, const JobRing& ring,
                                                     Patience patience) {
    std::uint32_t heartbeat = 0;
    bool isFirstLook = true;
    std::chrono::nanoseconds unwatched{};
    while (true) {
        std::chrono::nanoseconds wait = kWatchPeriod - unwatched;
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
        unwatched += wait;
        if (unwatched < kWatchPeriod) {
            continue;
        }
        unwatched = {};
        interrupts_.collectCompletions();  // an interrupt may have been lost
        const std::uint32_t beat = readRegister<hw::regs::Heartbeat>(port_);
        if (!isFirstLook && beat == heartbeat) {
            breakDown(fmt::format("no heartbeat for 100 ms of device time while job {} is pending",
                                  job.id));
        }
        isFirstLook = false;
        heartbeat = beat;
    }
    if (!job.record) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE,
                    fmt::format("the device broke down during job {}", job.id));
    }
    return *job.record;
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
                                      .switchCycles = record.switchCycles,
                                      .wastedCycles = record.wastedCycles,
                                      .executedCycles = record.executedCycles});
    }
}

void DeviceRuntime::breakDown(const std::string& reason) {
    if (isBroken_.exchange(true)) {
        return;
    }
    holdInReset(port_);
    log_.line(fmt::format("device out of order: {}", reason));
    if (bootMemory_ != nullptr) {
        for (const std::string& record : readFirmwareLog(bootMemory_->log(), kShownLogRecords)) {
            log_.line("firmware log: " + record);
        }
    }
    mailbox_.shutDown();
    rings_.shutDown();
    jobs_.endAll();
}

}  // namespace vnpu::driver
