// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/mac_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/blocks/conv_parts.h"
#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/mac_conv.h"
#include "hw_model/kernels/parallel_tasks.h"
#include "hw_model/regs/command_reader.h"

namespace vnpu::hw {

DataAccesses dataAccessesOf(const MacConv& work, const Footprint& footprint) {
    DataAccesses accesses;
    accesses.addSram(footprint);
    if (keepsSums(work)) {
        accesses.addOnChip(DataPlace::kAccumulators, footprint.accumulators().range, true);
    }
    return accesses;
}

JobStatus MacArray::check(const EngineCommand& command) const {
    if (command.header.opcode != Opcode::kMacConv) {
        return JobStatus::kBadEngine;
    }
    return validateCommand(command.view(), {.sramBytes = parts_.sram.sizeBytes(),
                                            .accumulatorBytes = parts_.sram.accumulatorBytes()});
}

bool MacArray::acceptsInbox() {
    const EngineCommand& command = array().command;
    inboxStatus_ = check(command);
    if (inboxStatus_ != JobStatus::kOk) {
        return true;  // it is refused when it starts
    }
    inboxFootprint_ = footprintOf(parts_.config.mac, command.as<MacConv>());
    return !output().isActive || !parts_.sram.readsPendingWrites(inboxFootprint_, output().slot);
}

void MacArray::start() {
    Stage& stage = array();
    const EngineCommand& command = stage.command;
    if (inboxStatus_ != JobStatus::kOk) {
        parts_.listener.commandFailed(Engine::kMac, inboxStatus_,
                                      fmt::format("mac command {}", command.record.index));
        return;
    }
    const auto work = command.as<MacConv>();
    stage.isActive = true;
    stage.slot = arrayStage_ == 0 ? OperationSlot::kMacEven : OperationSlot::kMacOdd;
    const std::uint64_t outputFree =
            output().isActive ? parts_.timer.deadline(EngineTimer::kMacOutputSlot) : 0;
    stage.cycles =
            macConvCycles(parts_.config.mac, work,
                          parts_.clock.toCore(std::max(outputFree, command.record.startCycle) -
                                              command.record.startCycle));
    for (std::uint64_t* cycles :
         {&stage.cycles.array, &stage.cycles.outputStage, &stage.cycles.active}) {
        *cycles = parts_.clock.ofCore(*cycles);
    }

    EngineCommandRecord& record = stage.command.record;
    record.busyCycles = stage.cycles.array + stage.cycles.outputStage;
    record.operations = macConvOperations(work);
    const Footprint& footprint = inboxFootprint_;
    record.sramBytes = footprint.trafficBytes();
    record.activity = macActivity(parts_.config.mac, work);
    record.activity[regs::PerfEvent::kSramBytes] = record.sramBytes;
    const std::uint64_t slowdown = parts_.sram.begin(
            stage.slot, {Engine::kMac, record.index, record.busyCycles, blocksOf(work).count() > 1},
            footprint);
    const std::uint64_t arrayCycles = Sram::stretch(stage.cycles.array, slowdown);
    stage.outputCycles = Sram::stretch(stage.cycles.outputStage, slowdown);
    record.sramStallCycles = arrayCycles + stage.outputCycles - record.busyCycles;
    if (!parts_.config.timingOnly) {
        postCompute(work, footprint, record.operations);
    }
    parts_.timer.arm(EngineTimer::kMacArraySlot, record.startCycle + arrayCycles);
}

void MacArray::postCompute(const MacConv& work, const Footprint& footprint,
                           std::uint64_t products) {
    const std::uint64_t operations =
            products * ((work.flags & kMacDepthwise) != 0 ? kernels::kDepthwiseCost : 1);
    const ConvParts parts = partsOf(work, operations);
    if (parts.count() == 1) {
        postPart(work, footprint, operations);
        return;
    }
    for (std::uint32_t i = 0; i < parts.count(); ++i) {
        const MacConv part = partOf(work, parts, i);
        postPart(part, footprintOf(parts_.config.mac, part), operations / parts.count());
    }
}

void MacArray::postPart(const MacConv& work, const Footprint& footprint, std::uint64_t operations) {
    parts_.work.post(dataAccessesOf(work, footprint), operations,
                     [work, sram = parts_.sram.bytes(), sums = parts_.sram.accumulators()] {
                         const kernels::OneThread alone;
                         kernels::macConv(work, sram, sums);
                     });
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
        footprintOf(parts_.config.mac, stage.command.as<MacConv>())
                .scrambleWrites(parts_.sram.bytes(), parts_.sram.accumulators(), spoilMask);
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
