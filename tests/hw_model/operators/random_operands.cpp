// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/operators/random_operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vnpu::test {

using hw::TensorType;

std::int64_t lowestLevel(TensorType type) {
    return type == TensorType::kQuant8Asymm ? 0 : -128;
}

std::int64_t highestLevel(TensorType type) {
    return type == TensorType::kQuant8Asymm ? 255 : 127;
}

RandomTensor randomTensor(Random& random, const OperandKind& kind,
                          const hw::Dimensions& dimensions) {
    RandomTensor tensor{kind, dimensions, {}, {}};
    const auto count = static_cast<std::size_t>(dimensions.elements());
    const bool isFloat = kind.type == TensorType::kFloat32 || kind.type == TensorType::kFloat16;
    for (std::size_t i = 0; i < count; ++i) {
        tensor.values.push_back(isFloat ? static_cast<double>(random.between(-16, 16)) / 8.0
                                        : static_cast<double>(random.between(-128, 127)));
    }
    if (isFloat) {
        tensor.bytes = floatBytes(kind.type, tensor.values);
        return tensor;
    }
    if (kind.type == TensorType::kInt32) {
        for (double& value : tensor.values) {
            value = static_cast<double>(random.between(-20'000, 20'000));
            const auto element = static_cast<std::int32_t>(value);
            const auto* bytes = reinterpret_cast<const std::byte*>(&element);
            tensor.bytes.insert(tensor.bytes.end(), bytes, bytes + sizeof(element));
        }
        return tensor;
    }
    for (double& value : tensor.values) {
        const auto level = static_cast<std::int64_t>(value) + 128 + lowestLevel(kind.type);
        tensor.bytes.push_back(static_cast<std::byte>(level));
        value = static_cast<double>(level - kind.zeroPoint);
    }
    return tensor;
}

OperandKind drawKind(Random& random, TensorType type) {
    OperandKind kind{type};
    if (type == TensorType::kQuant8Asymm || type == TensorType::kQuant8AsymmSigned) {
        kind.scale = 0.01F + static_cast<float>(random.between(0, 1000)) / 1e4F;
        kind.zeroPoint =
                static_cast<std::int32_t>(random.between(lowestLevel(type), highestLevel(type)));
    }
    return kind;
}

ActivationRange realActivation(std::int32_t activation) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (activation) {
        case 1:
            return {0.0, kInfinity};
        case 2:
            return {-1.0, 1.0};
        case 3:
            return {0.0, 6.0};
        default:
            return {-kInfinity, kInfinity};
    }
}

ActivationRange storedActivation(std::int32_t activation, const OperandKind& output) {
    const auto low = static_cast<double>(lowestLevel(output.type));
    const auto high = static_cast<double>(highestLevel(output.type));
    const ActivationRange real = realActivation(activation);
    const auto level = [&](double x) {
        const auto steps = static_cast<double>(static_cast<float>(x) / output.scale);
        return std::clamp(output.zeroPoint + roundAwayFromZero(steps), low, high);
    };
    return {std::isfinite(real.low) ? level(real.low) : low,
            std::isfinite(real.high) ? level(real.high) : high};
}

bool AxisDraw::settle(std::int64_t scheme, std::int64_t input) {
    if (scheme == 1) {
        output = (input + stride - 1) / stride;
        const std::int64_t total =
                std::max<std::int64_t>((output - 1) * stride + span() - input, 0);
        padHead = total / 2;
        padTail = total - padHead;
        return true;
    }
    if (scheme == 2) {
        padHead = padTail = 0;
    }
    output = 0;
    while (output * stride + span() <= input + padHead + padTail) {
        ++output;
    }
    return output > 0;
}

}  // namespace vnpu::test
