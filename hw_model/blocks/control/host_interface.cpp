// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/host_interface.h"

#include <cstring>

#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/control/controller.h"
#include "hw_model/blocks/control/dispatcher.h"
#include "hw_model/blocks/control/power_controller.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/engines/dsp.h"
#include "hw_model/blocks/host/doorbells.h"
#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/blocks/host/mailbox.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/blocks/memory/mmu.h"
#include "hw_model/blocks/memory/resident_memory.h"
#include "hw_model/blocks/memory/sram.h"

namespace vnpu::hw {

namespace {

tlm::tlm_response_status responseOf(RegisterError error) {
    switch (error) {
        case RegisterError::kNone:
            return tlm::TLM_OK_RESPONSE;
        case RegisterError::kAddress:
            return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        case RegisterError::kAccess:
            return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

void HostInterface::transport(tlm::tlm_generic_payload& payload) {
    parts_.work.finish();
    if (parts_.resident.holds(payload.get_address(), 1)) {
        parts_.resident.transport(payload);
        return;
    }
    if (payload.get_byte_enable_ptr() != nullptr) {
        payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    if (payload.get_data_length() != sizeof(std::uint32_t) ||
        payload.get_streaming_width() < sizeof(std::uint32_t)) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.get_address() >= regs::kWindowBytes) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    std::uint32_t value = 0;
    RegisterError error = RegisterError::kAccess;
    if (payload.is_read()) {
        error = read(offset, false, value);
        if (error == RegisterError::kNone) {
            std::memcpy(payload.get_data_ptr(), &value, sizeof(value));
        }
    } else if (payload.is_write()) {
        std::memcpy(&value, payload.get_data_ptr(), sizeof(value));
        error = write(offset, false, value);
    }
    payload.set_response_status(responseOf(error));
}

unsigned HostInterface::transportDebug(tlm::tlm_generic_payload& payload) {
    if (parts_.resident.holds(payload.get_address(), 1)) {
        return parts_.resident.transportDebug(payload);
    }
    regs::RegisterHit hit;
    if (!payload.is_read() || payload.get_data_length() != sizeof(std::uint32_t) ||
        payload.get_address() >= regs::kWindowBytes) {
        return 0;
    }
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    if (parts_.registers.decode(offset, false, true, hit) != RegisterError::kNone) {
        return 0;
    }
    const std::uint32_t value = peek(offset, hit, false);
    std::memcpy(payload.get_data_ptr(), &value, sizeof(value));
    return sizeof(value);
}

bool HostInterface::directMemory(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant) {
    return parts_.resident.directMemory(payload, grant);
}

RegisterError HostInterface::read(std::uint32_t offset, bool isController, std::uint32_t& value) {
    regs::RegisterHit hit;
    const RegisterError error = parts_.registers.decode(offset, false, isController, hit);
    if (error != RegisterError::kNone) {
        return error;
    }
    if (hit.spec->offset == regs::CycleCounterLo::kSpec.offset) {
        value = readCycleCounterLo(isController);
    } else if (hit.spec->offset == regs::PerfCounter::kSpec.offset) {
        value = readPerfCounter(hit.index, isController);
    } else {
        value = peek(offset, hit, isController);
    }
    if (parts_.observer != nullptr) {
        parts_.observer->onRegisterAccess(parts_.clock.now(), false, isController, offset, value);
    }
    return error;
}

std::uint32_t HostInterface::peek(std::uint32_t offset, const regs::RegisterHit& hit,
                                  bool isController) const {
    const std::uint32_t index = hit.index;
    switch (hit.spec->offset) {
        case regs::Status::kSpec.offset:
            return readStatus();
        case regs::CycleCounterLo::kSpec.offset:
            return static_cast<std::uint32_t>(parts_.clock.now());
        case regs::CycleCounterHi::kSpec.offset:
            return cycleLatch_[isController ? 1 : 0];
        case regs::PowerStatus::kSpec.offset:
            return parts_.power.readStatus();
        case regs::PowerSuspend::kSpec.offset:
            return parts_.power.readSuspend();
        case regs::ClockLevel::kSpec.offset:
            return parts_.power.readLevel();
        case regs::IrqStatus::kSpec.offset:
            return parts_.interrupts.hostStatus();
        case regs::IrqMask::kSpec.offset:
            return parts_.interrupts.hostMask();
        case regs::MailboxIn::kSpec.offset:
            return parts_.mailbox.readIn(index);
        case regs::MailboxInControl::kSpec.offset:
            return parts_.mailbox.readInControl();
        case regs::MailboxOut::kSpec.offset:
            return parts_.mailbox.readOut(index);
        case regs::MailboxOutControl::kSpec.offset:
            return parts_.mailbox.readOutControl();
        case regs::MmuFaultInfo::kSpec.offset:
            return parts_.mmu.faultInfo();
        case regs::MmuFaultAddressLo::kSpec.offset:
            return static_cast<std::uint32_t>(parts_.mmu.faultAddress());
        case regs::MmuFaultAddressHi::kSpec.offset:
            return static_cast<std::uint32_t>(parts_.mmu.faultAddress() >> 32);
        case regs::PerfCounter::kSpec.offset:
            return static_cast<std::uint32_t>(perfCounter(index));
        case regs::PerfCounterHi::kSpec.offset:
            return perfLatches_[isController ? 1 : 0][index];
        case regs::EngineFree::kSpec.offset:
            return parts_.dispatcher.readFree(static_cast<Engine>(index));
        case regs::EngineTokens::kSpec.offset:
            return parts_.dispatcher.readTokens(static_cast<Engine>(index));
        case regs::EngineProgress::kSpec.offset:
            return parts_.dispatcher.readProgress(static_cast<Engine>(index));
        case regs::EngineWatch::kSpec.offset:
            return parts_.dispatcher.readWatch();
        case regs::EngineError::kSpec.offset:
            return parts_.dispatcher.readError();
        case regs::DspYield::kSpec.offset:
            return parts_.dsp.readYield();
        case regs::DspDoneCyclesLo::kSpec.offset:
        case regs::DspDoneCyclesHi::kSpec.offset:
        case regs::DspDoneBytesLo::kSpec.offset:
        case regs::DspDoneBytesHi::kSpec.offset:
            return readDspDone(hit.spec->offset);
        case regs::ContextRootLo::kSpec.offset:
            return parts_.mmu.rootWord(index, false);
        case regs::ContextRootHi::kSpec.offset:
            return parts_.mmu.rootWord(index, true);
        case regs::ControllerIrqStatus::kSpec.offset:
            return parts_.interrupts.controllerStatus();
        case regs::DoorbellPending::kSpec.offset:
            return parts_.doorbells.pending();
        case regs::DoorbellValue::kSpec.offset:
            return parts_.doorbells.value(index);
        case regs::MailboxOutData::kSpec.offset:
            return parts_.mailbox.readOutData(index);
        default:
            return parts_.registers.value(offset);
    }
}

RegisterError HostInterface::write(std::uint32_t offset, bool isController, std::uint32_t value) {
    regs::RegisterHit hit;
    const RegisterError error = parts_.registers.decode(offset, true, isController, hit);
    if (error != RegisterError::kNone) {
        return error;
    }
    if (parts_.observer != nullptr) {
        parts_.observer->onRegisterAccess(parts_.clock.now(), true, isController, offset, value);
    }
    if (!writeEngines(offset, hit, value) && !writeDevice(offset, hit, isController, value)) {
        parts_.registers.setValue(offset, value);
    }
    return error;
}

bool HostInterface::writeEngines(std::uint32_t /*offset*/, const regs::RegisterHit& hit,
                                 std::uint32_t value) {
    switch (hit.spec->offset) {
        case regs::EnginePush::kSpec.offset:
            parts_.dispatcher.writePush(static_cast<Engine>(hit.index), value);
            return true;
        case regs::EngineAbort::kSpec.offset:
            parts_.dispatcher.writeAbort();
            return true;
        case regs::EngineWatch::kSpec.offset:
            parts_.dispatcher.writeWatch(value);
            return true;
        case regs::JobStart::kSpec.offset:
            startJob(value);
            return true;
        case regs::JobSegment::kSpec.offset:
            parts_.dispatcher.writeJobSegment();
            return true;
        case regs::EngineTokensLoad::kSpec.offset:
            parts_.dispatcher.writeTokens(static_cast<Engine>(hit.index), value);
            return true;
        case regs::DspYield::kSpec.offset:
            parts_.dsp.writeYield(value);
            parts_.dispatcher.dspChanged();
            return true;
        case regs::DspDoneCyclesLo::kSpec.offset:
        case regs::DspDoneCyclesHi::kSpec.offset:
        case regs::DspDoneBytesLo::kSpec.offset:
        case regs::DspDoneBytesHi::kSpec.offset:
            writeDspDone(hit.spec->offset, value);
            return true;
        case regs::JobIdLo::kSpec.offset:
            writeJobId(false, value);
            return false;  // also stored
        case regs::JobIdHi::kSpec.offset:
            writeJobId(true, value);
            return false;
        case regs::ContextRootLo::kSpec.offset:
            parts_.mmu.setRoot(hit.index, false, value);
            return true;
        case regs::ContextRootHi::kSpec.offset:
            parts_.mmu.setRoot(hit.index, true, value);
            return true;
        case regs::ControllerIrqStatus::kSpec.offset:
            // RESET stays until the program has returned.
            parts_.interrupts.clearController(value & ~regs::ControllerIrqStatus::kReset.mask());
            return true;
        case regs::DoorbellPending::kSpec.offset:
            parts_.doorbells.clearPending(value);
            return true;
        case regs::IrqRaise::kSpec.offset:
            parts_.interrupts.raiseHost(value);
            return true;
        case regs::StatusSet::kSpec.offset:
            writeStatusSet(value);
            return true;
        case regs::HeartbeatTick::kSpec.offset:
            writeHeartbeatTick();
            return true;
        case regs::PowerSuspend::kSpec.offset:
            parts_.power.writeSuspend(value);
            return true;
        case regs::ClockLevel::kSpec.offset:
            parts_.power.writeLevel(value);
            return true;
        case regs::MailboxOutData::kSpec.offset:
            parts_.mailbox.writeOutData(hit.index, value);
            return true;
        default:
            return false;
    }
}

bool HostInterface::writeDevice(std::uint32_t /*offset*/, const regs::RegisterHit& hit,
                                bool isController, std::uint32_t value) {
    switch (hit.spec->offset) {
        case regs::Control::kSpec.offset:
            if (!isController) {
                writeControl(value);
            }
            return true;
        case regs::IrqStatus::kSpec.offset:
            writeIrqStatus(value);
            return true;
        case regs::IrqMask::kSpec.offset:
            parts_.interrupts.setHostMask(value);
            return true;
        case regs::MailboxIn::kSpec.offset:
            parts_.mailbox.writeIn(hit.index, value);
            return true;
        case regs::MailboxInControl::kSpec.offset:
            parts_.mailbox.writeInControl(value, isController);
            return true;
        case regs::MailboxOutControl::kSpec.offset:
            parts_.mailbox.writeOutControl(value);
            return true;
        case regs::Doorbell::kSpec.offset:
            parts_.doorbells.ring(hit.index, value);
            return true;
        case regs::MmuFaultInfo::kSpec.offset:
            writeMmuFaultInfo(value);
            return true;
        case regs::MmuInvalidate::kSpec.offset:
            parts_.mmu.writeInvalidate(value);
            return true;
        default:
            return false;
    }
}

void HostInterface::writeControl(std::uint32_t value) {
    using regs::Control;
    const bool wasReset = Control::kReset.get(parts_.registers.value(Control::kSpec.offset)) != 0;
    const bool isReset = Control::kReset.get(value) != 0;
    if (isReset && !wasReset) {
        resetDevice();
    }
    parts_.registers.setValue(Control::kSpec.offset, Control::kReset.put(isReset ? 1 : 0));
    if (!isReset && Control::kBoot.get(value) != 0) {
        writeStatusSet(static_cast<std::uint32_t>(regs::DeviceState::kBooting));
        controller_->boot();
    }
}

void HostInterface::resetDevice() {
    parts_.dispatcher.reset();
    parts_.mailbox.reset();
    parts_.doorbells.reset();
    parts_.interrupts.reset();
    parts_.mmu.reset();
    parts_.sram.clearRace();
    parts_.dsp.startJob();
    parts_.registers.reset();
    parts_.power.reset();
    jobId_ = 0;
    controller_->assertReset();
}

void HostInterface::writeIrqStatus(std::uint32_t value) {
    parts_.interrupts.clearHost(value);
}

void HostInterface::writeStatusSet(std::uint32_t value) {
    parts_.registers.setValue(regs::Status::kSpec.offset, regs::Status::kState.put(value));
    if (value == static_cast<std::uint32_t>(regs::DeviceState::kReady)) {
        parts_.power.noteBooted();
    }
}

void HostInterface::writeMmuFaultInfo(std::uint32_t value) {
    if (regs::MmuFaultInfo::kValid.get(value) == 0) {
        parts_.mmu.releaseFault();
    }
}

void HostInterface::writeHeartbeatTick() {
    const std::uint32_t offset = regs::Heartbeat::kSpec.offset;
    parts_.registers.setValue(offset, parts_.registers.value(offset) + 1);
}

void HostInterface::startJob(std::uint32_t contextId) {
    parts_.work.finish();
    parts_.dispatcher.writeJobStart(contextId);
    const std::uint64_t high = parts_.registers.value(regs::JobKeepHi::kSpec.offset);
    parts_.sram.startJob(parts_.registers.value(regs::JobKeepLo::kSpec.offset) | high << 32);
    parts_.dsp.startJob();
}

void HostInterface::writeDspDone(std::uint32_t offset, std::uint32_t value) {
    Dsp::Done done = parts_.dsp.done();
    const bool isCycles = offset < regs::DspDoneBytesLo::kSpec.offset;
    const bool isHigh = offset == regs::DspDoneCyclesHi::kSpec.offset ||
                        offset == regs::DspDoneBytesHi::kSpec.offset;
    std::uint64_t& count = isCycles ? done.cycles : done.bytes;
    const unsigned shift = isHigh ? 32 : 0;
    count = (count & ~(0xFFFFFFFFULL << shift)) | (std::uint64_t{value} << shift);
    parts_.dsp.setDone(done);
}

std::uint32_t HostInterface::readDspDone(std::uint32_t offset) const {
    const Dsp::Done& done = parts_.dsp.done();
    const bool isCycles = offset < regs::DspDoneBytesLo::kSpec.offset;
    const bool isHigh = offset == regs::DspDoneCyclesHi::kSpec.offset ||
                        offset == regs::DspDoneBytesHi::kSpec.offset;
    const std::uint64_t count = isCycles ? done.cycles : done.bytes;
    return static_cast<std::uint32_t>(isHigh ? count >> 32 : count);
}

void HostInterface::writeJobId(bool isHigh, std::uint32_t value) {
    const unsigned shift = isHigh ? 32 : 0;
    jobId_ = (jobId_ & ~(0xFFFFFFFFULL << shift)) | (std::uint64_t{value} << shift);
    parts_.dispatcher.setJobId(jobId_);
}

std::uint32_t HostInterface::readStatus() const {
    using regs::Status;
    return parts_.registers.value(Status::kSpec.offset) |
           Status::kBusy.put(parts_.dispatcher.isBusy() ? 1 : 0) |
           Status::kSramRace.put(parts_.sram.isRaceSeen() ? 1 : 0);
}

std::uint64_t HostInterface::perfCounter(std::uint32_t index) const {
    const auto event = static_cast<regs::PerfEvent>(index);
    return event == regs::PerfEvent::kDramBusyCycles ? parts_.arbiter.dramBusyCycles()
                                                     : parts_.counters.value(event);
}

std::uint32_t HostInterface::readPerfCounter(std::uint32_t index, bool isController) {
    const std::uint64_t value = perfCounter(index);
    perfLatches_[isController ? 1 : 0][index] = static_cast<std::uint32_t>(value >> 32);
    return static_cast<std::uint32_t>(value);
}

std::uint32_t HostInterface::readCycleCounterLo(bool isController) {
    const std::uint64_t now = parts_.clock.now();
    cycleLatch_[isController ? 1 : 0] = static_cast<std::uint32_t>(now >> 32);
    return static_cast<std::uint32_t>(now);
}

}  // namespace vnpu::hw
