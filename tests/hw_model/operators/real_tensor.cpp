// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/operators/real_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vnpu::test {

using hw::TensorType;

namespace {

struct Range {
    std::int64_t low, high;
};

Range rangeOf(TensorType type) {
    switch (type) {
        case TensorType::kQuant8Asymm:
            return {0, 255};
        case TensorType::kQuant16Symm:
            return {-32768, 32767};
        case TensorType::kQuant16Asymm:
            return {0, 65535};
        case TensorType::kInt32:
            return {std::numeric_limits<std::int32_t>::min(),
                    std::numeric_limits<std::int32_t>::max()};
        default:
            return {-128, 127};
    }
}

double realOf(const OperandKind& kind, double stored) {
    return isFloat(kind.type) || kind.scale == 0.0F
                   ? stored
                   : (stored - kind.zeroPoint) * static_cast<double>(kind.scale);
}

RealTensor fromBytes(const OperandKind& kind, const hw::Dimensions& dimensions,
                     std::vector<std::byte> bytes) {
    RealTensor tensor{kind, dimensions, std::move(bytes), {}, true};
    for (std::size_t i = 0; i < dimensions.elements(); ++i) {
        tensor.reals.push_back(realOf(kind, storedNumber(kind.type, tensor.bytes.data(), i)));
    }
    return tensor;
}

}  // namespace

RealTensor storedTensor(const OperandKind& kind, const hw::Dimensions& dimensions,
                        const std::vector<std::int64_t>& integers) {
    const std::size_t size = hw::elementBytes(kind.type);
    std::vector<std::byte> bytes(integers.size() * size);
    for (std::size_t i = 0; i < integers.size(); ++i) {
        std::memcpy(&bytes[i * size], &integers[i], size);  // little endian
    }
    return fromBytes(kind, dimensions, std::move(bytes));
}

RealTensor tensorOf(const OperandKind& kind, const hw::Dimensions& dimensions,
                    const std::vector<double>& numbers) {
    if (isFloat(kind.type)) {
        return fromBytes(kind, dimensions, floatBytes(kind.type, numbers));
    }
    const Range range = rangeOf(kind.type);
    const double scale = kind.scale == 0.0F ? 1.0 : static_cast<double>(kind.scale);
    std::vector<std::int64_t> integers;
    for (const double number : numbers) {
        const std::int64_t q = std::llround(number / scale) + kind.zeroPoint;
        integers.push_back(std::clamp(q, range.low, range.high));
    }
    return storedTensor(kind, dimensions, integers);
}

RealTensor randomReals(Random& random, const OperandKind& kind, const hw::Dimensions& dimensions,
                       double low, double high) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < dimensions.elements(); ++i) {
        numbers.push_back(low + (static_cast<double>(random.real()) + 1.0) / 2 * (high - low));
    }
    return tensorOf(kind, dimensions, numbers);
}

RealTensor omittedTensor(const OperandKind& kind) {
    return {kind, {}, {}, {}, false};
}

void addReal(OperatorCase& call, TensorType type, double value) {
    if (type == TensorType::kFloat16) {
        call.half(static_cast<float>(value));
    } else {
        call.real(static_cast<float>(value));
    }
}

double roundedReal(TensorType type, double value) {
    const TensorType scalar = type == TensorType::kFloat16 ? type : TensorType::kFloat32;
    return storedNumber(scalar, floatBytes(scalar, {value}).data(), 0);
}

std::vector<double> realOutput(const OperatorCase& call, std::size_t o, const OperandKind& kind) {
    std::vector<double> numbers = call.numbers(o);
    std::transform(numbers.begin(), numbers.end(), numbers.begin(),
                   [&](double number) { return realOf(kind, number); });
    return numbers;
}

std::string difference(const std::vector<double>& actual, const std::vector<double>& expected,
                       double absolute, double relative) {
    if (actual.size() != expected.size()) {
        return fmt::format("{} elements, expected {}", actual.size(), expected.size());
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double most = absolute + relative * std::fabs(expected[i]);
        if (!(std::fabs(actual[i] - expected[i]) <= most)) {
            return fmt::format("element {} is {}, expected {} +- {}", i, actual[i], expected[i],
                               most);
        }
    }
    return "";
}

}  // namespace vnpu::test
