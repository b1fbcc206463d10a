// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ndk_interface/operation_examples.h"

#include <doctest/doctest.h>

#include <charconv>
#include <cstring>
#include <map>
#include <sstream>

namespace vnpu::test {

namespace {

constexpr float kScale = 0.5F;

OperandSpec tensorOf(char type, std::vector<std::uint32_t> dimensions) {
    switch (type) {
        case 'F':
            return {ANEURALNETWORKS_TENSOR_FLOAT32, std::move(dimensions)};
        case 'H':
            return {ANEURALNETWORKS_TENSOR_FLOAT16, std::move(dimensions)};
        case 'I':
            return {ANEURALNETWORKS_TENSOR_INT32, std::move(dimensions)};
        case 'B':
            return {ANEURALNETWORKS_TENSOR_BOOL8, std::move(dimensions)};
        case 'Q':
            return {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, std::move(dimensions), kScale, 128};
        case 'S':
            return {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, std::move(dimensions), kScale, 0};
        case 'P':
            return {ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, std::move(dimensions)};
        case 'K':
            return {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, std::move(dimensions), 1.0F, 0};
        case 'Z':
            return {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, std::move(dimensions), 1.0F / 128, 128};
        case 'C':
            return {ANEURALNETWORKS_TENSOR_QUANT16_SYMM, std::move(dimensions), 1.0F / 2048, 0};
        case 'D':
            return {ANEURALNETWORKS_TENSOR_INT32, std::move(dimensions), kScale / 128, 0};
        default:
            FAIL("no such tensor: ", type);
            return {};
    }
}

bool isQuantized(char type) {
    return type == 'Q' || type == 'S';
}

/// A tensor whose letter refers to the example's type.
OperandSpec relatedTensor(char letter, char type, std::vector<std::uint32_t> dimensions) {
    OperandSpec spec = tensorOf(type, std::move(dimensions));
    if (!isQuantized(type) || letter == 'T') {
        return spec;
    }
    switch (letter) {
        case 'L':
            spec.scale = 1.0F / 256;
            spec.zeroPoint = type == 'Q' ? 0 : -128;
            return spec;
        case 'N':
            spec.scale = 1.0F / 128;
            spec.zeroPoint = type == 'Q' ? 128 : 0;
            return spec;
        default:  // A
            return {ANEURALNETWORKS_TENSOR_INT32, spec.dimensions, kScale * kScale, 0};
    }
}

std::int32_t scalarOf(char letter, char type) {
    const bool isHalf = type == 'H';
    switch (letter) {
        case 'b':
            return ANEURALNETWORKS_BOOL;
        case 'x':
            return isHalf ? ANEURALNETWORKS_FLOAT16 : ANEURALNETWORKS_FLOAT32;
        case 'v':
        case 'p':
            return isHalf        ? ANEURALNETWORKS_FLOAT16
                   : type == 'F' ? ANEURALNETWORKS_FLOAT32
                                 : ANEURALNETWORKS_INT32;
        default:
            return ANEURALNETWORKS_INT32;
    }
}

ScalarRole roleOf(char letter) {
    switch (letter) {
        case 'a':
            return ScalarRole::kActivation;
        case 'g':
            return ScalarRole::kPadding;
        case 's':
            return ScalarRole::kPositive;
        default:
            return ScalarRole::kAny;
    }
}

/// The bits of the few float16 values in the table.
std::uint16_t halfOf(float value) {
    const std::map<float, std::uint16_t> bits = {
            {0.0F, 0x0000}, {0.01F, 0x211F}, {0.1F, 0x2E66}, {0.3F, 0x34CD}, {0.5F, 0x3800},
            {1.0F, 0x3C00}, {2.0F, 0x4000},  {4.0F, 0x4400}, {5.0F, 0x4500}, {10.0F, 0x4900}};
    const auto found = bits.find(value);
    REQUIRE_MESSAGE(found != bits.end(), "no float16 for ", value);
    return found->second;
}

template <typename T>
void append(std::vector<std::byte>& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(value));
    std::memcpy(bytes.data() + at, &value, sizeof(value));
}

/// Values "{1,2}" or "1" as bytes of a type.
std::vector<std::byte> bytesOf(std::string_view text, std::int32_t type) {
    std::vector<std::byte> bytes;
    std::istringstream words{std::string(text.substr(text.front() == '{' ? 1 : 0))};
    double value = 0.0;
    while (words >> value) {
        switch (type) {
            case ANEURALNETWORKS_FLOAT32:
                append(bytes, static_cast<float>(value));
                break;
            case ANEURALNETWORKS_FLOAT16:
                append(bytes, halfOf(static_cast<float>(value)));
                break;
            case ANEURALNETWORKS_BOOL:
                append(bytes, static_cast<std::uint8_t>(value));
                break;
            default:
                append(bytes, static_cast<std::int32_t>(value));
        }
        words.ignore(1);  // the comma
    }
    return bytes;
}

std::vector<std::uint32_t> dimensionsOf(std::string_view text) {
    std::vector<std::uint32_t> dimensions;
    std::istringstream words{std::string(text)};
    std::uint32_t value = 0;
    while (words >> value) {
        dimensions.push_back(value);
        words.ignore(1);
    }
    return dimensions;
}

ExampleOperand parseOperand(std::string_view text, char type) {
    const char letter = text.front();
    ExampleOperand operand;
    const std::size_t end = text.find(']');
    if (end != std::string_view::npos) {
        auto dimensions = dimensionsOf(text.substr(2, end - 2));
        operand.spec = std::string_view("TLNA").find(letter) != std::string_view::npos
                               ? relatedTensor(letter, type, std::move(dimensions))
                               : tensorOf(letter, std::move(dimensions));
    } else {
        operand.spec.type = scalarOf(letter, type);
        operand.role = roleOf(letter);
    }
    if (const std::size_t value = text.find('='); value != std::string_view::npos) {
        operand.value = bytesOf(text.substr(value + 1), operand.spec.type);
    }
    return operand;
}

}  // namespace

std::vector<ExampleOperand> parseOperands(std::string_view text, char type) {
    std::vector<ExampleOperand> operands;
    std::istringstream words{std::string(text)};
    std::string word;
    while (words >> word) {
        operands.push_back(parseOperand(word, type));
    }
    return operands;
}

std::vector<OperationExample> operationExamples() {
    std::vector<OperationExample> examples;
    for (const OperationRow& row : operationRows()) {
        for (const char type : row.types) {
            examples.push_back({std::string(row.name) + " of " + type, &row,
                                parseOperands(row.inputs, type), parseOperands(row.outputs, type)});
        }
    }
    return examples;
}

}  // namespace vnpu::test
