// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/sequence_layer.h"

#include <fmt/format.h>

#include <algorithm>

namespace vnpu::hw::kernels {

void checkFloatInput(OperandChecks& checks, const OperatorCall& call, std::size_t rank) {
    const TensorType type = call.input(0).type;
    checks.that(type == TensorType::kFloat32 || type == TensorType::kFloat16, [&] {
        return fmt::format("input 0 has type {}, expected a float", tensorTypeName(type));
    });
    checks.rank(0, type, rank);
}

void checkOutputTypes(OperandChecks& checks, const OperatorCall& call) {
    for (std::size_t o = 0; o < call.outputCount(); ++o) {
        checks.outputType(o, call.input(0).type);
    }
}

RecurrentActivation readCellActivation(OperandChecks& checks, const OperatorCall& call,
                                       std::size_t input) {
    checks.int32(input);
    const std::int32_t code = checks.isFine() ? call.int32(input) : 0;
    checks.that(isRecurrentActivation(code),
                [&] { return fmt::format("activation is {}, expected 0, 1, 2, 3, 4 or 6", code); });
    return static_cast<RecurrentActivation>(code);
}

std::uint32_t checkAuxiliaryInput(OperandChecks& checks, const OperatorCall& call,
                                  std::size_t auxiliary) {
    const TensorType type = call.input(0).type;
    checks.rank(auxiliary, type, 3);
    if (!checks.isFine()) {
        return 0;
    }
    const Dimensions& input = call.input(0).dimensions;
    const std::uint32_t depth = call.input(auxiliary).dimensions[2];
    checks.shape(auxiliary, type, {input[0], input[1], depth});
    return depth;
}

void storeValues(OperatorCall& call, std::size_t output, std::span<const float> values) {
    RealResult result(call, output);
    std::copy(values.begin(), values.end(), result.data());
    result.store();
}

std::vector<Dimensions> BidirectionalDepths::dimensions(const SequenceLayout& layout) const {
    if (isMerged) {
        return {layout.dimensions(forward + backward)};
    }
    return {layout.dimensions(forward), layout.dimensions(backward)};
}

BidirectionalResult::BidirectionalResult(OperatorCall& call, const BidirectionalDepths& depths)
    : depths_(depths),
      first_(call, 0),
      second_(depths.isMerged ? RealResult() : RealResult(call, 1)) {}

OutputColumns BidirectionalResult::forward() {
    return {first_.data(), depths_.isMerged ? depths_.forward + depths_.backward : depths_.forward,
            0};
}

OutputColumns BidirectionalResult::backward() {
    if (depths_.isMerged) {
        return {first_.data(), depths_.forward + depths_.backward, depths_.forward};
    }
    return {second_.data(), depths_.backward, 0};
}

void BidirectionalResult::store() {
    first_.store();
    second_.store();
}

}  // namespace vnpu::hw::kernels
