// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/vector_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "hw_model/kernels/kernels.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/timing/operator_timing.h"
#include "hw_model/timing/vector_timing.h"

namespace vnpu::hw {

namespace {

// chosen: a vector kernel's time per element, in multiply-accumulates of the matrix kernels
constexpr std::uint64_t kOperationsPerElement = 50;

void compute(const VecPool& work, std::byte* sram) {
    kernels::vecPool(work, sram);
}
void compute(const VecEltwise& work, std::byte* sram) {
    kernels::vecEltwise(work, sram);
}
void compute(const VecUnary& work, std::byte* sram) {
    kernels::vecUnary(work, sram);
}
void compute(const VecSoftmax& work, std::byte* sram) {
    kernels::vecSoftmax(work, sram);
}
void compute(const VecReduce& work, std::byte* sram) {
    kernels::vecReduce(work, sram);
}

std::uint64_t product(const std::uint32_t (&dims)[4]) {
    return std::uint64_t{dims[0]} * dims[1] * dims[2] * dims[3];
}

// The elements that a command computes.
std::uint64_t elementsOf(const VecPool& work) {
    return std::uint64_t{work.outputHeight} * work.outputWidth * work.channels;
}
std::uint64_t elementsOf(const VecEltwise& work) {
    return product(work.dims);
}
std::uint64_t elementsOf(const VecUnary& work) {
    return work.count;
}
std::uint64_t elementsOf(const VecSoftmax& work) {
    return std::uint64_t{work.outer} * work.axis * work.inner;
}
std::uint64_t elementsOf(const VecReduce& work) {
    return product(work.dims);
}
std::uint64_t elementsOf(const VecOperator& work) {
    std::uint64_t most = 0;
    for (std::uint32_t i = 0; i < std::uint32_t{work.inputCount} + work.outputCount; ++i) {
        const VecOperand& operand = work.operands[i];
        if (operand.flags == 0) {
            most = std::max(most,
                            Dimensions(std::span(operand.words).first(operand.rank)).elements());
        }
    }
    return most;
}

// Calls action(payload) for a command of the vector unit; false for a command of another engine.
template <typename Action>
bool withVectorPayload(const EngineCommand& command, const Action& action) {
    return withPayload(command.view(), false, [&](const auto& work) {
        constexpr bool kIsVector = requires {
            elementsOf(work);
        };
        if constexpr (kIsVector) {
            action(work);
        }
        return kIsVector;
    });
}

}  // namespace

template <typename Payload>
void VectorUnit::run(const Payload& work) {
    const std::uint64_t elements = elementsOf(work);
    EngineCommandRecord& record = command_.record;
    const OperatorWork laneWork = vectorWork(work);
    record.busyCycles = parts_.clock.ofCore(vectorCycles(parts_.config.vector, laneWork));
    record.operations = elements;
    const Footprint footprint = footprintOf(work);
    record.sramBytes = footprint.trafficBytes();
    record.activity = vectorActivity(parts_.config.vector, laneWork);
    record.activity[regs::PerfEvent::kSramBytes] = record.sramBytes;
    record.sramStallCycles = parts_.sram.begin(
            OperationSlot::kVector, {Engine::kVector, record.index, record.busyCycles}, footprint);
    if (!parts_.config.timingOnly) {
        if constexpr (std::is_same_v<Payload, VecOperator>) {
            parts_.work.finish();
            failure_ = kernels::vecOperator(work, parts_.sram.bytes());
        } else {
            DataAccesses accesses;
            accesses.addSram(footprint);
            parts_.work.post(accesses, elements * kOperationsPerElement,
                             [work, sram = parts_.sram.bytes()] { compute(work, sram); });
        }
    }
    parts_.timer.arm(EngineTimer::kVectorSlot,
                     record.startCycle + record.busyCycles + record.sramStallCycles);
}

void VectorUnit::start() {
    const JobStatus status =
            validateCommand(command_.view(), {.sramBytes = parts_.sram.sizeBytes(),
                                              .accumulatorBytes = parts_.sram.accumulatorBytes()});
    failure_.clear();
    isBusy_ = status == JobStatus::kOk &&
              withVectorPayload(command_, [&](const auto& work) { run(work); });
    if (!isBusy_) {
        parts_.listener.commandFailed(Engine::kVector,
                                      status == JobStatus::kOk ? JobStatus::kBadEngine : status,
                                      fmt::format("vector command {}", command_.record.index));
    }
}

void VectorUnit::onDeadline(std::size_t /*timerSlot*/) {
    isBusy_ = false;
    const std::byte spoilMask = parts_.sram.end(OperationSlot::kVector);
    if (spoilMask != std::byte{0} && !parts_.config.timingOnly) {
        parts_.work.finish();
        withVectorPayload(command_, [&](const auto& work) {
            footprintOf(work).scrambleWrites(parts_.sram.bytes(), parts_.sram.accumulators(),
                                             spoilMask);
        });
    }
    EngineCommandRecord& record = command_.record;
    record.endCycle = parts_.clock.now();
    if (!failure_.empty()) {
        parts_.listener.commandFailed(Engine::kVector, JobStatus::kBadOperand, failure_);
        return;
    }
    parts_.counters.add(regs::PerfEvent::kVectorActiveCycles, record.busyCycles);
    parts_.listener.commandDone(command_);
}

void VectorUnit::abort() {
    isBusy_ = false;
    parts_.sram.end(OperationSlot::kVector);
}

}  // namespace vnpu::hw
