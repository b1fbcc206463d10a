// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/lstm_shapes.h"

#include <fmt/format.h>

#include "hw_model/kernels/operators/recurrent/packed_weights.h"

namespace vnpu::hw::kernels {
namespace {

class LstmCheck {
  public:
    LstmCheck(OperandChecks& checks, const OperatorCall& call, const LstmOperands& operands,
              const LstmTypes& types, LstmShape& shape)
        : checks_(checks), call_(call), operands_(operands), types_(types), shape_(shape) {}

    void run() {
        findSizes();
        if (!checks_.isFine()) {
            return;
        }
        shape_.hasInputGate = isThere(operands_.inputWeights(kInputGate));
        shape_.hasPeepholes = isThere(operands_.peephole(kOutputGate));
        shape_.hasNormalization = isThere(operands_.normalization + kOutputGate);
        shape_.hasProjection = isThere(operands_.projection());
        shape_.hasAuxiliary =
                operands_.auxiliary != 0 && isThere(operands_.auxiliary + kOutputGate);
        checks_.that(shape_.input != 0 && shape_.units != 0 && shape_.output != 0, [&] {
            return fmt::format("{} inputs, {} units and {} outputs, expected at least 1 each",
                               shape_.input, shape_.units, shape_.output);
        });
        for (std::size_t gate = 0; gate < kGates; ++gate) {
            checkGate(gate);
        }
        checkProjection();
        checks_.shape(operands_.outputState(), types_.output, shape_.outputState());
        checks_.shape(operands_.cellState(), types_.cell, shape_.cellState());
        checkMemory();
    }

  private:
    bool isThere(std::size_t input) const { return !call_.isOmitted(input); }

    // The output gate is never left out.
    void findSizes() {
        const std::size_t input = operands_.inputWeights(kOutputGate);
        const std::size_t recurrent = operands_.recurrentWeights(kOutputGate);
        checks_.rank(input, types_.weights, 2);
        checks_.rank(recurrent, types_.weights, 2);
        if (checks_.isFine()) {
            shape_.units = call_.input(input).dimensions[0];
            shape_.output = call_.input(recurrent).dimensions[1];
        }
    }

    // There with the shape, or left out.
    void expect(std::size_t input, TensorType type, const Dimensions& dimensions, bool isExpected) {
        if (isExpected) {
            checks_.shape(input, type, dimensions);
        } else {
            checks_.that(call_.isOmitted(input), [&] {
                return fmt::format("input {} is there, expected it left out with its companions",
                                   input);
            });
        }
    }

    void checkGate(std::size_t gate) {
        const std::uint32_t units = shape_.units;
        const bool isComputed = gate != kInputGate || shape_.hasInputGate;
        expect(operands_.inputWeights(gate), types_.weights, {units, shape_.input}, isComputed);
        expect(operands_.recurrentWeights(gate), types_.weights, {units, shape_.output},
               isComputed);
        expect(operands_.bias(gate), types_.bias, {units}, isComputed);
        if (gate != kCellGate) {
            expect(operands_.peephole(gate), types_.vectors, {units},
                   isComputed && shape_.hasPeepholes);
        }
        expect(operands_.normalization + gate, types_.vectors, {units},
               isComputed && shape_.hasNormalization);
        if (operands_.auxiliary != 0) {
            expect(operands_.auxiliary + gate, types_.weights, {units, shape_.auxiliary},
                   isComputed && shape_.hasAuxiliary);
        }
    }

    void checkProjection() {
        if (shape_.hasProjection) {
            checks_.shape(operands_.projection(), types_.weights, {shape_.output, shape_.units});
            checks_.optionalShape(operands_.projectionBias(), types_.bias, {shape_.output});
            return;
        }
        checks_.that(call_.isOmitted(operands_.projectionBias()), [&] {
            return fmt::format("input {} is there, but input {} is left out",
                               operands_.projectionBias(), operands_.projection());
        });
        checks_.that(shape_.units == shape_.output, [&] {
            return fmt::format("{} units and an output of {} without projection, expected as many",
                               shape_.units, shape_.output);
        });
    }

    void checkMemory() {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 32;  // chosen: beyond any real layer
        const std::uint64_t units = shape_.gates() * std::uint64_t{shape_.units};
        for (const std::uint64_t columns : {shape_.input, shape_.auxiliary, shape_.output}) {
            const std::uint64_t size = PackedWeights::sizeBytes(units, columns);
            checks_.that(size <= kMost, [&] {
                return fmt::format("weights [{}, {}] take {} bytes, expected at most {}", units,
                                   columns, size, kMost);
            });
        }
        const std::uint64_t gates = units * shape_.batch;
        checks_.that(gates * sizeof(float) <= kMost, [&] {
            return fmt::format("{} gates of {} sequences, expected at most {}", units, shape_.batch,
                               kMost / sizeof(float));
        });
    }

    OperandChecks& checks_;
    const OperatorCall& call_;
    const LstmOperands& operands_;
    const LstmTypes& types_;
    LstmShape& shape_;
};

}  // namespace

void checkLstm(OperandChecks& checks, const OperatorCall& call, const LstmOperands& operands,
               const LstmTypes& types, LstmShape& shape) {
    if (checks.isFine()) {
        LstmCheck(checks, call, operands, types, shape).run();
    }
}

}  // namespace vnpu::hw::kernels
