// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/recurrent/fixed_activation16.h"
#include "hw_model/kernels/operators/recurrent/fixed_multiplier.h"
#include "hw_model/kernels/operators/recurrent/fixed_normalization16.h"
#include "hw_model/kernels/operators/recurrent/integer_products.h"
#include "hw_model/kernels/operators/recurrent/lstm_shapes.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr LstmOperands kQuantizedOperands{.weights = 1, .states = 18, .normalization = 20};
constexpr std::size_t kCellClip = 24;
constexpr std::size_t kProjectionClip = 25;
constexpr std::size_t kGateScales = 26;  // of the sums of each gate, before normalization
constexpr std::size_t kHiddenZero = 30;
constexpr std::size_t kHiddenScale = 31;

std::int8_t saturate8(std::int64_t value) {
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(value, -128, 127));
}

// The operands of a gate, with the factors that convert its sums to the gate's scale.
struct Gate {
    const std::int8_t* input = nullptr;
    const std::int8_t* recurrent = nullptr;
    const std::int32_t* bias = nullptr;
    const std::int16_t* peephole = nullptr;
    const std::int16_t* normalization = nullptr;
    FixedMultiplier inputFactor, recurrentFactor, peepholeFactor, normalizationFactor;
};

class QuantizedLstm {
  public:
    explicit QuantizedLstm(OperatorCall& call) : call_(call) {}

    JobStatus run() {
        VNPU_TRY(check());
        const std::vector<Dimensions> states = shape_.states();
        const Dimensions outputs[] = {states[0], states[1], states[0]};
        VNPU_TRY(call_.settleAll(outputs));
        readGates();
        const std::uint64_t operations = std::uint64_t{shape_.batch} * shape_.gates() *
                                         shape_.units *
                                         (std::uint64_t{shape_.input} + shape_.output);
        forEachTask(shape_.batch, operations, [&](std::size_t sequence) { step(sequence); });
        std::copy_n(call_.write<std::int8_t>(2), call_.output(2).elements(),
                    call_.write<std::int8_t>(0));
        return JobStatus::kOk;
    }

  private:
    JobStatus check() {
        shape_.batch = call_.input(0).dimensions[0];
        shape_.input = call_.input(0).dimensions[1];
        VNPU_TRY(checkCell(call_, kQuantizedOperands, shape_));
        for (std::size_t gate = shape_.firstGate(); gate < kGates; ++gate) {
            VNPU_TRY(requirePositive(kGateScales + gate));
        }
        VNPU_TRY(requirePositive(kHiddenScale));
        const std::int32_t zero = call_.int32(kHiddenZero);
        if (zero < -128 || zero > 127) {
            return call_.refuse(fmt::format(
                    "zero point of the hidden state is {}, expected -128 to 127", zero));
        }
        return readCellScale();
    }

    JobStatus requirePositive(std::size_t input) {
        const float value = call_.real(input);
        return value > 0.0F && std::isfinite(value)
                       ? JobStatus::kOk
                       : call_.refuse(fmt::format("input {} is {}, expected a positive number",
                                                  input, value));
    }

    JobStatus readCellScale() {
        const float scale = scaleOf(kQuantizedOperands.cellState());
        const double exponent = std::log2(static_cast<double>(scale));
        cellShift_ = static_cast<int>(std::lround(exponent));
        // chosen: TFLite's tolerance for a power of two
        const bool isPower = std::fabs(exponent - cellShift_) < 1e-3;
        return isPower && cellShift_ >= -15 && cellShift_ <= -9
                       ? JobStatus::kOk
                       : call_.refuse(fmt::format(
                                 "input {} has scale {}, expected a power of two, 2^-15 to 2^-9",
                                 kQuantizedOperands.cellState(), scale));
    }

    float scaleOf(std::size_t input) const { return call_.input(input).scale; }

    template <typename T>
    const T* dataOf(std::size_t input) const {
        return call_.isOmitted(input) ? nullptr : call_.input(input).as<T>();
    }

    void readGates() {
        for (std::size_t g = shape_.firstGate(); g < kGates; ++g) {
            Gate& gate = gates_[g];
            const float sumScale = call_.real(kGateScales + g);
            gate.input = dataOf<std::int8_t>(kQuantizedOperands.inputWeights(g));
            gate.recurrent = dataOf<std::int8_t>(kQuantizedOperands.recurrentWeights(g));
            gate.bias = dataOf<std::int32_t>(kQuantizedOperands.bias(g));
            gate.inputFactor =
                    factor(scaleOf(kQuantizedOperands.inputWeights(g)) * scaleOf(0) / sumScale);
            gate.recurrentFactor = factor(scaleOf(kQuantizedOperands.recurrentWeights(g)) *
                                          scaleOf(kQuantizedOperands.outputState()) / sumScale);
            if (shape_.hasPeepholes && g != kCellGate) {
                gate.peephole = dataOf<std::int16_t>(kQuantizedOperands.peephole(g));
                gate.peepholeFactor = factor(
                        std::ldexp(scaleOf(kQuantizedOperands.peephole(g)), cellShift_) / sumScale);
            }
            if (shape_.hasNormalization) {
                gate.normalization = dataOf<std::int16_t>(kQuantizedOperands.normalization + g);
                gate.normalizationFactor = factor(scaleOf(kQuantizedOperands.normalization + g));
            }
        }
        readOutput();
    }

    // source: the reference computes and keeps factors as floats
    static FixedMultiplier factor(float value) {
        return FixedMultiplier(static_cast<double>(value));
    }

    void readOutput() {
        const float hiddenScale = call_.real(kHiddenScale);
        hiddenFactor_ = factor(std::ldexp(1.0F, -30) / hiddenScale);
        hiddenZero_ = call_.int32(kHiddenZero);
        outputZero_ = call_.input(kQuantizedOperands.outputState()).zeroPoint;
        const float outputScale = scaleOf(kQuantizedOperands.outputState());
        if (shape_.hasProjection) {
            projection_ = dataOf<std::int8_t>(kQuantizedOperands.projection());
            projectionBias_ = dataOf<std::int32_t>(kQuantizedOperands.projectionBias());
            projectionFactor_ =
                    factor(scaleOf(kQuantizedOperands.projection()) * hiddenScale / outputScale);
        }
        cellClip_ = quantizedClip(kCellClip, scaleOf(kQuantizedOperands.cellState()), 32767.0F);
        projectionClip_ = quantizedClip(kProjectionClip, outputScale, 127.0F);
    }

    // 0 means no clipping.
    std::int32_t quantizedClip(std::size_t input, float scale, float most) const {
        const float clip = call_.real(input);
        return clip > 0.0F ? static_cast<std::int32_t>(std::min(clip / scale, most)) : 0;
    }

    // Computes the sum of a gate in its scale, then normalizes it and adds the bias.
    void computeGate(std::size_t g, std::size_t sequence, const std::int16_t* cell,
                     std::int16_t* values) const {
        const Gate& gate = gates_[g];
        const std::int8_t* input = call_.input(0).as<std::int8_t>() + sequence * shape_.input;
        const std::int8_t* state =
                dataOf<std::int8_t>(kQuantizedOperands.outputState()) + sequence * shape_.output;
        const std::int32_t inputZero = call_.input(0).zeroPoint;
        for (std::size_t u = 0; u < shape_.units; ++u) {
            const std::int32_t bias = shape_.hasNormalization ? 0 : gate.bias[u];
            const std::int32_t fromInput = wrappingAdd(
                    bias,
                    productSum(input, inputZero, gate.input + u * shape_.input, 0, shape_.input));
            values[u] = saturate16(gate.inputFactor(fromInput));
            const std::int32_t fromState = productSum(
                    state, outputZero_, gate.recurrent + u * shape_.output, 0, shape_.output);
            values[u] = saturate16(std::int64_t{values[u]} + gate.recurrentFactor(fromState));
            if (gate.peephole != nullptr) {
                const std::int32_t product = std::int32_t{gate.peephole[u]} * cell[u];
                values[u] = saturate16(std::int64_t{values[u]} + gate.peepholeFactor(product));
            }
        }
        if (shape_.hasNormalization) {
            normalize16({values, shape_.units}, gate.normalization, gate.bias,
                        gate.normalizationFactor);
        }
    }

    void logisticGate(std::size_t g, std::size_t sequence, const std::int16_t* cell,
                      std::int16_t* values) const {
        computeGate(g, sequence, cell, values);
        std::transform(values, values + shape_.units, values, fixedLogistic16);
    }

    void step(std::size_t sequence) {
        const std::size_t units = shape_.units;
        std::vector<std::int16_t> memory(3 * units);
        std::int16_t* const input = memory.data();
        std::int16_t* const forget = input + units;
        std::int16_t* const modulation = forget + units;
        const std::int16_t* const last =
                dataOf<std::int16_t>(kQuantizedOperands.cellState()) + sequence * units;
        std::int16_t* const cell = call_.write<std::int16_t>(1) + sequence * units;

        logisticGate(kForgetGate, sequence, last, forget);
        computeGate(kCellGate, sequence, last, modulation);
        for (std::size_t u = 0; u < units; ++u) {
            modulation[u] = fixedTanh16(modulation[u], 3);
        }
        if (shape_.hasInputGate) {
            logisticGate(kInputGate, sequence, last, input);
        }
        for (std::size_t u = 0; u < units; ++u) {
            const int in = shape_.hasInputGate ? input[u] : 32767 - forget[u];
            const std::int32_t kept = roundingDivideByPowerOfTwo(forget[u] * last[u], 15);
            const std::int32_t added =
                    roundingDivideByPowerOfTwo(in * modulation[u], 30 + cellShift_);
            cell[u] = saturate16(std::int64_t{saturate16(kept)} + saturate16(added));
            if (cellClip_ > 0) {
                cell[u] = static_cast<std::int16_t>(
                        std::clamp<std::int32_t>(cell[u], -cellClip_, cellClip_));
            }
        }
        std::int16_t* const output = forget;  // whose values are no longer needed
        logisticGate(kOutputGate, sequence, cell, output);
        hide(sequence, cell, output);
    }

    // Output gate times tanh of the cell, projected if the layer has a projection.
    void hide(std::size_t sequence, const std::int16_t* cell, const std::int16_t* output) {
        const std::size_t units = shape_.units;
        std::vector<std::int8_t> hidden(units);
        for (std::size_t u = 0; u < units; ++u) {
            const std::int32_t product = output[u] * fixedTanh16(cell[u], 15 + cellShift_);
            hidden[u] = saturate8(std::int64_t{hiddenFactor_(product)} + hiddenZero_);
        }
        std::int8_t* const result = call_.write<std::int8_t>(2) + sequence * shape_.output;
        if (!shape_.hasProjection) {
            std::copy(hidden.begin(), hidden.end(), result);
            return;
        }
        for (std::size_t o = 0; o < shape_.output; ++o) {
            const std::int32_t bias = projectionBias_ == nullptr ? 0 : projectionBias_[o];
            const std::int32_t sum = wrappingAdd(
                    bias,
                    productSum(hidden.data(), hiddenZero_, projection_ + o * units, 0, units));
            std::int64_t value = projectionFactor_(sum);
            if (projectionClip_ > 0) {
                value = std::clamp<std::int64_t>(value, -projectionClip_, projectionClip_);
            }
            result[o] = saturate8(value + outputZero_);
        }
    }

    OperatorCall& call_;
    LstmShape shape_;
    std::array<Gate, kGates> gates_;
    FixedMultiplier hiddenFactor_, projectionFactor_;
    const std::int8_t* projection_ = nullptr;
    const std::int32_t* projectionBias_ = nullptr;
    std::int32_t hiddenZero_ = 0, outputZero_ = 0, cellClip_ = 0, projectionClip_ = 0;
    int cellShift_ = 0;
};

constexpr OperatorEntry kQuantizedLstmEntries[] = {
        {Operator::kQuantizedLstm,
         {"T2"
          "y2?y2y2y2y2?y2y2y2z1?z1?z1?v1?v1v1v1y2?v1?"
          "T2z2z1?z1?z1?z1?ssssssis",
          "TzT", typeSet({TensorType::kQuant8AsymmSigned})},
         [](OperatorCall& call) { return QuantizedLstm(call).run(); }}};

}  // namespace

std::span<const OperatorEntry> quantizedLstmOperators() {
    return kQuantizedLstmEntries;
}

}  // namespace vnpu::hw::kernels
