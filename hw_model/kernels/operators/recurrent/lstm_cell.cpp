// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/lstm_cell.h"

#include <algorithm>
#include <cmath>

#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kUnitOperations = 200;  // chosen: cost of a unit's five functions

void clip(float limit, float* values, std::size_t count) {
    if (limit > 0.0F) {
        std::transform(values, values + count, values,
                       [&](float x) { return std::clamp(x, -limit, limit); });
    }
}

// The matrices of the computed gates, one below the other.
PackedWeights packGates(const OperatorCall& call, const LstmShape& shape, std::size_t firstInput,
                        std::size_t columns) {
    std::array<RealValues, kGates> values;
    std::array<const float*, kGates> matrices{};
    for (std::size_t gate = shape.firstGate(); gate < kGates; ++gate) {
        values[gate] = RealValues(call, firstInput + gate);
        matrices[gate] = values[gate].data();
    }
    return {std::span(matrices).subspan(shape.firstGate()), shape.units, columns};
}

std::vector<float> copyOf(const RealValues& values) {
    return {values.data(), values.data() + values.size()};
}

}  // namespace

LstmCell::LstmCell(const OperatorCall& call, const LstmOperands& operands, const LstmShape& shape,
                   const LstmParameters& parameters)
    : shape_(shape),
      parameters_(parameters),
      inputWeights_(packGates(call, shape, operands.inputWeights(0), shape.input)),
      recurrentWeights_(packGates(call, shape, operands.recurrentWeights(0), shape.output)),
      projectionBias_(call, operands.projectionBias()),
      outputState_(copyOf({call, operands.outputState()})),
      cellState_(copyOf({call, operands.cellState()})),
      sums_(shape.gates() * shape.units * shape.batch),
      hidden_(std::size_t{shape.units} * shape.batch) {
    if (shape.hasAuxiliary) {
        auxiliaryWeights_ = packGates(call, shape, operands.auxiliary, shape.auxiliary);
    }
    if (shape.hasProjection) {
        projection_ = PackedWeights(call, operands.projection(), shape.output, shape.units);
    }
    for (std::size_t gate = shape.firstGate(); gate < kGates; ++gate) {
        gates_[gate].bias = RealValues(call, operands.bias(gate));
        if (shape.hasPeepholes && gate != kCellGate) {
            gates_[gate].peephole = RealValues(call, operands.peephole(gate));
        }
        if (shape.hasNormalization) {
            gates_[gate].normalization = RealValues(call, operands.normalization + gate);
        }
    }
}

void LstmCell::step(const StepInputs& inputs, float* output, std::size_t outputStride) {
    startGates();
    inputWeights_.accumulate(inputs.input, shape_.batch, sums_.data());
    if (shape_.hasAuxiliary) {
        auxiliaryWeights_.accumulate(inputs.auxiliary, shape_.batch, sums_.data());
    }
    recurrentWeights_.accumulate({outputState_.data(), shape_.output}, shape_.batch, sums_.data());
    const std::uint64_t operations = hidden_.size() * kUnitOperations;
    forEachTask(shape_.batch, operations, [&](std::size_t sequence) { updateCell(sequence); });
    project();
    for (std::size_t b = 0; b < shape_.batch; ++b) {
        std::copy_n(&outputState_[b * shape_.output], shape_.output, output + b * outputStride);
    }
}

// With normalization, biases are added after it.
void LstmCell::startGates() {
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    if (shape_.hasNormalization) {
        return;
    }
    float* sums = sums_.data();
    for (std::size_t b = 0; b < shape_.batch; ++b) {
        for (std::size_t gate = shape_.firstGate(); gate < kGates; ++gate) {
            sums = std::copy_n(gates_[gate].bias.data(), shape_.units, sums);
        }
    }
}

void LstmCell::updateCell(std::size_t sequence) {
    const std::size_t units = shape_.units;
    float* const cell = cellState_.data() + sequence * units;
    float* const sums = sums_.data() + sequence * shape_.gates() * units;
    const auto gate = [&](std::size_t g) { return sums + (g - shape_.firstGate()) * units; };
    for (std::size_t g = shape_.firstGate(); g < kOutputGate; ++g) {
        finishGate(g, gate(g), cell);
    }
    const float* const forget = gate(kForgetGate);
    const float* const modulation = gate(kCellGate);
    const float* const input = shape_.hasInputGate ? gate(kInputGate) : nullptr;
    for (std::size_t u = 0; u < units; ++u) {
        const float in = input == nullptr ? 1.0F - forget[u] : input[u];
        cell[u] = forget[u] * cell[u] + in * modulation[u];
    }
    clip(parameters_.cellClip, cell, units);
    finishGate(kOutputGate, gate(kOutputGate), cell);
    float* const hidden = hidden_.data() + sequence * units;
    std::copy_n(cell, units, hidden);
    activate(parameters_.activation, hidden, units);
    for (std::size_t u = 0; u < units; ++u) {
        hidden[u] *= gate(kOutputGate)[u];
    }
}

void LstmCell::finishGate(std::size_t g, float* values, const float* cell) const {
    const Gate& gate = gates_[g];
    if (gate.peephole.isThere()) {
        for (std::size_t u = 0; u < shape_.units; ++u) {
            values[u] += gate.peephole[u] * cell[u];
        }
    }
    if (shape_.hasNormalization) {
        normalize(gate, values);
    }
    activate(g == kCellGate ? parameters_.activation : RecurrentActivation::kSigmoid, values,
             shape_.units);
}

void LstmCell::normalize(const Gate& gate, float* values) const {
    constexpr double kEpsilon = 1e-8;  // source: TFLite's normalization to mean 0 and deviation 1
    const std::size_t units = shape_.units;
    double sum = 0.0;
    for (std::size_t u = 0; u < units; ++u) {
        sum += static_cast<double>(values[u]);
    }
    const double mean = sum / static_cast<double>(units);
    double squares = 0.0;
    for (std::size_t u = 0; u < units; ++u) {
        const double difference = static_cast<double>(values[u]) - mean;
        squares += difference * difference;
    }
    const double inverse = 1.0 / std::sqrt(squares / static_cast<double>(units) + kEpsilon);
    for (std::size_t u = 0; u < units; ++u) {
        const auto normal = static_cast<float>((static_cast<double>(values[u]) - mean) * inverse);
        values[u] = normal * gate.normalization[u] + gate.bias[u];
    }
}

void LstmCell::project() {
    if (!shape_.hasProjection) {
        outputState_ = hidden_;
        return;
    }
    std::fill(outputState_.begin(), outputState_.end(), 0.0F);
    if (projectionBias_.isThere()) {
        for (std::size_t b = 0; b < shape_.batch; ++b) {
            std::copy_n(projectionBias_.data(), shape_.output, &outputState_[b * shape_.output]);
        }
    }
    projection_.accumulate({hidden_.data(), shape_.units}, shape_.batch, outputState_.data());
    clip(parameters_.projectionClip, outputState_.data(), outputState_.size());
}

}  // namespace vnpu::hw::kernels
