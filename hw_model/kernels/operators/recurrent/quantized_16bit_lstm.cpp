// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/recurrent/fixed_activation16.h"
#include "hw_model/kernels/operators/recurrent/fixed_multiplier.h"
#include "hw_model/kernels/operators/recurrent/integer_products.h"
#include "hw_model/kernels/support/fixed_point.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

// Inputs, as in NNAPI 1.3; the gates are input, forget, cell, output.
constexpr std::size_t kInput = 0;
constexpr std::size_t kInputWeights = 1;
constexpr std::size_t kRecurrentWeights = 5;
constexpr std::size_t kBiases = 9;
constexpr std::size_t kCellState = 13;
constexpr std::size_t kLastOutput = 14;
constexpr std::size_t kGates = 4;

constexpr std::int32_t kDataZero = 128;  // source: NNAPI 1.3, quantization of the data
constexpr double kGateScale = 4096.0;    // gates have 3 integer bits: 2^12 to the unit

JobStatus checkOperands(OperatorCall& call) {
    const std::uint32_t batch = call.input(kInput).dimensions[0];
    const std::uint32_t depth = call.input(kInput).dimensions[1];
    const std::uint32_t units = call.input(kLastOutput).dimensions[1];
    VNPU_TRY(requireDimensions(call, kLastOutput, {batch, units}));
    VNPU_TRY(requireDimensions(call, kCellState, {batch, units}));
    for (std::size_t gate = 0; gate < kGates; ++gate) {
        VNPU_TRY(requireDimensions(call, kInputWeights + gate, {units, depth}));
        VNPU_TRY(requireDimensions(call, kRecurrentWeights + gate, {units, units}));
        VNPU_TRY(requireDimensions(call, kBiases + gate, {units}));
    }
    const float scale = call.input(kBiases).scale;
    return scale > 0.0F && scale < 1.0F
                   ? JobStatus::kOk
                   : call.refuse(fmt::format(
                             "input {} has scale {}, expected more than 0 and less than 1", kBiases,
                             scale));
}

class Cells {
  public:
    explicit Cells(OperatorCall& call)
        : call_(call),
          depth_(call.input(kInput).dimensions[1]),
          units_(call.input(kLastOutput).dimensions[1]),
          gateScale_(kGateScale * static_cast<double>(call.input(kBiases).scale)) {}

    void run() {
        const std::size_t batch = call_.input(kInput).dimensions[0];
        joinVectors(batch);
        const std::uint64_t operations = std::uint64_t{batch} * units_ * kGates * (depth_ + units_);
        forEachTask(batch * units_, operations,
                    [&](std::size_t cell) { step(cell / units_, cell % units_); });
    }

  private:
    // Raw value with 3 integer bits. A row of weights is the recurrent weights followed by the
    // input's; the vector is the input followed by the last output. source: NNAPI's reference and
    // its examples combine them like this, contrary to the operands' names.
    std::int16_t gate(std::size_t index, std::size_t sequence, std::size_t unit) const {
        const Tensor& input = call_.input(kInputWeights + index);
        const Tensor& recurrent = call_.input(kRecurrentWeights + index);
        const std::uint8_t* const vector = &vectors_[sequence * (depth_ + units_)];
        std::int32_t sum = call_.input(kBiases + index).as<std::int32_t>()[unit];
        sum = wrappingAdd(
                sum, productSum(vector, kDataZero, recurrent.as<std::uint8_t>() + unit * units_,
                                recurrent.zeroPoint, units_));
        sum = wrappingAdd(
                sum, productSum(vector + units_, kDataZero,
                                input.as<std::uint8_t>() + unit * depth_, input.zeroPoint, depth_));
        return saturate16(gateScale_(sum));
    }

    void joinVectors(std::size_t batch) {
        vectors_.resize(batch * (depth_ + units_));
        auto out = vectors_.begin();
        for (std::size_t b = 0; b < batch; ++b) {
            out = std::copy_n(call_.input(kInput).as<std::uint8_t>() + b * depth_, depth_, out);
            out = std::copy_n(call_.input(kLastOutput).as<std::uint8_t>() + b * units_, units_,
                              out);
        }
    }

    void step(std::size_t sequence, std::size_t unit) {
        const std::size_t at = sequence * units_ + unit;
        const std::int16_t input = fixedLogistic16(gate(0, sequence, unit));
        const std::int16_t forget = fixedLogistic16(gate(1, sequence, unit));
        const std::int16_t modulation = fixedTanh16(gate(2, sequence, unit), 3);
        const std::int16_t output = fixedLogistic16(gate(3, sequence, unit));
        // The state has 4 integer bits.
        const std::int16_t kept =
                fixedMultiply16(forget, call_.input(kCellState).as<std::int16_t>()[at]);
        const std::int32_t added =
                roundingDivideByPowerOfTwo(fixedMultiply16(input, modulation), 4);
        const std::int16_t state = saturate16(kept + added);
        call_.write<std::int16_t>(0)[at] = state;
        // tanh is constant where 3 integer bits saturate.
        const std::int16_t activation =
                fixedMultiply16(output, fixedTanh16(saturate16(std::int64_t{state} * 2), 3));
        const std::int32_t rounded = roundingDivideByPowerOfTwo(activation, 8);
        call_.write<std::uint8_t>(1)[at] =
                static_cast<std::uint8_t>(kDataZero + std::clamp(rounded, -128, 127));
    }

    OperatorCall& call_;
    std::size_t depth_, units_;
    FixedMultiplier gateScale_;
    std::vector<std::uint8_t> vectors_;  // [batch][input, last output]
};

JobStatus quantized16BitLstm(OperatorCall& call) {
    VNPU_TRY(checkOperands(call));
    const Dimensions states[] = {call.input(kCellState).dimensions,
                                 call.input(kLastOutput).dimensions};
    VNPU_TRY(call.settleAll(states));
    Cells(call).run();
    return JobStatus::kOk;
}

constexpr OperatorEntry kQuantized16BitLstmEntries[] = {
        {Operator::kQuantized16BitLstm,
         {"T2T2T2T2T2T2T2T2T2v1v1v1v1z2T2", "zT", typeSet({TensorType::kQuant8Asymm})},
         quantized16BitLstm}};

}  // namespace

std::span<const OperatorEntry> quantized16BitLstmOperators() {
    return kQuantized16BitLstmEntries;
}

}  // namespace vnpu::hw::kernels
