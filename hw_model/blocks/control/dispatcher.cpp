// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hw_model/regs/register_map.h"

namespace vnpu::hw {

namespace {

// The engine that owns each timer slot.
constexpr std::array<Engine, EngineTimer::kSlots> kTimerOwners = {
        Engine::kDma0, Engine::kDma1,   Engine::kDma2, Engine::kDma3, Engine::kMac,
        Engine::kMac,  Engine::kVector, Engine::kDsp,  Engine::kDsp,  Engine::kDsp};

// An arbiter flow whose end an engine waits for, and the timer slot for it.
struct EngineFlow {
    std::size_t flow;
    std::size_t slot;
};
constexpr EngineFlow kEngineFlows[] = {{0, EngineTimer::kDmaSlot},
                                       {1, EngineTimer::kDmaSlot + 1},
                                       {2, EngineTimer::kDmaSlot + 2},
                                       {3, EngineTimer::kDmaSlot + 3},
                                       {MemoryArbiter::kDspFlow, EngineTimer::kDspMemorySlot}};

}  // namespace

Dispatcher::Dispatcher(const Parts& parts)
    : config_(parts.config),
      clock_(parts.clock),
      timer_(parts.timer),
      arbiter_(parts.arbiter),
      interrupts_(parts.interrupts),
      counters_(parts.counters),
      localMemory_(parts.localMemory),
      observer_(parts.observer),
      faults_(parts.faults) {
    for (Lane& lane : lanes_) {
        lane.queue.resize(config_.controller.engineQueueDepth);
    }
    timer_.setListener(this);
}

void Dispatcher::attach(Engine engine, ExecutionEngine* hardware) {
    lanes_[engineIndex(engine)].hardware = hardware;
}

void Dispatcher::reportDepth(Engine engine, const Lane& lane) const {
    if (observer_ != nullptr) {
        observer_->onQueueDepth(clock_.now(), engine, lane.count);
    }
}

void Dispatcher::writePush(Engine engine, std::uint32_t localOffset) {
    Lane& lane = lanes_[engineIndex(engine)];
    if (lane.hardware == nullptr) {
        commandFailed(engine, JobStatus::kBadEngine,
                      fmt::format("push to {}, which does not exist", engineName(engine)));
        return;
    }
    if (localOffset % 8 != 0 ||
        localOffset + std::uint64_t{sizeof(CommandHeader)} > localMemory_.size()) {
        commandFailed(engine, JobStatus::kMisaligned,
                      fmt::format("push of local offset 0x{:x}", localOffset));
        return;
    }
    const auto depth = static_cast<std::uint32_t>(lane.queue.size());
    if (lane.count == depth) {
        commandFailed(engine, JobStatus::kBadOperand,
                      fmt::format("push to a full queue of {}", depth));
        return;
    }
    lane.queue[(lane.first + lane.count) % depth] = {localOffset, clock_.now()};
    ++lane.count;
    reportDepth(engine, lane);
    if (lane.count == 1) {
        startHead(engine, lane);
        transfersChanged();
    }
}

void Dispatcher::writeAbort() {
    dropCommands();
    isStopped_ = true;
}

void Dispatcher::writeJobStart(std::uint32_t contextId) {
    dropCommands();
    zeroTokens();
    contextId_ = contextId;
    error_ = 0;
    isStopped_ = false;
    counters_.add(regs::PerfEvent::kJobs, 1);
    if (faults_ != nullptr) {
        faults_->jobStarted(jobId_);
    }
}

void Dispatcher::writeJobSegment() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        if (!isIdle(i)) {
            const auto engine = static_cast<Engine>(i);
            commandFailed(engine, JobStatus::kBadWait,
                          fmt::format("segment while {} works", engineName(engine)));
            return;
        }
    }
    zeroTokens();
}

void Dispatcher::writeTokens(Engine engine, std::uint32_t tokens) {
    if (!isIdle(engineIndex(engine))) {
        commandFailed(engine, JobStatus::kBadWait,
                      fmt::format("load of tokens while {} works", engineName(engine)));
        return;
    }
    Lane& lane = lanes_[engineIndex(engine)];
    lane.tokens = tokens;
    lane.started = tokens;
}

void Dispatcher::dspChanged() {
    startHead(Engine::kDsp, lanes_[engineIndex(Engine::kDsp)]);
    transfersChanged();
}

bool Dispatcher::isIdle(std::size_t engine) const {
    const Lane& lane = lanes_[engine];
    return lane.count == 0 && !isWorking(lane);
}

void Dispatcher::zeroTokens() {
    for (Lane& lane : lanes_) {
        lane.tokens = 0;
        lane.started = 0;
    }
    watch_ = 0;
}

std::uint32_t Dispatcher::readFree(Engine engine) const {
    const Lane& lane = lanes_[engineIndex(engine)];
    return lane.hardware == nullptr ? 0
                                    : static_cast<std::uint32_t>(lane.queue.size()) - lane.count;
}

bool Dispatcher::isBusy() const {
    return std::any_of(lanes_.begin(), lanes_.end(),
                       [this](const Lane& lane) { return isWorking(lane); });
}

bool Dispatcher::isWorking(const Lane& lane) const {
    return lane.isHung || (lane.hardware != nullptr && lane.hardware->isBusy());
}

std::uint32_t Dispatcher::readProgress(Engine engine) const {
    using Progress = regs::EngineProgress;
    const Lane& lane = lanes_[engineIndex(engine)];
    const std::uint64_t cycle = lane.isHung ? lane.hangCycle : clock_.now();
    return isWorking(lane) ? Progress::kBusy.put(1) |
                                     Progress::kCycle.put(static_cast<std::uint32_t>(cycle))
                           : 0;
}

void Dispatcher::dropCommands() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        lane.isWaiting = false;
        lane.missingCount = 0;
        if (lane.count != 0) {
            lane.count = 0;
            reportDepth(static_cast<Engine>(i), lane);
        }
        if (lane.hardware != nullptr && lane.hardware->isBusy()) {
            lane.hardware->abort();
        }
        lane.fault.reset();
        lane.isHung = lane.isStuck;
    }
    isStretched_.fill(false);
    for (std::size_t slot = 0; slot < EngineTimer::kSlots; ++slot) {
        timer_.disarm(slot);
    }
    transfersChanged();
}

void Dispatcher::reset() {
    for (Lane& lane : lanes_) {
        lane.isStuck = false;
    }
    writeAbort();
    zeroTokens();
    error_ = 0;
    contextId_ = 0;
    jobId_ = 0;
    isStopped_ = false;
}

bool Dispatcher::areTokensThere(Lane& lane, std::uint32_t localOffset) const {
    CommandHeader header{};
    std::memcpy(&header, &localMemory_[localOffset], sizeof(header));
    const unsigned waits = std::min<unsigned>(header.waitCount, kMaxWaits);
    for (unsigned i = 0; i < waits; ++i) {
        const std::uint32_t engine = header.waits[i].engine;
        if (engine < kEngineCount && lanes_[engine].tokens < header.waits[i].count) {
            lane.missingEngine = static_cast<std::uint8_t>(engine);
            lane.missingCount = header.waits[i].count;
            return false;
        }
    }
    lane.missingCount = 0;
    return true;
}

bool Dispatcher::startHead(Engine engine, Lane& lane) {
    if (lane.count == 0 || isStopped_ || lanes_[lane.missingEngine].tokens < lane.missingCount ||
        lane.isHung || !lane.hardware->isReady()) {
        return false;
    }
    const Queued head = lane.queue[lane.first];
    const std::uint64_t now = clock_.now();
    if (!lane.isWaiting) {
        lane.isWaiting = true;
        lane.waitingSince = now;
    }
    if (!areTokensThere(lane, head.localOffset)) {
        return false;
    }
    const std::byte* const source = &localMemory_[head.localOffset];
    EngineCommand& command = lane.hardware->inbox();
    std::memcpy(&command.header, source, sizeof(CommandHeader));
    const std::size_t room = localMemory_.size() - head.localOffset - sizeof(CommandHeader);
    const int payload = payloadBytes(command.header.opcode);
    const std::uint32_t bytes = payload < 0 ? 0 : static_cast<std::uint32_t>(payload);
    if (bytes > room) {
        commandFailed(engine, JobStatus::kTruncatedStream, "command reaches past the local memory");
        return false;
    }
    std::memcpy(command.payload.data(), source + sizeof(CommandHeader), bytes);
    if (!lane.hardware->acceptsInbox()) {
        return false;
    }
    command.contextId = contextId_;
    command.record = EngineCommandRecord{
            .engine = engine,
            .opcode = command.header.opcode,
            .jobId = jobId_,
            .operation = command.header.operation,
            .tile = command.header.tile,
            .index = lane.started,
            .queuedCycle = head.cycle,
            .startCycle = now,
            .tokenStallCycles = now - lane.waitingSince,
    };
    lane.startCycle = now;
    lane.operation = command.header.operation;
    lane.isWaiting = false;
    lane.first = (lane.first + 1) % static_cast<std::uint32_t>(lane.queue.size());
    --lane.count;
    ++lane.started;
    reportDepth(engine, lane);
    if (faults_ != nullptr && !lane.fault) {
        lane.fault = faults_->startCommand(now, command);
    }
    lane.hardware->start();
    return true;
}

void Dispatcher::startAll() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        if (lane.count != 0) {
            startHead(static_cast<Engine>(i), lane);
        }
    }
}

void Dispatcher::transfersChanged() {
    if (arbiter_.generation() != arbiterGeneration_) {
        arbiterGeneration_ = arbiter_.generation();
        for (const EngineFlow& one : kEngineFlows) {
            if (arbiter_.isActive(one.flow) && !isStretched_[one.slot]) {
                timer_.arm(one.slot, arbiter_.endCycle(one.flow));
            }
        }
    }
    timer_.reschedule();
}

void Dispatcher::onTimer() {
    const std::uint64_t now = clock_.now();
    for (std::size_t slot = 0; slot < EngineTimer::kSlots; ++slot) {
        if (timer_.takeDue(slot, now) && !(faults_ != nullptr && isSlowed(slot, now))) {
            onDeadline(slot, now);
        }
    }
    startAll();
    transfersChanged();
}

void Dispatcher::onDeadline(std::size_t slot, std::uint64_t now) {
    constexpr std::size_t kOutput = EngineTimer::kMacOutputSlot;
    const Lane& lane = lanes_[engineIndex(kTimerOwners[slot])];
    const bool wasIdle = timer_.deadline(kOutput) == EngineTimer::kNever;
    lane.hardware->onDeadline(slot);
    if (wasIdle && timer_.deadline(kOutput) != EngineTimer::kNever) {
        macOutput_ = {now, lane.operation};  // of the array's last command, which has left it
    }
}

/// Slow engines: each deadline fires twice, the second time after the additional delay.
bool Dispatcher::isSlowed(std::size_t slot, std::uint64_t now) {
    const Engine engine = kTimerOwners[slot];
    const Lane& lane = lanes_[engineIndex(engine)];
    const StageStart stage = slot == EngineTimer::kMacOutputSlot
                                     ? macOutput_
                                     : StageStart{lane.startCycle, lane.operation};
    const double factor =
            isStretched_[slot] ? 1.0 : faults_->slowdown(now, engine, stage.operation);
    // To the nearest cycle: a tenth of 1000 cycles is 100, though 1.1 has no exact binary form.
    const auto sinceStart = static_cast<double>(std::max<std::uint64_t>(now - stage.cycle, 1));
    const long long delay = std::llround(sinceStart * (factor - 1.0));
    isStretched_[slot] = delay > 0;
    if (isStretched_[slot]) {
        timer_.arm(slot, now + static_cast<std::uint64_t>(delay));
    }
    return isStretched_[slot];
}

bool Dispatcher::endsBadly(Lane& lane, const EngineCommand& command) {
    if (lane.isHung) {
        return true;
    }
    if (!lane.fault || lane.fault->index != command.record.index) {
        return false;
    }
    const CommandFault fault = *lane.fault;
    lane.fault.reset();
    if (fault.kind == FaultKind::kSramBitFlip || fault.kind == FaultKind::kDramBitFlip) {
        counters_.add(regs::PerfEvent::kEccCorrected, 1);
        return false;
    }
    if (fault.kind == FaultKind::kEngineHang || fault.kind == FaultKind::kEngineStuck) {
        lane.isHung = true;
        lane.isStuck = fault.kind == FaultKind::kEngineStuck;
        lane.hangCycle = clock_.now();
        return true;
    }
    const bool isEcc = fault.kind != FaultKind::kDmaError;
    counters_.add(regs::PerfEvent::kEccDetected, isEcc ? 1 : 0);
    commandFailed(command.record.engine, isEcc ? JobStatus::kEccError : JobStatus::kBusError,
                  fmt::format("{} command {}", faultKindName(fault.kind), command.record.index));
    return true;
}

void Dispatcher::commandDone(const EngineCommand& command) {
    Lane& lane = lanes_[engineIndex(command.record.engine)];
    if (faults_ != nullptr && endsBadly(lane, command)) {
        return;
    }
    ++lane.tokens;
    counters_.add(regs::PerfEvent::kCommands, 1);
    counters_.add(regs::PerfEvent::kTokenStallCycles, command.record.tokenStallCycles);
    counters_.add(regs::PerfEvent::kSramStallCycles, command.record.sramStallCycles);
    counters_.add(regs::PerfEvent::kDramStallCycles, command.record.dramStallCycles);
    counters_.add(command.record.activity);
    using Watch = regs::EngineWatch;
    if (lane.tokens == Watch::kTokens.get(watch_) &&
        engineIndex(command.record.engine) == Watch::kEngine.get(watch_)) {
        interrupts_.raiseController(regs::ControllerIrqStatus::kEngine.mask());
    }
    if (observer_ != nullptr) {
        observer_->onEngineCommand(command.record);
    }
}

void Dispatcher::commandStopped(const EngineCommand& command) {
    counters_.add(command.record.activity);
    if (observer_ != nullptr) {
        observer_->onEngineCommand(command.record);
    }
}

void Dispatcher::commandFailed(Engine engine, JobStatus status, const std::string& what) {
    using Error = regs::EngineError;
    if (error_ == 0) {
        error_ = Error::kStatus.put(static_cast<std::uint32_t>(status)) |
                 Error::kEngine.put(static_cast<std::uint32_t>(engine));
    }
    isStopped_ = true;
    interrupts_.raiseController(regs::ControllerIrqStatus::kError.mask());
    if (observer_ != nullptr) {
        observer_->onFault(clock_.now(), engine, status, what);
    }
}

}  // namespace vnpu::hw
