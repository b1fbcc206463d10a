// SPDX-License-Identifier: Apache-2.0
#include "sim/models/tflite_operator_context.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace vnpu::sim::tflite {

void OperatorContext::requireArguments(std::size_t least, std::size_t most) {
    if (op_.inputs.size() < least || op_.inputs.size() > most) {
        fail(least == most ? fmt::format("has {} inputs, expected {}", op_.inputs.size(), least)
                           : fmt::format("has {} inputs, expected {} to {}", op_.inputs.size(),
                                         least, most));
    }
    for (std::size_t i = 0; i < least; ++i) {
        if (!hasInput(i)) {
            fail(fmt::format("input {} is left out", i));
        }
    }
    if (op_.outputs.size() != 1) {
        fail(fmt::format("has {} outputs, expected 1", op_.outputs.size()));
    }
}

std::vector<std::int32_t> OperatorContext::readInts(std::size_t i) {
    const TensorView& tensor = inputView(i);
    if (!tensor.isConstant()) {
        fail(fmt::format("input {} ({}) is not constant, not supported yet", i, tensor.name));
    }
    const std::size_t size = typeBytes(tensor.type);
    if (tensor.type != TensorType::INT32 && tensor.type != TensorType::INT64) {
        fail(fmt::format("input {} ({}) is {}, expected INT32", i, tensor.name,
                         typeName(tensor.type)));
    }
    std::vector<std::int32_t> values;
    for (std::size_t offset = 0; offset < tensor.data.size(); offset += size) {
        std::int64_t wide = 0;
        std::int32_t narrow = 0;
        if (size == sizeof(wide)) {
            std::memcpy(&wide, tensor.data.data() + offset, sizeof(wide));
        } else {
            std::memcpy(&narrow, tensor.data.data() + offset, sizeof(narrow));
            wide = narrow;
        }
        if (wide < std::numeric_limits<std::int32_t>::min() ||
            wide > std::numeric_limits<std::int32_t>::max()) {
            fail(fmt::format("input {} ({}) holds {}, expected 32 bits", i, tensor.name, wide));
        }
        values.push_back(static_cast<std::int32_t>(wide));
    }
    return values;
}

void OperatorContext::requireRank(const TensorView& tensor, std::size_t rank) {
    if (tensor.dimensions.size() != rank) {
        fail(fmt::format("tensor {} ({}) is {}, expected {} dimensions", tensor.index, tensor.name,
                         describeDimensions(tensor.dimensions), rank));
    }
}

void OperatorContext::requireOutput(const std::vector<std::uint32_t>& dimensions) {
    if (outputView().dimensions != dimensions) {
        fail(fmt::format("output is {}, expected {}", describeDimensions(outputView().dimensions),
                         describeDimensions(dimensions)));
    }
}

void OperatorContext::requireSameType(std::size_t i) {
    if (inputView(i).type != outputView().type) {
        fail(fmt::format("input {} is {} and the output {}, expected the same type", i,
                         typeName(inputView(i).type), typeName(outputView().type)));
    }
}

void OperatorContext::requireSameQuantization(std::size_t i) {
    requireSameType(i);
    const OperandSpec input = inputSpec(i);
    const OperandSpec output = outputSpec();
    if (input.scale != output.scale || input.zeroPoint != output.zeroPoint) {
        fail(fmt::format(
                "input {} has scale {} and zero point {}, the output {} and {}: NNAPI has "
                "the operation with equal ones alone",
                i, input.scale, input.zeroPoint, output.scale, output.zeroPoint));
    }
}

OperatorContext::Index OperatorContext::addActivation(FusedActivation activation) {
    switch (activation) {
        case FusedActivation::NONE:
            return builder().addInt32(static_cast<int>(nn10::FusedActivationFunc::NONE));
        case FusedActivation::RELU:
            return builder().addInt32(static_cast<int>(nn10::FusedActivationFunc::RELU));
        case FusedActivation::RELU_N1_TO_1:
            return builder().addInt32(static_cast<int>(nn10::FusedActivationFunc::RELU1));
        case FusedActivation::RELU6:
            return builder().addInt32(static_cast<int>(nn10::FusedActivationFunc::RELU6));
        default:
            fail(fmt::format("fused activation is {}, expected NONE, RELU, RELU_N1_TO_1 or RELU6",
                             static_cast<int>(activation)));
    }
}

OperatorContext::Index OperatorContext::addStride(std::string_view name, std::int32_t value) {
    if (value < 1) {
        fail(fmt::format("{} is {}, expected at least 1", name, value));
    }
    return builder().addInt32(value);
}

void OperatorContext::failOptions() const {
    fail(fmt::format("has options of union type {}, expected its own",
                     static_cast<int>(op_.table->builtin_options_type())));
}

std::uint32_t windowOutput(std::uint32_t input, std::uint32_t window, std::uint32_t stride,
                           Padding padding) {
    if (padding == Padding::SAME) {
        return (input - 1) / stride + 1;
    }
    return input < window ? 0 : (input - window) / stride + 1;
}

}  // namespace vnpu::sim::tflite
