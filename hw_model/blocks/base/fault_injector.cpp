// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/fault_injector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace vnpu::hw {

namespace {

// source: firmware/api/job_ring.h, CompletionRecord; the blocks know only its size
constexpr std::size_t kRecordBytes = 128;

bool isSram(const MemoryRef& reference) {
    return reference.space == kSpaceSram;
}

bool readsSram(const EngineCommand& command) {
    switch (command.header.opcode) {
        case Opcode::kDmaTransfer:
            return isSram(command.as<DmaTransfer>().source);
        case Opcode::kDmaFill:
        case Opcode::kDspOperator:
            return false;
        default:
            return true;
    }
}

bool readsMemory(const EngineCommand& command) {
    return command.header.opcode == Opcode::kDspOperator ||
           (command.header.opcode == Opcode::kDmaTransfer &&
            !isSram(command.as<DmaTransfer>().source));
}

bool canStrike(FaultKind kind, const EngineCommand& command) {
    switch (kind) {
        case FaultKind::kDmaError:
            return isDma(command.record.engine);
        case FaultKind::kSramBitFlip:
        case FaultKind::kSramDoubleFlip:
            return readsSram(command);
        case FaultKind::kDramBitFlip:
        case FaultKind::kDramDoubleFlip:
            return readsMemory(command);
        case FaultKind::kWrongResult:
            return command.record.engine == Engine::kMac ||
                   command.record.engine == Engine::kVector;
        default:
            return true;
    }
}

// In the order of FaultKind: the first fault that applies is the command's.
constexpr FaultKind kCommandFaults[] = {FaultKind::kDmaError,       FaultKind::kSramBitFlip,
                                        FaultKind::kSramDoubleFlip, FaultKind::kDramBitFlip,
                                        FaultKind::kDramDoubleFlip, FaultKind::kEngineHang,
                                        FaultKind::kEngineStuck};

}  // namespace

std::size_t FaultInjector::arm(const FaultSpec& spec) {
    armed_.push_back({.spec = spec, .jobsBefore = jobsStarted_});
    if (spec.kind == FaultKind::kSpuriousInterrupt && schedulePulse_) {
        schedulePulse_(spec.atCycle);
    }
    return armed_.size() - 1;
}

void FaultInjector::jobStarted(std::uint64_t jobId) {
    ++jobsStarted_;
    wrongResults_.clear();
    jobId_ = jobId;
}

bool FaultInjector::isTaken(Armed& armed, std::uint64_t now, Engine engine,
                            const CommandName& command) {
    const FaultSpec& spec = armed.spec;
    if (armed.isOver || now < spec.atCycle || (spec.engine && *spec.engine != engine) ||
        (spec.operation && spec.operation != command.operation) ||
        (spec.job != 0 && jobsStarted_ - armed.jobsBefore != spec.job)) {
        return false;
    }
    if (armed.skipped < spec.skip) {
        ++armed.skipped;
        return false;
    }
    // The upper 53 bits as a number in [0, 1): the same on every platform.
    return spec.chance >= 1.0 || static_cast<double>(random_() >> 11) * 0x1.0p-53 < spec.chance;
}

bool FaultInjector::strikes(FaultKind kind, std::uint64_t now, Engine engine,
                            const CommandName& command) {
    while (firstArmed_ < armed_.size() && armed_[firstArmed_].isOver) {
        ++firstArmed_;
    }
    for (std::size_t i = firstArmed_; i < armed_.size(); ++i) {
        if (armed_[i].spec.kind == kind && isTaken(armed_[i], now, engine, command)) {
            record(i, now, engine, command.index);
            return true;
        }
    }
    return false;
}

void FaultInjector::record(std::size_t number, std::uint64_t now, Engine engine,
                           std::uint32_t command) {
    Armed& armed = armed_[number];
    ++armed.happened;
    armed.isOver = armed.spec.times != 0 && armed.happened >= armed.spec.times;
    injected_.push_back({.spec = number,
                         .kind = armed.spec.kind,
                         .cycle = now,
                         .engine = engine,
                         .jobId = jobId_,
                         .command = command});
    if (observer_ != nullptr) {
        observer_->onFault(now, engine, JobStatus::kOk,
                           fmt::format("injected {}", faultKindName(armed.spec.kind)));
    }
}

std::optional<CommandFault> FaultInjector::startCommand(std::uint64_t now,
                                                        const EngineCommand& command) {
    if (firstArmed_ == armed_.size()) {
        return std::nullopt;
    }
    const EngineCommandRecord& about = command.record;
    const CommandName name{about.index, about.operation};
    if (strikes(FaultKind::kEngineSlow, now, about.engine, name)) {
        Armed& armed = armed_[injected_.back().spec];
        if (!armed.spec.operation) {
            armed.spec.engine = about.engine;  // further strikes hit the same engine
        }
        armed.slowUntil = now + armed.spec.lastingCycles;
    }
    if (canStrike(FaultKind::kWrongResult, command) &&
        strikes(FaultKind::kWrongResult, now, about.engine, name)) {
        const auto mask = static_cast<std::byte>(1 + random_() % UINT8_MAX);
        wrongResults_.push_back({about.engine, about.index, mask});
    }
    for (const FaultKind kind : kCommandFaults) {
        if (canStrike(kind, command) && strikes(kind, now, about.engine, name)) {
            return CommandFault{kind, about.index};
        }
    }
    return std::nullopt;
}

double FaultInjector::slowdown(std::uint64_t now, Engine engine, std::uint32_t operation) const {
    double factor = 1.0;
    for (const Armed& armed : armed_) {
        const FaultSpec& spec = armed.spec;
        const bool isHere = spec.operation ? spec.operation == operation &&
                                                     spec.engine.value_or(engine) == engine
                                           : spec.engine == engine;
        if (now < armed.slowUntil && isHere) {
            factor = std::max(factor, spec.factor);
        }
    }
    return factor;
}

std::byte FaultInjector::takeWrongResult(Engine engine, std::uint32_t command) {
    const auto found = std::ranges::find_if(wrongResults_, [&](const WrongResult& wrong) {
        return wrong.engine == engine && wrong.command == command;
    });
    if (found == wrongResults_.end()) {
        return std::byte{0};
    }
    const std::byte mask = found->mask;
    wrongResults_.erase(found);
    return mask;
}

bool FaultInjector::failsTranslation(std::uint64_t now, Engine engine) {
    return strikes(FaultKind::kMmuFault, now, engine, {});
}

bool FaultInjector::hangsController(std::uint64_t now) {
    return strikes(FaultKind::kControllerHang, now, Engine::kController, {});
}

bool FaultInjector::losesInterrupt(std::uint64_t now) {
    if (strikes(FaultKind::kLostInterrupt, now, Engine::kController, {})) {
        lostInterrupt_ = injected_.size() - 1;
        return true;
    }
    if (lostInterrupt_) {
        injected_[*std::exchange(lostInterrupt_, std::nullopt)].isMadeGood = true;
    }
    return false;
}

void FaultInjector::passMessage(std::uint64_t now, std::span<std::byte> bytes) {
    if (strikes(FaultKind::kCorruptMessage, now, Engine::kController, {})) {
        flip(bytes);
    }
}

void FaultInjector::passRecord(std::uint64_t now, std::span<std::byte> bytes) {
    if (bytes.size() == kRecordBytes &&
        strikes(FaultKind::kCorruptRecord, now, Engine::kController, {})) {
        flip(bytes);
    }
}

void FaultInjector::flip(std::span<std::byte> bytes) {
    constexpr unsigned kBits = 8;
    const std::uint64_t drawn = random_();
    bytes[drawn / kBits % bytes.size()] ^= static_cast<std::byte>(1U << (drawn % kBits));
}

void FaultInjector::onPulseDue(std::function<void(std::uint64_t cycle)> schedule) {
    schedulePulse_ = std::move(schedule);
    if (const auto next = nextPulse()) {
        schedulePulse_(*next);
    }
}

std::optional<std::uint64_t> FaultInjector::nextPulse() const {
    std::optional<std::uint64_t> next;
    for (const Armed& armed : armed_) {
        if (armed.spec.kind == FaultKind::kSpuriousInterrupt && !armed.isOver) {
            next = std::min(next.value_or(armed.spec.atCycle), armed.spec.atCycle);
        }
    }
    return next;
}

bool FaultInjector::pulses(std::uint64_t now) {
    return strikes(FaultKind::kSpuriousInterrupt, now, Engine::kController, {});
}

}  // namespace vnpu::hw
