// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/firmware.h"

#include <algorithm>
#include <optional>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/dispatched_commands.h"
#include "firmware/core/base/interrupts.h"
#include "firmware/core/base/log_ring.h"
#include "firmware/core/base/register_io.h"
#include "firmware/core/host/boot_sequence.h"
#include "firmware/core/host/context_table.h"
#include "firmware/core/host/mailbox_server.h"
#include "firmware/core/host/outbox.h"
#include "firmware/core/host/power_manager.h"
#include "firmware/core/host/state_dumper.h"
#include "firmware/core/host/supervisor.h"
#include "firmware/core/jobs/dispatcher.h"
#include "firmware/core/jobs/job_runner.h"
#include "firmware/core/scheduling/ring_table.h"
#include "firmware/core/scheduling/scheduler.h"

namespace vnpu::fw {
namespace {

/// Everything that exists from a boot to the next reset.
class Session {
  public:
    explicit Session(hw::ControllerPort& port) : port_(port) {}

    void run();

  private:
    bool boot();
    void sendBootMessage(BootError error);
    void waitForReset();
    void runJobs();
    void runJob(std::uint32_t ring);
    void saveKept(HeadJob& head, std::uint64_t blocks);
    void endTurn(const HeadJob& head, TurnEnd end);
    void noteTurnEnd(const HeadJob& head, TurnEnd end);
    void stop(std::uint32_t engine, std::uint64_t jobId);
    void idle();

    hw::ControllerPort& port_;
    Interrupts interrupts_{port_};
    LogRing log_{port_};
    Outbox outbox_{port_};
    ContextTable contexts_{port_};
    RingTable rings_{port_, log_};
    Scheduler scheduler_{{port_, rings_, log_}};
    DispatchedCommands commands_;
    StateDumper dumper_{port_, commands_, rings_};
    PowerManager power_{{port_, interrupts_, contexts_, log_}};
    MailboxServer mailbox_{
            {port_, interrupts_, contexts_, rings_, outbox_, log_, scheduler_, power_, dumper_}};
    Supervisor supervisor_{{port_, interrupts_, rings_, mailbox_, scheduler_}};
    Dispatcher dispatcher_{{port_, interrupts_, supervisor_, commands_}};
    JobRunner runner_{{port_, dispatcher_, scheduler_, rings_, log_, dumper_}};
    std::uint64_t backoffCycles_ = kMinBackoffCycles;
    bool isStopped_ = false;
};

void setState(hw::ControllerPort& port, regs::DeviceState state) {
    writeRegister<regs::StatusSet>(port, static_cast<std::uint32_t>(state));
}

void Session::run() {
    if (boot()) {
        runJobs();
    } else {
        waitForReset();
    }
}

bool Session::boot() {
    const bool isCold = regs::PowerStatus::kCold.get(readRegister<regs::PowerStatus>(port_)) != 0;
    port_.trace(isCold ? "cold-boot" : "warm-boot", 0);
    const BootResult result = readBootParameters(port_, log_);
    if (result.error != BootError::kNone) {
        setState(port_, regs::DeviceState::kFailed);
        port_.trace("boot-failed", 0);
        sendBootMessage(result.error);
        return false;
    }
    supervisor_.setHeartbeatInterval(result.parameters.heartbeatIntervalCycles);
    dispatcher_.watchdog().setBound(result.parameters.watchdogCycles);
    dumper_.setHangAddress(result.parameters.dumpBusAddress);
    runner_.readDeviceLimits();
    dispatcher_.readDeviceLimits();
    power_.readDeviceLimits();
    writeRegister<regs::MmuInvalidate>(port_, regs::MmuInvalidate::kAll.mask());
    log_.add(LogEvent::kBoot, kBootApiVersion, isCold ? 0 : 1);
    // The state comes first, so that a driver that the message wakes reads it.
    setState(port_, regs::DeviceState::kReady);
    port_.trace("ready", 0);
    sendBootMessage(BootError::kNone);
    return true;
}

/// Sends the message, after the host has read any message left by an earlier boot.
void Session::sendBootMessage(BootError error) {
    outbox_.put(bootMessage(error));
    while (true) {
        interrupts_.poll();
        if (interrupts_.isReset() || outbox_.flush()) {
            return;
        }
        interrupts_.sleep(0);
    }
}

void Session::waitForReset() {
    while (true) {
        interrupts_.poll();
        if (interrupts_.isReset()) {
            return;
        }
        interrupts_.sleep(0);
    }
}

void Session::runJobs() {
    while (true) {
        supervisor_.service();
        if (supervisor_.isReset()) {
            return;
        }
        if (isStopped_) {
            waitForReset();
            return;
        }
        std::uint32_t ring = 0;
        const bool isPicked = scheduler_.pick(ring);
        // An idle device may lose its power.
        const std::uint64_t blocks =
                isPicked ? rings_.head(ring).job.sramBlocks() : hw::kAllSramBlocks;
        if (HeadJob* other = rings_.findKept(blocks, isPicked ? ring : Scheduler::kNoRing)) {
            saveKept(*other, blocks);
        } else if (isPicked) {
            runJob(ring);
        } else {
            idle();
        }
    }
}

void Session::runJob(std::uint32_t ring) {
    HeadJob& head = rings_.head(ring);
    const std::uint64_t jobId = head.job.slot.jobId;
    backoffCycles_ = kMinBackoffCycles;
    if (!head.progress.hasStarted) {
        port_.trace("job-start", jobId);
        log_.add(LogEvent::kJobStart, ring, jobId);
    } else if (!head.progress.isSaved) {
        port_.trace("restarted", jobId);
        log_.add(LogEvent::kJobRestarted, ring, jobId);
    }
    power_.beginTurn(head.job.slot);
    scheduler_.onStart(ring);
    const TurnEnd end = runner_.run(head);
    scheduler_.onTurnEnd();
    endTurn(head, end);
}

/// After this turn the scheduler chooses again.
void Session::saveKept(HeadJob& head, std::uint64_t blocks) {
    scheduler_.onSaveKept(head.job.ring);
    const TurnEnd end = runner_.saveKept(head, blocks);
    scheduler_.onTurnEnd();
    if (end == TurnEnd::kPreempted) {
        log_.add(LogEvent::kKeptSaved, head.job.ring, head.job.slot.jobId);
    } else {
        endTurn(head, end);
    }
}

void Session::endTurn(const HeadJob& head, TurnEnd end) {
    if (supervisor_.isReset()) {
        return;
    }
    if (end != TurnEnd::kDone) {
        noteTurnEnd(head, end);
        return;
    }
    const std::uint32_t ring = head.job.ring;
    const std::uint64_t jobId = head.job.slot.jobId;
    const JobResult& result = runner_.result();
    if (result.status != hw::JobStatus::kOk && result.status != hw::JobStatus::kAborted) {
        log_.add(LogEvent::kFault, static_cast<std::uint32_t>(result.status), result.faultAddress);
    }
    if (result.status == hw::JobStatus::kEngineHang) {
        log_.add(LogEvent::kEngineHang, result.failingEngine, jobId);
    }
    log_.add(LogEvent::kJobEnd, static_cast<std::uint32_t>(result.status), jobId);
    rings_.complete(ring, result);
    port_.trace("job-end", jobId);
    if (result.isDeviceStuck) {
        stop(result.failingEngine, jobId);
    }
}

/// Called when an engine ignores its abort: then only a device reset by the driver can free it.
void Session::stop(std::uint32_t engine, std::uint64_t jobId) {
    log_.add(LogEvent::kStopped, engine, jobId);
    setState(port_, regs::DeviceState::kStopped);
    port_.trace("stopped", jobId);
    writeRegister<regs::IrqRaise>(port_, regs::IrqStatus::kFatal.mask());
    isStopped_ = true;
}

void Session::noteTurnEnd(const HeadJob& head, TurnEnd end) {
    const bool isSaved = end == TurnEnd::kPreempted;
    port_.trace(isSaved ? "preempted" : "stopped", head.job.slot.jobId);
    log_.add(isSaved ? LogEvent::kJobPreempted : LogEvent::kJobStopped, head.job.ring,
             head.job.slot.jobId);
}

/// Sleeps until the next event; while a full completion ring blocks jobs, checks it again after
/// growing pauses.
void Session::idle() {
    if (!scheduler_.isStalled()) {
        power_.idle();
        return;
    }
    interrupts_.sleep(backoffCycles_);
    backoffCycles_ = std::min(2 * backoffCycles_, kMaxBackoffCycles);
}

class Firmware final : public hw::ControllerProgram {
  public:
    void run(hw::ControllerPort& port) override { session_.emplace(port).run(); }

  private:
    // A member rather than a local variable of run(): its tables are too large for a small stack.
    std::optional<Session> session_;
};

}  // namespace

std::unique_ptr<hw::ControllerProgram> createFirmware() {
    return std::make_unique<Firmware>();
}

}  // namespace vnpu::fw
