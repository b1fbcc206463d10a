// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/mac_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw {

bool MacArray::acceptsInbox() {
    Stage& stage = array();
    stage.decoded = decoder_.decode(stage.command);
    // An invalid command is refused when it starts.
    return stage.decoded->status != JobStatus::kOk || !output().isActive ||
           !parts_.sram.readsPendingWrites(stage.decoded->footprint, output().slot);
}

/// In device cycles. Blocks wait while the output stage is busy with the preceding command.
MacCycles MacArray::cyclesOf(const Stage& stage) const {
    const std::uint64_t start = stage.command.record.startCycle;
    MacCycles cycles = stage.decoded->cycles;
    if (stage.decoded->hasBlocks && output().isActive) {
        const std::uint64_t free = parts_.timer.deadline(EngineTimer::kMacOutputSlot);
        cycles = macConvCycles(parts_.config.mac, stage.decoded->work,
                               parts_.clock.toCore(std::max(free, start) - start));
    }
    return {.active = parts_.clock.ofCore(cycles.active),
            .array = parts_.clock.ofCore(cycles.array),
            .outputStage = parts_.clock.ofCore(cycles.outputStage)};
}

void MacArray::start() {
    Stage& stage = array();
    EngineCommandRecord& record = stage.command.record;
    const DecodedConv& decoded = *stage.decoded;
    if (decoded.status != JobStatus::kOk) {
        parts_.listener.commandFailed(Engine::kMac, decoded.status,
                                      fmt::format("mac command {}", record.index));
        return;
    }
    stage.isActive = true;
    stage.slot = arrayStage_ == 0 ? OperationSlot::kMacEven : OperationSlot::kMacOdd;
    stage.cycles = cyclesOf(stage);
    record.busyCycles = stage.cycles.array + stage.cycles.outputStage;
    record.operations = decoded.operations;
    record.sramBytes = decoded.sramBytes;
    record.activity = decoded.activity;
    record.sramStallCycles = parts_.sram.begin(
            stage.slot, {Engine::kMac, record.index, record.busyCycles, decoded.hasBlocks},
            decoded.footprint);
    // Array and output stage stall alike.
    const std::uint64_t outputStall =
            record.sramStallCycles * stage.cycles.outputStage / record.busyCycles;
    const std::uint64_t arrayCycles = stage.cycles.array + record.sramStallCycles - outputStall;
    stage.outputCycles = stage.cycles.outputStage + outputStall;
    postCompute(stage.decoded);
    parts_.timer.arm(EngineTimer::kMacArraySlot, record.startCycle + arrayCycles);
}

void MacArray::postCompute(const std::shared_ptr<const DecodedConv>& decoded) {
    for (const ConvPiece& piece : decoded->pieces) {
        parts_.work.post(piece.accesses, piece.operations,
                         [work = std::shared_ptr<const MacConv>(decoded, &piece.work),
                          sram = parts_.sram.bytes(), sums = parts_.sram.accumulators()] {
                             const kernels::OneThread alone;
                             kernels::macConv(*work, sram, sums);
                         });
    }
}

void MacArray::onDeadline(std::size_t timerSlot) {
    if (timerSlot == EngineTimer::kMacArraySlot) {
        isArrayDone_ = true;
    } else {
        finish(output());
    }
    if (isArrayDone_ && !output().isActive) {
        enterOutputStage();
    }
}

void MacArray::enterOutputStage() {
    isArrayDone_ = false;
    if (array().outputCycles == 0) {
        finish(array());
        return;
    }
    arrayStage_ = 1 - arrayStage_;
    parts_.timer.arm(EngineTimer::kMacOutputSlot, parts_.clock.now() + output().outputCycles);
}

void MacArray::finish(Stage& stage) {
    stage.isActive = false;
    const std::byte spoilMask = parts_.sram.end(stage.slot);
    if (spoilMask != std::byte{0} && !parts_.config.timingOnly) {
        parts_.work.finish();
        stage.decoded->footprint.scrambleWrites(parts_.sram.bytes(), parts_.sram.accumulators(),
                                                spoilMask);
    }
    EngineCommandRecord& record = stage.command.record;
    record.endCycle = parts_.clock.now();
    parts_.counters.add(regs::PerfEvent::kMacActiveCycles, stage.cycles.active);
    parts_.counters.add(regs::PerfEvent::kMacOperations, record.operations);
    parts_.listener.commandDone(stage.command);
}

void MacArray::abort() {
    parts_.sram.end(OperationSlot::kMacEven);
    parts_.sram.end(OperationSlot::kMacOdd);
    array().isActive = false;
    output().isActive = false;
    isArrayDone_ = false;
}

}  // namespace vnpu::hw
