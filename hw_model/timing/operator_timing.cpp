// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/operator_timing.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace vnpu::hw {
namespace {

using work::OperatorCost;

/// The operator's row, or null for an unknown code.
const OperatorCost* findCost(Operator op) {
    static const auto kTable = [] {
        std::array<const OperatorCost*, kOperatorCount> table{};
        for (const auto family :
             {work::elementCosts(), work::productCosts(), work::serialCosts()}) {
            for (const OperatorCost& cost : family) {
                table[static_cast<std::size_t>(cost.op)] = &cost;
            }
        }
        return table;
    }();
    const auto code = static_cast<std::size_t>(op);
    return code < kTable.size() ? kTable[code] : nullptr;
}

std::uint64_t lanesOf(std::uint32_t lanes8, std::uint32_t lanes32, TensorType type) {
    switch (elementBytes(type)) {
        case 1:
            return lanes8;
        case 2:
            return std::max(1U, lanes8 / 2);
        default:
            return lanes32;
    }
}

std::uint64_t productsOf(const DspConfig& config, TensorType type) {
    return isFloat(type) ? config.macsFloat : std::max(1U, config.macs8 / elementBytes(type));
}

std::uint64_t passCycles(const OperatorWork& work, std::uint64_t lanes,
                         std::uint64_t exponentialCycles) {
    std::uint64_t cycles = 0;
    for (const LanePass& pass : work.passes) {
        const std::uint64_t each = pass.steps + pass.exponentials * exponentialCycles;
        cycles = work::plus(cycles, work::times(divideUp(pass.elements, lanes), each));
    }
    return cycles;
}

OperandShape shapeOf(const VecOperand& operand) {
    OperandShape shape;
    shape.type = operand.type;
    shape.isOmitted = (operand.flags & kOperandOmitted) != 0;
    const bool isImmediate = (operand.flags & kOperandImmediate) != 0;
    if (isImmediate && operand.rank == 1) {
        shape.dimensions.append(operand.count);
    } else if (!isImmediate) {
        for (std::size_t d = 0; d < operand.rank && d < std::size(operand.words); ++d) {
            shape.dimensions.append(operand.words[d]);
        }
    }
    shape.isValueKnown = isImmediate && operand.rank == 0 && !isFloat(operand.type);
    shape.value = shape.isValueKnown ? static_cast<std::int32_t>(operand.words[0]) : 0;
    return shape;
}

}  // namespace

bool isFloat(TensorType type) {
    return type == TensorType::kFloat32 || type == TensorType::kFloat16 ||
           type == TensorType::kFloat32Scalar || type == TensorType::kFloat16Scalar;
}

OperatorWork operatorWork(Operator op, std::span<const OperandShape> inputs,
                          std::span<const OperandShape> outputs) {
    const OperatorCost* row = findCost(op);
    if (row == nullptr) {
        return {};
    }
    const work::Operands operands(inputs, outputs, row->data);
    OperatorWork work = row->work(operands);
    work.type = operands.type(row->data);
    if (work.macs == 0 && elementBytes(operands.outputType()) > elementBytes(work.type)) {
        work.type = operands.outputType();
    }
    return work;
}

std::uint64_t dspCycles(const DspConfig& config, const OperatorWork& work) {
    std::uint64_t cycles =
            work::plus(config.startupCycles,
                       passCycles(work, lanesOf(config.lanes8, config.lanes32, work.type),
                                  config.exponentialCycles));
    cycles = work::plus(cycles, divideUp(work.macs, productsOf(config, work.type)));
    return work::plus(cycles, work::times(work.serialSteps, config.scalarCycles));
}

std::uint64_t vectorCycles(const VectorConfig& config, const OperatorWork& work) {
    const std::uint64_t lanes = lanesOf(config.lanes8, config.lanes32, work.type);
    std::uint64_t cycles =
            work::plus(config.startupCycles, passCycles(work, lanes, config.exponentialCycles));
    cycles = work::plus(cycles, divideUp(work.macs, lanes));
    return work::plus(cycles, work.serialSteps);
}

OperatorWork vectorWork(const VecOperator& command) {
    std::array<OperandShape, kMaxVecOperands> shapes;
    const std::size_t inputs = std::min<std::size_t>(command.inputCount, kMaxVecOperands);
    const std::size_t outputs =
            std::min<std::size_t>(command.outputCount, kMaxVecOperands - inputs);
    for (std::size_t i = 0; i < inputs + outputs; ++i) {
        shapes[i] = shapeOf(command.operands[i]);
    }
    const std::span<const OperandShape> all(shapes);
    return operatorWork(command.op, all.first(inputs), all.subspan(inputs, outputs));
}

std::uint64_t vectorCycles(const VectorConfig& config, const VecOperator& command) {
    return vectorCycles(config, vectorWork(command));
}

std::string_view operatorCostFormula(Operator op) {
    const OperatorCost* row = findCost(op);
    return row == nullptr ? "?" : row->formula;
}

}  // namespace vnpu::hw
