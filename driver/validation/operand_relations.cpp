// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operand_relations.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "driver/validation/broken_rule.h"
#include "driver/validation/operand_types.h"
#include "driver/validation/operation_types.h"

namespace vnpu::driver {

namespace {

using android::hardware::neuralnetworks::V1_3::Operand;
using OperandDimensions = android::hardware::hidl_vec<std::uint32_t>;

constexpr std::size_t kFilter = 1;
constexpr std::size_t kBias = 2;

std::string toText(const OperandDimensions& dimensions) {
    return fmt::format("[{}]", fmt::join(dimensions.begin(), dimensions.end(), ", "));
}

Result<void> checkEqual(const OperandDimensions& shape, const char* what,
                        const OperandDimensions& expected, const char* whose) {
    if (!canBeEqual(shape, expected)) {
        return broken("{} has shape {}, expected {}'s {}", what, toText(shape), whose,
                      toText(expected));
    }
    return {};
}

/// Product of the dimensions; 0 where one is unknown.
std::uint64_t elementsOf(const OperandDimensions& dimensions) {
    std::uint64_t elements = dimensions.size() == 0 ? 0 : 1;
    for (const std::uint32_t dimension : dimensions) {
        const bool overflows = dimension != 0 && elements > UINT64_MAX / dimension;
        elements = overflows ? 0 : elements * dimension;
    }
    return elements;
}

/// Dimension of a shape counted from its end; 1 beyond its beginning.
std::uint32_t fromEnd(const OperandDimensions& dimensions, std::size_t i) {
    return i < dimensions.size() ? dimensions[dimensions.size() - 1 - i] : 1;
}

Result<void> checkChannelDimension(const Operand& filter, std::uint32_t expected) {
    if (filter.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        return {};
    }
    const std::uint32_t actual = filter.extraParams.channelQuant().channelDim;
    if (actual != expected) {
        return broken("channels of the filter are dimension {}, expected {}", actual, expected);
    }
    return {};
}

}  // namespace

bool canBeEqual(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other) {
    return one.empty() || other.empty() ||
           std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](std::uint32_t a, std::uint32_t b) { return a == 0 || b == 0 || a == b; });
}

Result<void> outputHasShapeOfInput(const OperationView& operation) {
    return checkEqual(operation.outputs[0]->dimensions, "output 0", operation.inputs[0]->dimensions,
                      "input 0");
}

Result<void> outputHasRankOfInput(const OperationView& operation) {
    const std::size_t from = operation.inputs[0]->dimensions.size();
    const std::size_t to = operation.outputs[0]->dimensions.size();
    if (from != 0 && to != 0 && from != to) {
        return broken("output 0 has rank {}, expected input 0's {}", to, from);
    }
    return {};
}

Result<void> outputHasElementsOfInput(const OperationView& operation) {
    const std::uint64_t from = elementsOf(operation.inputs[0]->dimensions);
    const std::uint64_t to = elementsOf(operation.outputs[0]->dimensions);
    if (from != 0 && to != 0 && from != to) {
        return broken("output 0 has {} elements, expected input 0's {}", to, from);
    }
    return {};
}

Result<void> outputHasBroadcastShape(const OperationView& operation) {
    const OperandDimensions& left = operation.inputs[0]->dimensions;
    const OperandDimensions& right = operation.inputs[1]->dimensions;
    if (left.size() == 0 || right.size() == 0) {
        return {};
    }
    const std::size_t rank = std::max(left.size(), right.size());
    OperandDimensions expected(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::uint32_t a = fromEnd(left, i);
        const std::uint32_t b = fromEnd(right, i);
        if (a > 1 && b > 1 && a != b) {
            return broken("inputs have shapes {} and {}, which do not go together", toText(left),
                          toText(right));
        }
        const bool isUnknown = (a == 0 && b <= 1) || (b == 0 && a <= 1);
        expected[rank - 1 - i] = isUnknown ? 0 : std::max(a, b);
    }
    const OperandDimensions& output = operation.outputs[0]->dimensions;
    if (!canBeEqual(output, expected)) {
        return broken("output 0 has shape {}, expected {}", toText(output), toText(expected));
    }
    return {};
}

Result<void> choicesHaveOneShape(const OperationView& operation) {
    const OperandDimensions& shape = operation.inputs[0]->dimensions;
    for (const std::size_t i : {1U, 2U}) {
        VNPU_TRY(checkEqual(operation.inputs[i]->dimensions, i == 1 ? "input 1" : "input 2", shape,
                            "input 0"));
    }
    return outputHasShapeOfInput(operation);
}

Result<void> paddingsFitInput(const OperationView& operation) {
    const auto rank = static_cast<std::uint32_t>(operation.inputs[0]->dimensions.size());
    return checkEqual(operation.inputs[1]->dimensions, "input 1", {rank, 2}, "a padding");
}

Result<void> channelDimensionIsFirst(const OperationView& operation) {
    return checkChannelDimension(*operation.inputs[kFilter], 0);
}

Result<void> channelDimensionIsLast(const OperationView& operation) {
    return checkChannelDimension(*operation.inputs[kFilter], 3);
}

Result<void> biasHasDimensionOfFilter(const OperationView& operation, std::size_t dimension) {
    const OperandDimensions& bias = operation.inputs[kBias]->dimensions;
    const OperandDimensions& filter = operation.inputs[kFilter]->dimensions;
    if (bias.size() == 0 || filter.size() == 0 || bias[0] == 0 || filter[dimension] == 0 ||
        bias[0] == filter[dimension]) {
        return {};
    }
    return broken("the bias has {} elements, expected {} as dimension {} of the filter", bias[0],
                  filter[dimension], dimension);
}

Result<void> castChangesKnownTypes(const OperationView& operation) {
    constexpr TypeSet kCast = kFloat32 | kFloat16 | kInt32 | kUnsigned8;
    const OperandType from = operation.inputs[0]->type;
    const OperandType to = operation.outputs[0]->type;
    if (from == to || ((typeBit(from) & kCast) != 0 && (typeBit(to) & kCast) != 0)) {
        return {};
    }
    return broken("casts {} to {}, which only identity would be", toString(from), toString(to));
}

}  // namespace vnpu::driver
