// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/device_registers.h"

#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/control/dispatcher.h"
#include "hw_model/blocks/control/power_controller.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/engines/dsp.h"
#include "hw_model/blocks/host/doorbells.h"
#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/blocks/host/mailbox.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/blocks/memory/mmu.h"
#include "hw_model/blocks/memory/sram.h"
#include "hw_model/regs/check.h"

namespace vnpu::hw {

namespace {

using Blocks = RegisterBlocks;

/// The accessed element of a register array, and the side that accesses it.
struct RegisterAccess {
    std::uint32_t index;
    bool isController;

    std::size_t side() const { return isController ? 1 : 0; }
    Engine engine() const { return static_cast<Engine>(index); }
};

std::uint32_t lowWord(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

std::uint32_t highWord(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

std::uint64_t withLowWord(std::uint64_t value, std::uint32_t word) {
    return (value & ~0xFFFFFFFFULL) | word;
}

std::uint64_t withHighWord(std::uint64_t value, std::uint32_t word) {
    return (value & 0xFFFFFFFFULL) | (std::uint64_t{word} << 32);
}

std::uint64_t perfCounter(const Blocks& blocks, std::uint32_t index) {
    const auto event = static_cast<regs::PerfEvent>(index);
    if (event == regs::PerfEvent::kDramBusyCycles) {
        return blocks.arbiter.dramBusyCycles();
    }
    const bool isOfBanks = event >= regs::PerfEvent::kDramRowHits &&
                           event <= regs::PerfEvent::kDramTurnaroundCycles;
    return isOfBanks ? blocks.arbiter.dramCount(event) : blocks.counters.value(event);
}

std::uint32_t readStatus(const Blocks& blocks) {
    using regs::Status;
    return blocks.registers.value(Status::kSpec.offset) |
           Status::kBusy.put(blocks.dispatcher.isBusy() ? 1 : 0) |
           Status::kSramRace.put(blocks.sram.isRaceSeen() ? 1 : 0);
}

void setState(Blocks& blocks, std::uint32_t state) {
    blocks.registers.setValue(regs::Status::kSpec.offset, regs::Status::kState.put(state));
    if (state == static_cast<std::uint32_t>(regs::DeviceState::kReady)) {
        blocks.power.noteBooted();
    }
}

void resetDevice(Blocks& blocks) {
    blocks.dispatcher.reset();
    blocks.mailbox.reset();
    blocks.doorbells.reset();
    blocks.interrupts.reset();
    blocks.mmu.reset();
    blocks.sram.clearRace();
    blocks.dsp.startJob();
    blocks.registers.reset();
    blocks.power.reset();
    blocks.jobId = 0;
    blocks.controller->assertReset();
}

void writeControl(Blocks& blocks, const RegisterAccess& access, std::uint32_t value) {
    using regs::Control;
    if (access.isController) {
        return;
    }
    const std::uint32_t previous = blocks.registers.value(Control::kSpec.offset);
    const bool isReset = Control::kReset.get(value) != 0;
    if (isReset && Control::kReset.get(previous) == 0) {
        resetDevice(blocks);
    }
    blocks.registers.setValue(Control::kSpec.offset, Control::kReset.put(isReset ? 1 : 0));
    if (!isReset && Control::kBoot.get(value) != 0) {
        setState(blocks, static_cast<std::uint32_t>(regs::DeviceState::kBooting));
        blocks.controller->boot();
    }
}

void writeJobStart(Blocks& blocks, std::uint32_t contextId) {
    blocks.work.finish();
    blocks.dispatcher.writeJobStart(contextId);
    const std::uint64_t keepLow = blocks.registers.value(regs::JobKeepLo::kSpec.offset);
    blocks.sram.startJob(
            withHighWord(keepLow, blocks.registers.value(regs::JobKeepHi::kSpec.offset)));
    blocks.dsp.startJob();
}

// JOB_ID is also stored so that it can be read back.
void writeJobId(Blocks& blocks, std::uint32_t offset, std::uint32_t word, std::uint64_t jobId) {
    blocks.registers.setValue(offset, word);
    blocks.jobId = jobId;
    blocks.dispatcher.setJobId(jobId);
}

void setDoneCycles(Blocks& blocks, std::uint64_t cycles) {
    Dsp::Done done = blocks.dsp.done();
    done.cycles = cycles;
    blocks.dsp.setDone(done);
}

void setDoneBytes(Blocks& blocks, std::uint64_t bytes) {
    Dsp::Done done = blocks.dsp.done();
    done.bytes = bytes;
    blocks.dsp.setDone(done);
}

void tickHeartbeat(Blocks& blocks) {
    const std::uint32_t offset = regs::Heartbeat::kSpec.offset;
    blocks.registers.setValue(offset, blocks.registers.value(offset) + 1);
}

}  // namespace

/// A register's behavior beyond loading and storing its word: a null `read` loads the stored word,
/// a null `write` stores it. `latch` holds state that a read changes.
struct RegisterHandlers {
    using Read = std::uint32_t (*)(const Blocks&, const RegisterAccess&);
    using Write = void (*)(Blocks&, const RegisterAccess&, std::uint32_t value);
    using Latch = void (*)(Blocks&, const RegisterAccess&);

    const regs::RegisterSpec* spec = nullptr;
    Read read = nullptr;
    Write write = nullptr;
    Latch latch = nullptr;
};

namespace {

// Parameters of the handlers below.
using In = const Blocks&;
using Out = Blocks&;
using At = const RegisterAccess&;
using Bits = std::uint32_t;

// Rows follow the order of the register map. A register without a row is a plain word.
constexpr RegisterHandlers kHandlers[] = {
        {.spec = &regs::Control::kSpec, .write = writeControl},
        {.spec = &regs::Status::kSpec, .read = [](In b, At) { return readStatus(b); }},
        {.spec = &regs::CycleCounterLo::kSpec,
         .read = [](In b, At) { return lowWord(b.clock.now()); },
         .latch = [](Out b, At a) { b.cycleLatches[a.side()] = highWord(b.clock.now()); }},
        {.spec = &regs::CycleCounterHi::kSpec,
         .read = [](In b, At a) { return b.cycleLatches[a.side()]; }},
        {.spec = &regs::IrqStatus::kSpec,
         .read = [](In b, At) { return b.interrupts.hostStatus(); },
         .write = [](Out b, At, Bits value) { b.interrupts.clearHost(value); }},
        {.spec = &regs::IrqMask::kSpec,
         .read = [](In b, At) { return b.interrupts.hostMask(); },
         .write = [](Out b, At, Bits value) { b.interrupts.setHostMask(value); }},
        {.spec = &regs::MailboxIn::kSpec,
         .read = [](In b, At a) { return b.mailbox.readIn(a.index); },
         .write = [](Out b, At a, Bits value) { b.mailbox.writeIn(a.index, value); }},
        {.spec = &regs::MailboxInControl::kSpec,
         .read = [](In b, At) { return b.mailbox.readInControl(); },
         .write = [](Out b, At a, Bits value) { b.mailbox.writeInControl(value, a.isController); }},
        {.spec = &regs::MailboxOut::kSpec,
         .read = [](In b, At a) { return b.mailbox.readOut(a.index); }},
        {.spec = &regs::MailboxOutControl::kSpec,
         .read = [](In b, At) { return b.mailbox.readOutControl(); },
         .write = [](Out b, At, Bits value) { b.mailbox.writeOutControl(value); }},
        {.spec = &regs::Doorbell::kSpec,
         .write = [](Out b, At a, Bits value) { b.doorbells.ring(a.index, value); }},
        {.spec = &regs::PowerStatus::kSpec, .read = [](In b, At) { return b.power.readStatus(); }},
        {.spec = &regs::MmuFaultInfo::kSpec,
         .read = [](In b, At) { return b.mmu.faultInfo(); },
         .write =
                 [](Out b, At, Bits value) {
                     if (regs::MmuFaultInfo::kValid.get(value) == 0) {
                         b.mmu.releaseFault();
                     }
                 }},
        {.spec = &regs::MmuFaultAddressLo::kSpec,
         .read = [](In b, At) { return lowWord(b.mmu.faultAddress()); }},
        {.spec = &regs::MmuFaultAddressHi::kSpec,
         .read = [](In b, At) { return highWord(b.mmu.faultAddress()); }},
        {.spec = &regs::MmuInvalidate::kSpec,
         .write = [](Out b, At, Bits value) { b.mmu.writeInvalidate(value); }},
        {.spec = &regs::PerfCounter::kSpec,
         .read = [](In b, At a) { return lowWord(perfCounter(b, a.index)); },
         .latch =
                 [](Out b, At a) {
                     b.perfLatches[a.side()][a.index] = highWord(perfCounter(b, a.index));
                 }},
        {.spec = &regs::PerfCounterHi::kSpec,
         .read = [](In b, At a) { return b.perfLatches[a.side()][a.index]; }},
        {.spec = &regs::EnginePush::kSpec,
         .write = [](Out b, At a, Bits value) { b.dispatcher.writePush(a.engine(), value); }},
        {.spec = &regs::EngineFree::kSpec,
         .read = [](In b, At a) { return b.dispatcher.readFree(a.engine()); }},
        {.spec = &regs::EngineTokens::kSpec,
         .read = [](In b, At a) { return b.dispatcher.readTokens(a.engine()); }},
        {.spec = &regs::EngineError::kSpec,
         .read = [](In b, At) { return b.dispatcher.readError(); }},
        {.spec = &regs::EngineAbort::kSpec,
         .write = [](Out b, At, Bits) { b.dispatcher.writeAbort(); }},
        {.spec = &regs::JobStart::kSpec,
         .write = [](Out b, At, Bits value) { writeJobStart(b, value); }},
        {.spec = &regs::JobIdLo::kSpec,
         .write =
                 [](Out b, At, Bits value) {
                     writeJobId(b, regs::JobIdLo::kSpec.offset, value, withLowWord(b.jobId, value));
                 }},
        {.spec = &regs::JobIdHi::kSpec,
         .write =
                 [](Out b, At, Bits value) {
                     writeJobId(b, regs::JobIdHi::kSpec.offset, value,
                                withHighWord(b.jobId, value));
                 }},
        {.spec = &regs::EngineWatch::kSpec,
         .read = [](In b, At) { return b.dispatcher.readWatch(); },
         .write = [](Out b, At, Bits value) { b.dispatcher.writeWatch(value); }},
        {.spec = &regs::JobSegment::kSpec,
         .write = [](Out b, At, Bits) { b.dispatcher.writeJobSegment(); }},
        {.spec = &regs::EngineTokensLoad::kSpec,
         .write = [](Out b, At a, Bits value) { b.dispatcher.writeTokens(a.engine(), value); }},
        {.spec = &regs::DspYield::kSpec,
         .read = [](In b, At) { return b.dsp.readYield(); },
         .write =
                 [](Out b, At, Bits value) {
                     b.dsp.writeYield(value);
                     b.dispatcher.dspChanged();
                 }},
        {.spec = &regs::DspDoneCyclesLo::kSpec,
         .read = [](In b, At) { return lowWord(b.dsp.done().cycles); },
         .write = [](Out b, At,
                     Bits value) { setDoneCycles(b, withLowWord(b.dsp.done().cycles, value)); }},
        {.spec = &regs::DspDoneCyclesHi::kSpec,
         .read = [](In b, At) { return highWord(b.dsp.done().cycles); },
         .write = [](Out b, At,
                     Bits value) { setDoneCycles(b, withHighWord(b.dsp.done().cycles, value)); }},
        {.spec = &regs::DspDoneBytesLo::kSpec,
         .read = [](In b, At) { return lowWord(b.dsp.done().bytes); },
         .write = [](Out b, At,
                     Bits value) { setDoneBytes(b, withLowWord(b.dsp.done().bytes, value)); }},
        {.spec = &regs::DspDoneBytesHi::kSpec,
         .read = [](In b, At) { return highWord(b.dsp.done().bytes); },
         .write = [](Out b, At,
                     Bits value) { setDoneBytes(b, withHighWord(b.dsp.done().bytes, value)); }},
        {.spec = &regs::EngineProgress::kSpec,
         .read = [](In b, At a) { return b.dispatcher.readProgress(a.engine()); }},
        {.spec = &regs::ContextRootLo::kSpec,
         .read = [](In b, At a) { return b.mmu.rootWord(a.index, false); },
         .write = [](Out b, At a, Bits value) { b.mmu.setRoot(a.index, false, value); }},
        {.spec = &regs::ContextRootHi::kSpec,
         .read = [](In b, At a) { return b.mmu.rootWord(a.index, true); },
         .write = [](Out b, At a, Bits value) { b.mmu.setRoot(a.index, true, value); }},
        {.spec = &regs::ControllerIrqStatus::kSpec,
         .read = [](In b, At) { return b.interrupts.controllerStatus(); },
         .write =
                 [](Out b, At, Bits value) {
                     // RESET stays set until the program has returned.
                     b.interrupts.clearController(value &
                                                  ~regs::ControllerIrqStatus::kReset.mask());
                 }},
        {.spec = &regs::DoorbellPending::kSpec,
         .read = [](In b, At) { return b.doorbells.pending(); },
         .write = [](Out b, At, Bits value) { b.doorbells.clearPending(value); }},
        {.spec = &regs::IrqRaise::kSpec,
         .write = [](Out b, At, Bits value) { b.interrupts.raiseHost(value); }},
        {.spec = &regs::StatusSet::kSpec,
         .write = [](Out b, At, Bits value) { setState(b, value); }},
        {.spec = &regs::HeartbeatTick::kSpec, .write = [](Out b, At, Bits) { tickHeartbeat(b); }},
        {.spec = &regs::PowerSuspend::kSpec,
         .read = [](In b, At) { return b.power.readSuspend(); },
         .write = [](Out b, At, Bits value) { b.power.writeSuspend(value); }},
        {.spec = &regs::ClockLevel::kSpec,
         .read = [](In b, At) { return b.power.readLevel(); },
         .write = [](Out b, At, Bits value) { b.power.writeLevel(value); }},
        {.spec = &regs::MailboxOutData::kSpec,
         .read = [](In b, At a) { return b.mailbox.readOutData(a.index); },
         .write = [](Out b, At a, Bits value) { b.mailbox.writeOutData(a.index, value); }},
        {.spec = &regs::DoorbellValue::kSpec,
         .read = [](In b, At a) { return b.doorbells.value(a.index); }},
};

constexpr RegisterHandlers kPlainWord;

}  // namespace

DeviceRegisters::DeviceRegisters(const RegisterBlocks& blocks)
    : blocks_(blocks), handlers_(regs::registerMap().size(), &kPlainWord) {
    for (const RegisterHandlers& row : kHandlers) {
        const regs::RegisterHit hit = regs::findRegister(row.spec->offset);
        VNPU_CHECK(hit.spec == row.spec, "handlers are those of a register of the map");
        handlers_[hit.number] = &row;
    }
}

std::uint64_t DeviceRegisters::count(regs::PerfEvent event) const {
    return perfCounter(blocks_, static_cast<std::uint32_t>(event));
}

void DeviceRegisters::powerOn() {
    resetDevice(blocks_);
    blocks_.counters.clear();
    blocks_.arbiter.clearCounts();
    blocks_.power.notePowerOn();
    blocks_.cycleLatches = {};
    blocks_.perfLatches = {};
}

RegisterError DeviceRegisters::read(std::uint32_t offset, bool isController, std::uint32_t& value) {
    regs::RegisterHit hit;
    const RegisterError error = blocks_.registers.decode(offset, false, isController, hit);
    if (error != RegisterError::kNone) {
        return error;
    }
    if (const auto latch = handlers_[hit.number]->latch) {
        latch(blocks_, {hit.index, isController});
    }
    value = load(offset, hit, isController);
    if (blocks_.observer != nullptr) {
        blocks_.observer->onRegisterAccess(blocks_.clock.now(), false, isController, offset, value);
    }
    return error;
}

RegisterError DeviceRegisters::write(std::uint32_t offset, bool isController, std::uint32_t value) {
    regs::RegisterHit hit;
    const RegisterError error = blocks_.registers.decode(offset, true, isController, hit);
    if (error != RegisterError::kNone) {
        return error;
    }
    if (blocks_.observer != nullptr) {
        blocks_.observer->onRegisterAccess(blocks_.clock.now(), true, isController, offset, value);
    }
    if (const auto handler = handlers_[hit.number]->write) {
        handler(blocks_, {hit.index, isController}, value);
    } else {
        blocks_.registers.setValue(offset, value);
    }
    return error;
}

RegisterError DeviceRegisters::peek(std::uint32_t offset, std::uint32_t& value) const {
    regs::RegisterHit hit;
    const RegisterError error = blocks_.registers.decode(offset, false, true, hit);
    if (error == RegisterError::kNone) {
        value = load(offset, hit, false);
    }
    return error;
}

std::uint32_t DeviceRegisters::load(std::uint32_t offset, const regs::RegisterHit& hit,
                                    bool isController) const {
    const auto handler = handlers_[hit.number]->read;
    return handler != nullptr ? handler(blocks_, {hit.index, isController})
                              : blocks_.registers.value(offset);
}

}  // namespace vnpu::hw
