// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/fake_controller.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vnpu::fw::test {

namespace regs = hw::regs;

namespace {

constexpr std::uint64_t kRunawayCycles = 200'000'000;  // no script of ours takes as long
constexpr std::uint64_t kNever = UINT64_MAX;
constexpr std::uint32_t kRegisterCycles = 2;
constexpr std::uint32_t kMemoryCycles = 100;
constexpr std::uint32_t kWakeCycles = 20;
constexpr std::size_t kDsp = hw::engineIndex(hw::Engine::kDsp);

}  // namespace

FakeController::FakeController()
    : memory_(kMemoryBytes), localMemory_(kLocalMemoryBytes), words_(regs::kWindowBytes / 4) {
    engineCycles.fill(100);
    for (const regs::RegisterSpec* spec : regs::registerMap()) {
        for (std::uint32_t i = 0; i < spec->count; ++i) {
            word(spec->at(i)) = spec->reset;
        }
    }
    word(regs::ConfigSram::kSpec.offset) = regs::ConfigSram::kKib.put(64);
    word(regs::ConfigQueues::kSpec.offset) = regs::ConfigQueues::kEngineDepth.put(kQueueDepth);
    word(regs::ConfigDspState::kSpec.offset) = regs::ConfigDspState::kBytes.put(256);
    word(regs::ConfigAccumulator::kSpec.offset) = regs::ConfigAccumulator::kKib.put(16);
}

std::uint32_t FakeController::read32(std::uint32_t offset) {
    charge(kRegisterCycles);
    const regs::RegisterHit hit = regs::findRegister(offset);
    if (hit.spec == nullptr || hit.spec->access == regs::Access::kWriteOnly) {
        complain("read of offset " + std::to_string(offset));
        return 0;
    }
    return readSideEffect(offset, hit);
}

std::uint32_t FakeController::readSideEffect(std::uint32_t offset, const regs::RegisterHit& hit) {
    if (hit.spec == &regs::CycleCounterLo::kSpec) {
        word(regs::CycleCounterHi::kSpec.offset) = static_cast<std::uint32_t>(now_ >> 32);
        return static_cast<std::uint32_t>(now_);
    }
    if (hit.spec == &regs::EngineFree::kSpec) {
        return kQueueDepth - static_cast<std::uint32_t>(engines_[hit.index].queue.size());
    }
    if (hit.spec == &regs::EngineTokens::kSpec) {
        return engines_[hit.index].tokens;
    }
    if (hit.spec == &regs::EngineProgress::kSpec) {
        const EngineState& state = engines_[hit.index];
        const std::uint64_t cycle = state.endCycle == kNever ? state.startCycle : now_;
        return state.isRunning
                       ? regs::EngineProgress::kBusy.put(1) | static_cast<std::uint32_t>(cycle)
                       : 0;
    }
    if (hit.spec == &regs::Status::kSpec) {
        const bool isBusy = std::ranges::any_of(
                engines_, [](const EngineState& state) { return state.isRunning; });
        return word(offset) | regs::Status::kBusy.put(isBusy ? 1 : 0);
    }
    return word(offset);
}

void FakeController::write32(std::uint32_t offset, std::uint32_t value) {
    charge(kRegisterCycles);
    const regs::RegisterHit hit = regs::findRegister(offset);
    if (hit.spec == nullptr || hit.spec->access == regs::Access::kReadOnly) {
        complain("write of offset " + std::to_string(offset));
        return;
    }
    writeSideEffect(offset, value, hit);
}

void FakeController::writeSideEffect(std::uint32_t offset, std::uint32_t value,
                                     const regs::RegisterHit& hit) {
    const regs::RegisterSpec* spec = hit.spec;
    if (spec->access == regs::Access::kWriteOneToClear) {
        word(offset) &= ~value;
        return;
    }
    word(offset) = value;
    if (spec == &regs::MailboxOutData::kSpec && hit.index + 1 == regs::kMailboxWords) {
        if (word(regs::MailboxOutControl::kSpec.offset) != 0) {
            complain("message over one that was not taken");
        }
        for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
            word(regs::MailboxOut::kSpec.at(i)) = word(regs::MailboxOutData::kSpec.at(i));
        }
        word(regs::MailboxOutControl::kSpec.offset) = 1;
        word(regs::IrqStatus::kSpec.offset) |= regs::IrqStatus::kMessage.mask();
    } else if (spec == &regs::EnginePush::kSpec) {
        pushCommand(hit.index, value);
    } else if (spec == &regs::EngineAbort::kSpec) {
        ++aborts;
        abortEngines();
    } else if (spec == &regs::JobStart::kSpec) {
        startJob(value);
    } else if (spec == &regs::JobSegment::kSpec) {
        startSegment();
    } else if (spec == &regs::DspYield::kSpec) {
        writeYield(value);
    } else if (spec == &regs::EngineTokensLoad::kSpec) {
        if (!engines_[hit.index].queue.empty()) {
            complain("tokens loaded while the engine works");
        }
        engines_[hit.index].tokens = value;
    } else if (spec == &regs::IrqRaise::kSpec) {
        raised.push_back(value);
        word(regs::IrqStatus::kSpec.offset) |= value;
    } else if (spec == &regs::StatusSet::kSpec) {
        word(regs::Status::kSpec.offset) = value;
    } else if (spec == &regs::HeartbeatTick::kSpec) {
        ++word(regs::Heartbeat::kSpec.offset);
        heartbeats.push_back(now_);
    } else if (spec == &regs::MmuInvalidate::kSpec) {
        ++invalidations;
    } else if (spec == &regs::ClockLevel::kSpec) {
        clockLevels.push_back(value);
    } else if (spec == &regs::PowerSuspend::kSpec && value != 0 && onSuspendArmed) {
        std::exchange(onSuspendArmed, nullptr)();
    }
}

void FakeController::pushCommand(std::uint32_t engine, std::uint32_t offset) {
    EngineState& state = engines_.at(engine);
    if (state.queue.size() >= kQueueDepth) {
        complain("push to a full queue");
        return;
    }
    if (isHalted_) {
        return;  // the engines accept nothing until the next job
    }
    hw::CommandHeader header{};
    std::memcpy(&header, localMemory_.data() + offset, sizeof(header));
    if (hw::engineIndex(header.engine) != engine) {
        complain("command on the wrong engine");
    }
    const std::byte* begin = localMemory_.data() + offset;
    state.queue.push_back({offset, std::vector<std::byte>(begin, begin + header.sizeBytes)});
    startEngines();
}

void FakeController::startJob(std::uint32_t context) {
    for (EngineState& state : engines_) {
        if (!state.queue.empty()) {
            complain("job started while an engine works");
        }
        state.tokens = 0;
    }
    isHalted_ = false;
    word(regs::DspYield::kSpec.offset) = 0;
    word(regs::DspDoneCyclesLo::kSpec.offset) = 0;
    context_ = context;
    word(regs::EngineWatch::kSpec.offset) = 0;
    word(regs::EngineError::kSpec.offset) = 0;
}

void FakeController::startSegment() {
    ++segments;
    for (EngineState& state : engines_) {
        if (!state.queue.empty()) {
            complain("segment while an engine works");
        }
        state.tokens = 0;
    }
    word(regs::EngineWatch::kSpec.offset) = 0;
}

void FakeController::abortEngines() {
    for (EngineState& state : engines_) {
        state.queue.clear();
        state.isRunning = state.isRunning && ignoresAborts;
    }
    dspStopCycle_.reset();
}

void FakeController::startEngines() {
    for (std::uint32_t i = 0; i < hw::kEngineCount; ++i) {
        EngineState& state = engines_[i];
        if (isHalted_ || state.isRunning || state.queue.empty()) {
            continue;
        }
        hw::CommandHeader header{};
        std::memcpy(&header, state.queue.front().bytes.data(), sizeof(header));
        bool isReady = true;
        for (unsigned w = 0; w < header.waitCount; ++w) {
            isReady = isReady && engines_[header.waits[w].engine].tokens >= header.waits[w].count;
        }
        if (isReady && !(i == kDsp && isDspStopped())) {
            startCommand(i);
        }
    }
}

void FakeController::startCommand(std::uint32_t engine) {
    EngineState& state = engines_[engine];
    state.isRunning = true;
    state.startCycle = now_;
    state.endCycle = isHung[engine] ? kNever : now_ + engineCycles[engine];
    if (engine == kDsp) {
        dspCredit_ = std::exchange(word(regs::DspDoneCyclesLo::kSpec.offset), 0);
        dspCredits.push_back(dspCredit_);
        state.endCycle -=
                isHung[engine] ? 0 : std::min<std::uint64_t>(dspCredit_, engineCycles[engine]);
        planYield();
    }
}

bool FakeController::isDspStopped() {
    return regs::DspYield::kStopped.get(word(regs::DspYield::kSpec.offset)) != 0;
}

void FakeController::writeYield(std::uint32_t value) {
    word(regs::DspYield::kSpec.offset) = value;
    planYield();
    startEngines();
}

void FakeController::planYield() {
    const EngineState& dsp = engines_[kDsp];
    const bool isAsked = regs::DspYield::kRequest.get(word(regs::DspYield::kSpec.offset)) != 0;
    dspStopCycle_.reset();
    if (isAsked && dsp.isRunning && dspYieldCycles != 0) {
        const std::uint64_t points = (now_ - dsp.startCycle) / dspYieldCycles + 1;
        const std::uint64_t cycle = dsp.startCycle + points * dspYieldCycles;
        if (cycle < dsp.endCycle) {
            dspStopCycle_ = cycle;
        }
    }
}

void FakeController::stopDsp() {
    EngineState& dsp = engines_[kDsp];
    dspStopCycle_.reset();
    dsp.isRunning = false;
    dsp.queue.pop_front();
    word(regs::DspDoneCyclesLo::kSpec.offset) =
            static_cast<std::uint32_t>(dspCredit_ + (now_ - dsp.startCycle));
    word(regs::DspYield::kSpec.offset) = regs::DspYield::kStopped.mask();
    raise(regs::ControllerIrqStatus::kEngine);
}

void FakeController::finishCommand(std::uint32_t engine) {
    EngineState& state = engines_[engine];
    const Pushed command = state.queue.front();
    const std::uint64_t jobId = word(regs::JobIdLo::kSpec.offset) |
                                (std::uint64_t{word(regs::JobIdHi::kSpec.offset)} << 32);
    if (std::memcmp(localMemory_.data() + command.offset, command.bytes.data(),
                    command.bytes.size()) != 0) {
        complain("command changed before its end");
    }
    state.isRunning = false;
    if (engine == kDsp) {
        dspStopCycle_.reset();
    }
    for (const Failure& failure : failures_) {
        if (hw::engineIndex(failure.engine) == engine && failure.jobId == jobId &&
            failure.number == state.tokens) {
            if (failure.status == hw::JobStatus::kMmuFault) {
                recordFault(engine, failure.faultAddress, true);
            }
            stopEngines(regs::EngineError::kStatus.put(static_cast<std::uint32_t>(failure.status)) |
                        regs::EngineError::kEngine.put(engine));
            return;
        }
    }
    hw::CommandHeader header{};
    std::memcpy(&header, command.bytes.data(), sizeof(header));
    executed.push_back({jobId, context_, header.engine, state.tokens, header, state.startCycle,
                        state.endCycle, command.bytes, word(regs::JobRegionTable::kSpec.offset)});
    if (onExecuted) {
        onExecuted(executed.back());
    }
    state.queue.pop_front();
    ++state.tokens;
    const std::uint32_t watch = word(regs::EngineWatch::kSpec.offset);
    if (regs::EngineWatch::kEngine.get(watch) == engine &&
        regs::EngineWatch::kTokens.get(watch) == state.tokens) {
        raise(regs::ControllerIrqStatus::kEngine);
    }
    startEngines();
}

void FakeController::stopEngines(std::uint32_t engineError) {
    isHalted_ = true;
    for (EngineState& state : engines_) {
        state.isRunning = false;
    }
    word(regs::EngineError::kSpec.offset) = engineError;
    raise(regs::ControllerIrqStatus::kError);
}

void FakeController::recordFault(std::uint32_t engine, std::uint64_t address, bool isWrite) {
    std::uint32_t& info = word(regs::MmuFaultInfo::kSpec.offset);
    if (regs::MmuFaultInfo::kValid.get(info) != 0) {
        return;
    }
    info = regs::MmuFaultInfo::kValid.mask() | regs::MmuFaultInfo::kWrite.put(isWrite ? 1 : 0) |
           regs::MmuFaultInfo::kContext.put(context_) | regs::MmuFaultInfo::kEngine.put(engine);
    word(regs::MmuFaultAddressLo::kSpec.offset) = static_cast<std::uint32_t>(address);
    word(regs::MmuFaultAddressHi::kSpec.offset) = static_cast<std::uint32_t>(address >> 32);
}

hw::JobStatus FakeController::translate(std::uint32_t context, std::uint64_t address,
                                        std::size_t bytes, bool isWrite,
                                        std::uint64_t& busAddress) {
    busAddress = address;
    if (context != kPhysical) {
        const bool isOutside = address < kVirtualOffset + kMemoryBase ||
                               address + bytes > kVirtualOffset + kMemoryBase + kMemoryBytes;
        const auto page = std::find_if(unmapped_.begin(), unmapped_.end(), [&](std::uint64_t p) {
            return p < address + bytes && address < p + 4096;
        });
        if (isOutside || page != unmapped_.end()) {
            recordFault(7, isOutside ? address : std::max(address, *page), isWrite);
            return hw::JobStatus::kMmuFault;
        }
        busAddress = address - kVirtualOffset;
    }
    const bool isThere = busAddress >= kMemoryBase && busAddress - kMemoryBase < kMemoryBytes &&
                         bytes <= kMemoryBytes - (busAddress - kMemoryBase);
    return isThere ? hw::JobStatus::kOk : hw::JobStatus::kBusError;
}

hw::JobStatus FakeController::readMemory(std::uint32_t context, std::uint64_t address,
                                         std::span<std::byte> destination) {
    charge(kMemoryCycles + static_cast<std::uint32_t>(destination.size() / 4));
    std::uint64_t bus = 0;
    const hw::JobStatus status = translate(context, address, destination.size(), false, bus);
    if (context != kPhysical) {
        read.push_back(address);
    }
    if (status == hw::JobStatus::kOk) {
        std::memcpy(destination.data(), memory_.data() + (bus - kMemoryBase), destination.size());
    }
    return status;
}

hw::JobStatus FakeController::writeMemory(std::uint32_t context, std::uint64_t address,
                                          std::span<const std::byte> source) {
    charge(kMemoryCycles + static_cast<std::uint32_t>(source.size() / 4));
    std::uint64_t bus = 0;
    const hw::JobStatus status = translate(context, address, source.size(), true, bus);
    if (status == hw::JobStatus::kOk) {
        written.push_back(bus);
        std::memcpy(memory_.data() + (bus - kMemoryBase), source.data(), source.size());
    }
    return status;
}

void FakeController::charge(std::uint32_t cycles) {
    advanceTo(now_ + cycles);
}

void FakeController::waitForInterrupt(std::uint64_t timeoutCycles) {
    ++sleeps;
    const std::uint64_t end = now_ + timeoutCycles;
    const std::uint32_t& latched = word(regs::ControllerIrqStatus::kSpec.offset);
    const bool isDown = latched == 0 && word(regs::PowerSuspend::kSpec.offset) != 0;
    if (isDown) {
        powerDown();
        timeoutCycles = 0;
    }
    while (latched == 0) {
        const std::optional<std::uint64_t> next = nextEvent();
        if (now_ > kRunawayCycles) {
            complain("the script never ends");
            assertReset();
        } else if (timeoutCycles != 0 && (!next || *next > end)) {
            advanceTo(end);
            break;
        } else if (next) {
            advanceTo(*next);
        } else if (!idleActions_.empty()) {
            const std::function<void()> action = std::move(idleActions_.front());
            idleActions_.pop_front();
            action();
        } else {
            assertReset();
        }
    }
    if (isDown) {
        advanceTo(now_ + kResumeCycles);
    }
    charge(kWakeCycles);
}

void FakeController::powerDown() {
    powerDowns.push_back(now_);
    word(regs::PowerSuspend::kSpec.offset) = 0;
    for (std::uint32_t i = 0; i < regs::kContextCount; ++i) {
        word(regs::ContextRootLo::kSpec.at(i)) = word(regs::ContextRootHi::kSpec.at(i)) = 0;
    }
}

void FakeController::setPower(std::uint32_t autosuspendUs) {
    word(regs::ConfigPower::kSpec.offset) = regs::ConfigPower::kLevels.put(2);
    word(regs::ConfigClock::kSpec.offset) = 1'000'000;
    word(regs::ConfigClockLevel::kSpec.at(0)) = 1'000'000;
    word(regs::ConfigClockLevel::kSpec.at(1)) = 500'000;
    word(regs::ConfigAutosuspend::kSpec.offset) = autosuspendUs;
}

void FakeController::trace(std::string_view event, std::uint64_t jobId) {
    marks.push_back({now_, std::string(event), jobId});
}

std::optional<std::uint64_t> FakeController::nextEvent() const {
    std::optional<std::uint64_t> next;
    const auto consider = [&](std::uint64_t cycle) {
        next = next ? std::min(*next, cycle) : cycle;
    };
    for (const EngineState& state : engines_) {
        if (state.isRunning && state.endCycle != kNever) {
            consider(state.endCycle);
        }
    }
    for (const Timed& timed : timed_) {
        consider(timed.cycle);
    }
    if (dspStopCycle_) {
        consider(*dspStopCycle_);
    }
    return next;
}

void FakeController::advanceTo(std::uint64_t cycle) {
    for (std::optional<std::uint64_t> next = nextEvent(); next && *next <= cycle;
         next = nextEvent()) {
        now_ = std::max(now_, *next);
        bool isEngine = false;
        for (std::uint32_t i = 0; i < hw::kEngineCount && !isEngine; ++i) {
            if (engines_[i].isRunning && engines_[i].endCycle <= now_) {
                finishCommand(i);
                isEngine = true;
            }
        }
        if (isEngine) {
            continue;
        }
        if (dspStopCycle_ && *dspStopCycle_ <= now_) {
            stopDsp();
            continue;
        }
        const auto first =
                std::min_element(timed_.begin(), timed_.end(), [](const Timed& a, const Timed& b) {
                    return a.cycle != b.cycle ? a.cycle < b.cycle : a.order < b.order;
                });
        const std::function<void()> action = std::move(first->action);
        timed_.erase(first);
        action();
    }
    now_ = std::max(now_, cycle);
}

void FakeController::at(std::uint64_t cycle, std::function<void()> action) {
    timed_.push_back({cycle, actionOrder_++, std::move(action)});
}

void FakeController::raise(const regs::FieldSpec& field) {
    word(regs::ControllerIrqStatus::kSpec.offset) |= field.mask();
}

void FakeController::assertReset() {
    raise(regs::ControllerIrqStatus::kReset);
}

void FakeController::hostWrite(std::uint32_t offset, std::uint32_t value) {
    const regs::RegisterHit hit = regs::findRegister(offset);
    if (hit.spec->access == regs::Access::kWriteOneToClear) {
        word(offset) &= ~value;
        return;
    }
    word(offset) = value;
    if (hit.spec == &regs::Doorbell::kSpec) {
        word(regs::DoorbellValue::kSpec.at(hit.index)) = value;
        word(regs::DoorbellPending::kSpec.offset) |= 1U << hit.index;
        raise(regs::ControllerIrqStatus::kDoorbell);
    } else if (hit.spec == &regs::MailboxInControl::kSpec && value == 1) {
        raise(regs::ControllerIrqStatus::kMessage);
    } else if (hit.spec == &regs::MailboxOutControl::kSpec && value == 0) {
        raise(regs::ControllerIrqStatus::kOutboxFree);
    }
}

std::uint32_t FakeController::hostRead(std::uint32_t offset) const {
    return words_.at(offset / 4);
}

std::span<std::byte> FakeController::memory(std::uint64_t busAddress, std::size_t bytes) {
    return std::span(memory_).subspan(busAddress - kMemoryBase, bytes);
}

}  // namespace vnpu::fw::test
