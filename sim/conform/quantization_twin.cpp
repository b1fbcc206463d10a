// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/quantization_twin.h"

#include <algorithm>
#include <iterator>

namespace vnpu::sim {

namespace {

using Op = nn::OperationType;

/// source: NNAPI HAL VTS. These operations use the bytes as truth values, for a hash or as numbers
/// without a scale, pad with a stored value, or do not exist for signed types.
constexpr Op kUncoupled[] = {Op::HASHTABLE_LOOKUP, Op::LSH_PROJECTION, Op::PAD_V2, Op::CAST,
                             Op::QUANTIZED_16BIT_LSTM};

bool isAsymmetric(const ExampleOperand& operand) {
    return operand.type == nn::OperandType::TENSOR_QUANT8_ASYMM;
}

void makeSigned(ExampleSubgraph& graph) {
    for (ExampleOperand& operand : graph.operands) {
        if (!isAsymmetric(operand)) {
            continue;
        }
        operand.type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
        operand.zeroPoint = static_cast<std::int32_t>(std::int64_t{operand.zeroPoint} - 128);
        if (operand.data) {
            for (std::byte& value : *operand.data) {
                value ^= std::byte{0x80};
            }
        }
    }
}

}  // namespace

bool isCoupled(const Example& example) {
    if (example.main.operations.size() != 1) {
        return false;
    }
    const Op type = example.main.operations[0].type;
    return std::find(std::begin(kUncoupled), std::end(kUncoupled), type) == std::end(kUncoupled) &&
           std::any_of(example.main.operands.begin(), example.main.operands.end(), isAsymmetric);
}

Example makeSignedTwin(const Example& example) {
    Example twin = example;
    twin.name += "_signed";
    twin.suite = driver::HalVersion::k13;
    makeSigned(twin.main);
    for (ExampleSubgraph& graph : twin.referenced) {
        makeSigned(graph);
    }
    return twin;
}

}  // namespace vnpu::sim
