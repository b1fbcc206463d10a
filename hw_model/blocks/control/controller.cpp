// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/controller.h"

#include <algorithm>
#include <utility>

#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/blocks/control/dispatcher.h"
#include "hw_model/blocks/control/power_controller.h"
#include "hw_model/blocks/memory/dma_copies.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/memory_timing.h"

namespace vnpu::hw {

namespace {

// chosen: the size of a thread's stack; a device that runs ahead computes its data on this one
constexpr std::size_t kStackBytes = 8U << 20;

// Registers whose effects are visible only to engines and controller, or not time-critical.
bool isDeviceInternal(std::uint32_t offset) {
    return (offset >= regs::EnginePush::kSpec.offset &&
            offset < regs::ContextRootLo::kSpec.offset) ||
           offset == regs::ControllerIrqStatus::kSpec.offset ||
           offset == regs::HeartbeatTick::kSpec.offset ||
           offset == regs::DoorbellPending::kSpec.offset ||
           (offset >= regs::DoorbellValue::kSpec.offset &&
            offset < regs::DoorbellValue::kSpec.at(regs::kRingCount)) ||
           offset == regs::CycleCounterLo::kSpec.offset ||
           offset == regs::CycleCounterHi::kSpec.offset;
}

}  // namespace

Controller::Controller(const sc_core::sc_module_name& name, const Parts& parts,
                       std::unique_ptr<ControllerProgram> program)
    : sc_module(name),
      parts_(parts),
      maxLead_(parts.mayRunAhead ? kMaxAheadCycles : kMaxLeadCycles),
      program_(std::move(program)) {
    SC_THREAD(runPrograms);
    set_stack_size(kStackBytes);
    wakeEvents_ |= timeoutEvent_;
    wakeEvents_ |= parts_.interrupts.controllerEvent();
}

template <typename... Until>
void Controller::sleep(const Until&... until) {
    parts_.clock.clearLead();
    parts_.timer.release();
    wait(until...);
    presentCycle_ = parts_.clock.simulated();
    horizonCycle_ = 0;
}

void Controller::boot() {
    isBootPending_ = true;
    bootEvent_.notify(sc_core::SC_ZERO_TIME);
}

void Controller::assertReset() {
    isBootPending_ = false;
    isDoomed_ = true;
    resetCycle_ = parts_.clock.now();
    parts_.interrupts.raiseController(regs::ControllerIrqStatus::kReset.mask());
}

void Controller::runPrograms() {
    while (true) {
        while (!isBootPending_) {
            sleep(bootEvent_);
        }
        isBootPending_ = false;
        isDoomed_ = false;
        parts_.interrupts.clearController(regs::ControllerIrqStatus::kReset.mask());
        localCycle_ = presentCycle_;
        countedCycle_ = localCycle_;
        try {
            program_->run(*this);
        } catch (const ResetUnwind&) {
        }
        catchUp();
        countAwake();
    }
}

void Controller::catchUp() {
    if (localCycle_ > presentCycle_) {
        sleep(parts_.clock.until(localCycle_));
    } else {
        localCycle_ = presentCycle_;
    }
}

void Controller::checkGrace() const {
    if (isDoomed_ && localCycle_ > resetCycle_ + kResetGraceCycles) {
        throw ResetUnwind{};
    }
}

/// Simulates a controller hang: spins until the reset.
void Controller::hangIfDue() {
    if (isDoomed_ || !parts_.faults->hangsController(localCycle_)) {
        return;
    }
    catchUp();
    parts_.interrupts.setControllerAsleep(true);
    while (!isDoomed_) {
        sleep(parts_.interrupts.controllerEvent());
    }
    parts_.interrupts.setControllerAsleep(false);
    localCycle_ = std::max(localCycle_, presentCycle_);
    throw ResetUnwind{};
}

void Controller::enter(bool mayLead) {
    checkHang();
    if (mayLead && reach(localCycle_)) {
        parts_.clock.setLead(localCycle_);
    } else {
        catchUp();
    }
    checkGrace();
}

/// Whether everything due up to `cycle` has happened, or can be carried out here without SystemC.
/// The clock's position afterwards is undefined.
bool Controller::reach(std::uint64_t cycle) {
    if (cycle <= presentCycle_ || cycle > presentCycle_ + maxLead_) {
        return false;
    }
    EngineTimer& timer = parts_.timer;
    while (true) {
        if (horizonCycle_ == 0) {
            horizonCycle_ = parts_.mayRunAhead ? timer.horizon() : parts_.clock.horizon();
        }
        if (cycle > horizonCycle_) {
            return false;
        }
        if (timer.scheduled() > cycle) {
            return true;
        }
        if (!parts_.mayRunAhead) {
            return false;
        }
        timer.serveAhead();
        if (parts_.interrupts.isLineDue() || parts_.faults != nullptr) {
            horizonCycle_ = 0;  // SystemC may have something to do earlier
        }
    }
}

/// Charges core cycles. At slow clock levels the fractions of device cycles add up.
void Controller::spend(std::uint64_t coreCycles) {
    coreCycles_ += coreCycles;
    const std::uint64_t deviceKhz = parts_.clock.deviceKhz();
    const std::uint64_t coreKhz = parts_.clock.coreKhz();
    if (deviceKhz == coreKhz) {
        localCycle_ += coreCycles;
        return;
    }
    const std::uint64_t parts = coreCycles * deviceKhz + partOfCycle_;
    localCycle_ += parts / coreKhz;
    partOfCycle_ = parts % coreKhz;
}

void Controller::countAwake() {
    parts_.counters.add(regs::PerfEvent::kControllerCycles, localCycle_ - countedCycle_);
    countedCycle_ = localCycle_;
    Activity activity;
    activity[regs::PerfEvent::kControllerCoreCycles] = std::exchange(coreCycles_, 0);
    activity[regs::PerfEvent::kControllerBusBytes] = std::exchange(movedBytes_, 0);
    parts_.counters.add(activity);
    if (parts_.observer != nullptr) {
        parts_.observer->onControllerActivity(localCycle_, activity);
    }
}

std::uint32_t Controller::read32(std::uint32_t offset) {
    spend(parts_.config.controller.registerCycles);
    enter(isDeviceInternal(offset));
    std::uint32_t value = 0;
    const RegisterError error = parts_.registers.read(offset, true, value);
    if (error != RegisterError::kNone && parts_.observer != nullptr) {
        parts_.observer->onFault(parts_.clock.now(), Engine::kController, JobStatus::kBusError,
                                 "controller read of a register that cannot be read");
    }
    return value;
}

void Controller::write32(std::uint32_t offset, std::uint32_t value) {
    spend(parts_.config.controller.registerCycles);
    const bool mayLead = isDeviceInternal(offset);
    enter(mayLead);
    if (!isDoomed_) {
        const RegisterError error = parts_.registers.write(offset, true, value);
        if (error != RegisterError::kNone && parts_.observer != nullptr) {
            parts_.observer->onFault(parts_.clock.now(), Engine::kController, JobStatus::kBusError,
                                     "controller write of a register that cannot be written");
        }
    }
    // A device-internal write can only schedule an engine's deadline or a fault.
    if (!mayLead || parts_.faults != nullptr) {
        horizonCycle_ = 0;
    }
    if (parts_.power.isSwitching()) {
        awaitSwitch();
    }
}

void Controller::awaitSwitch() {
    partOfCycle_ = 0;
    localCycle_ += parts_.power.switchCycles();
    catchUp();
    parts_.power.endSwitch();
}

void Controller::charge(std::uint32_t cycles) {
    spend(cycles);
    if (localCycle_ > presentCycle_ + maxLead_) {
        catchUp();
        checkGrace();
    }
}

void Controller::waitForInterrupt(std::uint64_t timeoutCycles) {
    checkGrace();
    checkHang();
    if (parts_.interrupts.controllerStatus() != 0) {
        // The bit may lie in the program's future, or the program may loop without clearing it.
        charge(1);
        return;
    }
    countAwake();
    if (parts_.power.suspends()) {
        sleepSuspended();
    } else {
        const std::uint64_t deadline = timeoutCycles == 0 ? kNever : localCycle_ + timeoutCycles;
        const bool hasCome = parts_.mayRunAhead && awaitAhead(deadline);
        if (!hasCome) {
            parts_.interrupts.setControllerAsleep(true);
            sleepUntilInterrupt(deadline);
            parts_.interrupts.setControllerAsleep(false);
        }
    }
    localCycle_ = std::max(localCycle_, presentCycle_);
    countedCycle_ = localCycle_;
    spend(parts_.config.controller.interruptCycles);
}

void Controller::sleepSuspended() {
    catchUp();
    PowerController& power = parts_.power;
    power.beginSuspend();
    sleep(parts_.clock.until(presentCycle_ + power.suspendCycles()));
    power.endSuspend();
    parts_.interrupts.setControllerAsleep(true);
    while (parts_.interrupts.controllerStatus() == 0) {
        sleep(parts_.interrupts.controllerEvent());
    }
    parts_.interrupts.setControllerAsleep(false);
    power.beginResume();
    sleep(parts_.clock.until(presentCycle_ + power.resumeCycles()));
    power.endResume();
    if (isDoomed_) {
        resetCycle_ = presentCycle_;  // earlier, the program had no power to notice it
    }
}

/// Whether an engine's interrupt or the deadline comes before anything else that is due in SystemC.
bool Controller::awaitAhead(std::uint64_t deadline) {
    while (true) {
        const std::uint64_t next = std::min(parts_.timer.scheduled(), deadline);
        const bool isReached = next != kNever && reach(next);
        const bool isWoken = parts_.interrupts.controllerStatus() != 0;
        if (isWoken || (isReached && next == deadline)) {
            localCycle_ = std::max(localCycle_, next);
            return true;
        }
        if (!isReached) {
            return false;
        }
    }
}

// A program that sleeps with a timeout is nearly always woken earlier. Cancelled notifications
// would stay in SystemC's queue until their time, so the timer stays where an earlier sleep set it
// and moves only when it fires.
void Controller::sleepUntilInterrupt(std::uint64_t deadline) {
    if (timeoutCycle_ <= presentCycle_) {  // it fired, or is about to, while the program was awake
        timeoutEvent_.cancel();
        timeoutCycle_ = kNever;
    }
    while (true) {
        if (deadline < timeoutCycle_) {
            timeoutCycle_ = deadline;
            timeoutEvent_.notify(parts_.clock.until(deadline));
        }
        sleep(wakeEvents_);
        if (presentCycle_ >= timeoutCycle_) {
            timeoutCycle_ = kNever;
        }
        if (parts_.interrupts.controllerStatus() != 0 || presentCycle_ >= deadline) {
            return;
        }
    }
}

void Controller::trace(std::string_view event, std::uint64_t jobId) {
    if (parts_.observer == nullptr) {
        return;
    }
    enter(true);
    parts_.observer->onFirmwareEvent(parts_.clock.now(), event, jobId);
}

JobStatus Controller::locate(std::uint32_t context, std::uint64_t address, std::uint64_t bytes,
                             bool isWrite) {
    walkCycles_ = 0;
    tableReads_.clear();
    pieces_.clear();
    if (context == kPhysical) {
        pieces_.push_back({address, bytes});
        return JobStatus::kOk;
    }
    const std::uint32_t counts[3] = {1, 1, 1};
    const std::uint32_t strides[3] = {};
    const DmaTranslationResult result =
            translateRows({parts_.mmu, context, Engine::kController, isWrite},
                          DmaRows(address, bytes, counts, strides), &pieces_);
    walkCycles_ = result.walkCycles;
    tableReads_ = result.tableReads;
    if (result.status == JobStatus::kMmuFault &&
        parts_.mmu.recordFault({result.faultAddress, context, Engine::kController, isWrite,
                                result.isPermission})) {
        parts_.interrupts.raiseHost(regs::IrqStatus::kFault.mask());
        horizonCycle_ = 0;
    }
    return result.status;
}

void Controller::occupyMemory(std::uint64_t bytes, bool isWrite) {
    const NpuConfig& config = parts_.config;
    const std::uint64_t now = localCycle_;
    const std::uint64_t onBus = busBytes(config.dma, 1, bytes);
    const double rate = std::min(dramRate(config.dram, bytes, 0),
                                 parts_.clock.ofCoreRate(config.interconnect.bytesPerCycle));
    const std::uint64_t latency = memoryLatencyCycles(config, parts_.clock);
    MemoryPlaces places{.tableReads = tableReads_, .tableLatencyCycles = latency};
    (isWrite ? places.writes : places.reads) = pieces_;
    parts_.arbiter.start(MemoryArbiter::kControllerFlow, now,
                         {now + walkCycles_ + latency, onBus, rate, 1, 0, places});
    parts_.dispatcher.transfersChanged();
    while (true) {
        const std::uint64_t end = parts_.arbiter.endCycle(MemoryArbiter::kControllerFlow);
        if (end <= localCycle_) {
            break;
        }
        // An engine's action before `end` may change the end.
        const std::uint64_t next = std::min(end, parts_.timer.scheduled());
        if (parts_.mayRunAhead && reach(next)) {
            localCycle_ = std::max(localCycle_, next);
        } else {
            sleep(parts_.clock.until(end));
            localCycle_ = std::max(localCycle_, presentCycle_);
        }
    }
    parts_.clock.setLead(localCycle_);
    parts_.arbiter.stop(MemoryArbiter::kControllerFlow, localCycle_);
    movedBytes_ += onBus;
    coreCycles_ += parts_.clock.toCore(localCycle_ - now);
}

JobStatus Controller::readMemory(std::uint32_t context, std::uint64_t address,
                                 std::span<std::byte> destination) {
    if (destination.empty()) {
        return JobStatus::kOk;
    }
    enter(parts_.mayRunAhead);
    const JobStatus status = locate(context, address, destination.size(), false);
    if (status != JobStatus::kOk) {
        localCycle_ += walkCycles_;
        return status;
    }
    occupyMemory(destination.size(), false);
    return readPieces(parts_.memory, pieces_, destination.data()) ? JobStatus::kBusError
                                                                  : JobStatus::kOk;
}

JobStatus Controller::writeMemory(std::uint32_t context, std::uint64_t address,
                                  std::span<const std::byte> source) {
    if (source.empty()) {
        return JobStatus::kOk;
    }
    enter(parts_.mayRunAhead);
    if (isDoomed_) {
        return JobStatus::kOk;
    }
    const JobStatus status = locate(context, address, source.size(), true);
    if (status != JobStatus::kOk) {
        localCycle_ += walkCycles_;
        return status;
    }
    occupyMemory(source.size(), true);
    if (isDoomed_) {
        return JobStatus::kOk;
    }
    std::vector<std::byte> spoiled;
    const std::byte* from = source.data();
    if (parts_.faults != nullptr && context == kPhysical) {
        spoiled.assign(source.begin(), source.end());
        parts_.faults->passRecord(parts_.clock.now(), spoiled);
        from = spoiled.data();
    }
    return writePieces(parts_.memory, pieces_, from) ? JobStatus::kBusError : JobStatus::kOk;
}

}  // namespace vnpu::hw
