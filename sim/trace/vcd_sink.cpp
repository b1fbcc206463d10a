// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/vcd_sink.h"

#include <fmt/format.h>

namespace vnpu::sim {

namespace {

VcdWriter::Value knownIf(bool isKnown, std::uint64_t value) {
    return isKnown ? VcdWriter::Value(value) : std::nullopt;
}

}  // namespace

void VcdSink::onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) {
    for (const ClientInfo& client : clients) {
        frames_.push_back(writer_.addSignal("clients." + client.name, "frame", 32));
    }
    irq_ = writer_.addSignal("npu.host", "irq", 1, 0);
    job_ = writer_.addSignal("npu.firmware", "job", 32, 0);
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        EngineSignals& engine = engines_[i];
        engine.isThere = hasCommands(static_cast<hw::Engine>(i));
        if (!engine.isThere) {
            continue;
        }
        const std::string scope = fmt::format("npu.{}", hw::engineName(static_cast<hw::Engine>(i)));
        engine.busy = writer_.addSignal(scope, "busy", 1, 0);
        engine.state = writer_.addSignal(scope, "state", 2, 0);
        engine.operation = writer_.addSignal(scope, "operation", 32);
        engine.opcode = writer_.addSignal(scope, "opcode", 16);
        engine.job = writer_.addSignal(scope, "job", 32);
        engine.queue = writer_.addSignal(scope, "queue", 8, 0);
        engine.tokens = writer_.addSignal(scope, "tokens", 24, 0);
    }
    dramBusy_ = writer_.addSignal("npu.dram", "busy", 1, 0);
    dramUsers_ = writer_.addSignal("npu.dram", "users", 4, 0);
    misses_ = writer_.addSignal("npu.mmu", "misses", 32, 0);
    powerState_ = writer_.addSignal("npu.power", "state", 3, 0);
    clock_ = writer_.addSignal("npu.power", "clock_khz", 32, config.clockKhz);
    levelsKhz_ = clockLevelsKhz(config);
    writer_.begin();
}

void VcdSink::add(Change change) {
    change.order = order_++;
    changes_.push(change);
}

void VcdSink::writeUpTo(std::uint64_t timeNs) {
    while (!changes_.empty() && changes_.top().timeNs < timeNs) {
        writer_.advance(changes_.top().timeNs);
        apply(changes_.top());
        changes_.pop();
    }
}

void VcdSink::onEnd(std::uint64_t timeNs) {
    writeUpTo(UINT64_MAX);
    writer_.end(timeNs);
}

void VcdSink::apply(const Change& change) {
    switch (change.kind) {
        case ChangeKind::kFrame:
            writer_.set(frames_[change.unit], knownIf(change.value != 0, change.value - 1));
            break;
        case ChangeKind::kInterrupt:
            writer_.set(irq_, change.value);
            break;
        case ChangeKind::kJob:
            writer_.set(job_, change.value);
            for (const EngineSignals& engine : engines_) {
                if (engine.isThere && change.value != 0) {
                    writer_.set(engine.tokens, 0);
                }
            }
            break;
        case ChangeKind::kMmuMiss:
            writer_.set(misses_, ++missCount_);
            break;
        case ChangeKind::kPower:
            writer_.set(powerState_, change.value);
            writer_.set(clock_, levelsKhz_.at(change.unit));
            break;
        default:
            applyEngine(change);
            break;
    }
}

void VcdSink::applyEngine(const Change& change) {
    EngineSignals& engine = engines_[change.unit];
    if (!engine.isThere) {
        return;  // has no signals
    }
    switch (change.kind) {
        case ChangeKind::kQueue:
            writer_.set(engine.queue, change.value);
            return;
        case ChangeKind::kWait:
            engine.isWaiting = true;
            break;
        case ChangeKind::kStart:
            ++engine.active;
            engine.isWaiting = false;
            dramActive_ += change.usesDram ? 1 : 0;
            writer_.set(engine.operation,
                        knownIf(change.operation != hw::kNoOperation, change.operation));
            writer_.set(engine.opcode, change.opcode);
            writer_.set(engine.job, change.value);
            break;
        default:
            engine.active -= engine.active != 0 ? 1 : 0;
            dramActive_ -= change.usesDram && dramActive_ != 0 ? 1 : 0;
            writer_.set(engine.tokens, change.value);
            if (engine.active == 0) {
                writer_.set(engine.operation, std::nullopt);
                writer_.set(engine.opcode, std::nullopt);
                writer_.set(engine.job, std::nullopt);
            }
            break;
    }
    const EngineState resting = engine.isWaiting ? EngineState::kWaiting : EngineState::kIdle;
    const EngineState state = engine.active != 0 ? EngineState::kWorking : resting;
    writer_.set(engine.busy, engine.active != 0 ? 1 : 0);
    writer_.set(engine.state, static_cast<std::uint64_t>(state));
    writer_.set(dramBusy_, dramActive_ != 0 ? 1 : 0);
    writer_.set(dramUsers_, dramActive_);
}

void VcdSink::onFrameBegin(const FrameEvent& event) {
    add({.timeNs = event.timeNs,
         .kind = ChangeKind::kFrame,
         .unit = event.client,
         .value = event.frame + 1});
}

void VcdSink::onFrameEnd(const FrameEvent& event, std::string_view /*status*/) {
    add({.timeNs = event.timeNs, .kind = ChangeKind::kFrame, .unit = event.client, .value = 0});
}

void VcdSink::onEngineCommand(const EngineEvent& event) {
    const hw::EngineCommandRecord& record = event.record;
    const auto unit = static_cast<std::uint32_t>(hw::engineIndex(record.engine));
    const bool usesDram = record.dramBytes != 0;
    const auto opcode = static_cast<std::uint16_t>(record.opcode);
    if (event.waitNs < event.startNs) {
        add({.timeNs = event.waitNs, .kind = ChangeKind::kWait, .unit = unit});
    }
    add({.timeNs = event.startNs,
         .kind = ChangeKind::kStart,
         .usesDram = usesDram,
         .opcode = opcode,
         .unit = unit,
         .operation = record.operation,
         .value = record.jobId});
    add({.timeNs = event.endNs,
         .kind = ChangeKind::kEnd,
         .usesDram = usesDram,
         .unit = unit,
         .value = record.index + 1ULL});
    frontier_.onCommandEnd(record.engine, event.startNs);
    writeUpTo(frontier_.completeBefore(event.endNs));
}

void VcdSink::onInterruptLine(std::uint64_t timeNs, bool level) {
    add({.timeNs = timeNs, .kind = ChangeKind::kInterrupt, .value = level ? 1U : 0U});
}

void VcdSink::onFirmwareEvent(std::uint64_t timeNs, std::string_view event, const JobInfo* job) {
    if (event == "job-start") {
        frontier_.onJobBoundary();
        add({.timeNs = timeNs, .kind = ChangeKind::kJob, .value = job == nullptr ? 0 : job->jobId});
    } else if (event == "job-end") {
        frontier_.onJobBoundary();
        add({.timeNs = timeNs, .kind = ChangeKind::kJob, .value = 0});
        writeUpTo(frontier_.completeBefore(timeNs));
    }
}

void VcdSink::onMmuMiss(std::uint64_t timeNs, hw::Engine /*engine*/,
                        std::uint64_t /*virtualAddress*/) {
    add({.timeNs = timeNs, .kind = ChangeKind::kMmuMiss});
}

void VcdSink::onPowerState(std::uint64_t timeNs, hw::regs::PowerState state, std::uint32_t level) {
    add({.timeNs = timeNs,
         .kind = ChangeKind::kPower,
         .unit = level,
         .value = static_cast<std::uint64_t>(state)});
}

void VcdSink::onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) {
    frontier_.onQueueDepth(timeNs, engine, commands);
    add({.timeNs = timeNs,
         .kind = ChangeKind::kQueue,
         .unit = static_cast<std::uint32_t>(hw::engineIndex(engine)),
         .value = commands});
}

}  // namespace vnpu::sim
