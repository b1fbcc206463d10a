// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/dispatcher.h"

#include <algorithm>
#include <cstring>

#include "firmware/core/base/register_io.h"
#include "hw_model/regs/try.h"

namespace vnpu::fw {

namespace {

constexpr auto kDsp = static_cast<std::uint32_t>(hw::engineIndex(hw::Engine::kDsp));

}  // namespace

void Dispatcher::readDeviceLimits() {
    const std::uint32_t queues = readRegister<regs::ConfigQueues>(port_);
    window_ = std::min(regs::ConfigQueues::kEngineDepth.get(queues), kSlotsPerEngine);
}

void Dispatcher::start(std::uint32_t context, std::uint64_t jobId, std::uint64_t keptBlocks) {
    commands_.counts.fill(0);
    finished_.fill(0);
    free_.fill(0);
    isDspStopped_ = false;
    watchdog_.start();
    // Discards events that an earlier job left.
    interrupts_.poll();
    interrupts_.take(regs::ControllerIrqStatus::kEngine);
    interrupts_.take(regs::ControllerIrqStatus::kError);
    writeRegister<regs::JobIdLo>(port_, static_cast<std::uint32_t>(jobId));
    writeRegister<regs::JobIdHi>(port_, static_cast<std::uint32_t>(jobId >> 32));
    writeRegister<regs::JobRegionTable>(port_, kRegionTableOffset);
    if (keptBlocks != keptBlocks_) {
        keptBlocks_ = keptBlocks;
        writeRegister<regs::JobKeepLo>(port_, static_cast<std::uint32_t>(keptBlocks));
        writeRegister<regs::JobKeepHi>(port_, static_cast<std::uint32_t>(keptBlocks >> 32));
    }
    writeRegister<regs::JobStart>(port_, context);
}

hw::JobStatus Dispatcher::checkWaits(const hw::CommandHeader& header) const {
    for (std::uint32_t i = 0; i < header.waitCount; ++i) {
        if (header.waits[i].count > commands_.counts[header.waits[i].engine]) {
            return hw::JobStatus::kBadWait;
        }
    }
    return hw::JobStatus::kOk;
}

Stop Dispatcher::push(const hw::CommandView& command) {
    const auto engine = static_cast<std::uint32_t>(hw::engineIndex(command.header->engine));
    if (!hasRoom(engine)) {
        VNPU_TRY(waitForRoom(engine));
    }
    const std::uint32_t number = commands_.counts[engine];
    const std::uint32_t place = commandSlotOffset(engine, number);
    std::memcpy(port_.localMemory().data() + place, command.header, command.header->sizeBytes);
    commands_.offsets[engine][number % kSlotsPerEngine] =
            static_cast<std::uint32_t>(command.offset);
    --free_[engine];
    ++commands_.counts[engine];
    writeRegister<regs::EnginePush>(port_, place, engine);
    return Stop::kNone;
}

Stop Dispatcher::waitForTokens(const hw::CommandHeader& header) {
    for (std::uint32_t i = 0; i < header.waitCount; ++i) {
        VNPU_TRY(waitForToken(header.waits[i].engine, header.waits[i].count));
    }
    return Stop::kNone;
}

bool Dispatcher::isReached(const hw::CommandHeader& header) {
    for (std::uint32_t i = 0; i < header.waitCount; ++i) {
        if (!isReached(header.waits[i].engine, header.waits[i].count)) {
            return false;
        }
    }
    return true;
}

Stop Dispatcher::waitUntil(std::uint64_t cycle) {
    const std::uint64_t now = readCycles(port_);
    if (now < cycle) {
        supervisor_.sleepWhileBusy(cycle - now);
    }
    return service();
}

Stop Dispatcher::drain() {
    return drainOthers(kCommandEngines);
}

Stop Dispatcher::drainOthers(std::uint32_t exception) {
    for (std::uint32_t engine = 0; engine < kCommandEngines; ++engine) {
        if (engine != exception) {
            VNPU_TRY(waitForToken(engine, commands_.counts[engine]));
        }
    }
    return Stop::kNone;
}

Stop Dispatcher::restart() {
    VNPU_TRY(drain());
    commands_.counts.fill(0);
    finished_.fill(0);
    writeRegister<regs::JobSegment>(port_, 1);
    return Stop::kNone;
}

bool Dispatcher::isDspBusy() {
    return !isReached(kDsp, commands_.counts[kDsp]);
}

Stop Dispatcher::waitForDsp() {
    writeRegister<regs::EngineWatch>(
            port_, regs::EngineWatch::kEngine.put(kDsp) |
                           regs::EngineWatch::kTokens.put(commands_.counts[kDsp]));
    if (!isDspBusy()) {
        return Stop::kNone;
    }
    supervisor_.sleepWhileBusy();
    const Stop stop = service();
    return stop == Stop::kNone && isDspBusy() && isHung() ? Stop::kEngineHang : stop;
}

Stop Dispatcher::settle() {
    Stop stop = drainOthers(kDsp);
    if (stop == Stop::kNone && commands_.counts[kDsp] != 0) {
        stop = waitForToken(kDsp, commands_.counts[kDsp] - 1);
    }
    return stop != Stop::kNone || !isDspBusy() ? stop : stopDsp();
}

Stop Dispatcher::stopDsp() {
    writeRegister<regs::DspYield>(port_, regs::DspYield::kRequest.mask());
    writeRegister<regs::EngineWatch>(
            port_, regs::EngineWatch::kEngine.put(kDsp) |
                           regs::EngineWatch::kTokens.put(commands_.counts[kDsp]));
    while (true) {
        const std::uint32_t state = readRegister<regs::DspYield>(port_);
        isDspStopped_ = regs::DspYield::kStopped.get(state) != 0;
        if (isDspStopped_) {
            --commands_.counts[kDsp];
            return Stop::kNone;
        }
        if (!isDspBusy()) {
            writeRegister<regs::DspYield>(port_, 0);
            return Stop::kNone;
        }
        supervisor_.sleepWhileBusy();
        VNPU_TRY(service());
        if (isDspBusy() && isHung()) {
            return Stop::kEngineHang;
        }
    }
}

Dispatcher::StoppedOperator Dispatcher::stoppedOperator() {
    if (!isDspStopped_) {
        return {};
    }
    const auto read = [this](std::uint32_t low, std::uint32_t high) {
        const std::uint64_t word = port_.read32(low);
        return word | (std::uint64_t{port_.read32(high)} << 32);
    };
    return {commands_.offsets[kDsp][commands_.counts[kDsp] % kSlotsPerEngine],
            read(regs::DspDoneCyclesLo::kSpec.offset, regs::DspDoneCyclesHi::kSpec.offset),
            read(regs::DspDoneBytesLo::kSpec.offset, regs::DspDoneBytesHi::kSpec.offset)};
}

void Dispatcher::continueDsp() {
    if (!isDspStopped_) {
        return;
    }
    isDspStopped_ = false;
    writeRegister<regs::DspYield>(port_, 0);
    const std::uint32_t place = commandSlotOffset(kDsp, commands_.counts[kDsp]);
    ++commands_.counts[kDsp];
    free_[kDsp] = 0;  // read again later
    writeRegister<regs::EnginePush>(port_, place, kDsp);
}

void Dispatcher::loadDspProgress(const StoppedOperator& done) {
    const auto write = [this](std::uint32_t low, std::uint32_t high, std::uint64_t value) {
        port_.write32(low, static_cast<std::uint32_t>(value));
        port_.write32(high, static_cast<std::uint32_t>(value >> 32));
    };
    write(regs::DspDoneCyclesLo::kSpec.offset, regs::DspDoneCyclesHi::kSpec.offset,
          done.doneCycles);
    write(regs::DspDoneBytesLo::kSpec.offset, regs::DspDoneBytesHi::kSpec.offset, done.doneBytes);
}

void Dispatcher::copyTokens(std::uint32_t (&tokens)[hw::kEngineCount]) const {
    std::copy(commands_.counts.begin(), commands_.counts.end(), std::begin(tokens));
}

void Dispatcher::loadTokens(const std::uint32_t (&tokens)[hw::kEngineCount]) {
    std::copy(std::begin(tokens), std::end(tokens), commands_.counts.begin());
    finished_ = commands_.counts;
    for (std::uint32_t engine = 0; engine < kCommandEngines; ++engine) {
        writeRegister<regs::EngineTokensLoad>(port_, tokens[engine], engine);
    }
    writeRegister<regs::EngineWatch>(port_, 0);
}

void Dispatcher::abort() {
    writeRegister<regs::EngineAbort>(port_, 1);
}

Stop Dispatcher::service() {
    supervisor_.service();
    if (supervisor_.isReset()) {
        return Stop::kReset;
    }
    if (interrupts_.isPending(regs::ControllerIrqStatus::kError)) {
        return Stop::kEngineError;
    }
    if (supervisor_.isAborting()) {
        return Stop::kAborted;
    }
    return supervisor_.mustStop() ? Stop::kPreempted : Stop::kNone;
}

std::uint32_t Dispatcher::unfinishedCommand(std::uint32_t engine) {
    if (engine >= kCommandEngines) {
        return kNoCommand;
    }
    return commands_.offsetOf(engine, readRegister<regs::EngineTokens>(port_, engine));
}

bool Dispatcher::isHung() {
    hungEngine_ = watchdog_.look();
    return hungEngine_ != Watchdog::kNone;
}

bool Dispatcher::hasRoom(std::uint32_t engine) {
    if (free_[engine] == 0) {
        free_[engine] = readRegister<regs::EngineFree>(port_, engine);
    }
    return free_[engine] != 0 &&
           (commands_.counts[engine] < kSlotsPerEngine ||
            isReached(engine, commands_.counts[engine] - kSlotsPerEngine + 1));
}

bool Dispatcher::isReached(std::uint32_t engine, std::uint32_t count) {
    if (finished_[engine] < count) {
        finished_[engine] = readRegister<regs::EngineTokens>(port_, engine);
    }
    return finished_[engine] >= count;
}

// Waits until half of the commands in flight are finished: one wake-up serves several commands, and
// the other half keeps the engine busy meanwhile.
Stop Dispatcher::waitForRoom(std::uint32_t engine) {
    const Stop stop = waitForToken(engine, commands_.counts[engine] - window_ / 2);
    free_[engine] = readRegister<regs::EngineFree>(port_, engine);
    return stop;
}

Stop Dispatcher::waitForToken(std::uint32_t engine, std::uint32_t count) {
    if (isReached(engine, count)) {
        return Stop::kNone;
    }
    writeRegister<regs::EngineWatch>(
            port_, regs::EngineWatch::kEngine.put(engine) | regs::EngineWatch::kTokens.put(count));
    // A command that finishes after the check is latched and ends the sleep at once.
    for (bool hasSlept = false; !isReached(engine, count); hasSlept = true) {
        if (hasSlept && isHung()) {
            return Stop::kEngineHang;
        }
        supervisor_.sleepWhileBusy();
        VNPU_TRY(service());
    }
    return Stop::kNone;
}

}  // namespace vnpu::fw
