// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random operands of any type as bytes and as numbers, for references that are independent of the
// kernels.

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/hw_model/operators/operator_case.h"
#include "tests/support/reference_ops.h"

namespace vnpu::test::elements {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline const std::vector<hw::TensorType> kFloats = {hw::TensorType::kFloat32,
                                                    hw::TensorType::kFloat16};
inline const std::vector<hw::TensorType> kFloatsAndBytes = {
        hw::TensorType::kFloat32, hw::TensorType::kFloat16, hw::TensorType::kQuant8Asymm,
        hw::TensorType::kQuant8AsymmSigned};

inline bool isQuantized8(hw::TensorType type) {
    return type == hw::TensorType::kQuant8Asymm || type == hw::TensorType::kQuant8AsymmSigned ||
           type == hw::TensorType::kQuant8Symm;
}

inline double lowestLevel(hw::TensorType type) {
    return type == hw::TensorType::kQuant8Asymm ? 0.0 : -128.0;
}

inline double clampLevel(hw::TensorType type, double level) {
    return std::clamp(level, lowestLevel(type), lowestLevel(type) + 255.0);
}

/// A value rounded to the type.
inline double rounded(hw::TensorType type, double value) {
    const std::vector<std::byte> bytes = floatBytes(type, {value});
    return storedNumber(type, bytes.data(), 0);
}

/// Whether a float result matches: the same kind of number, and equal within `relative` and one
/// unit in the last place.
inline bool agrees(hw::TensorType type, double actual, double expected, double relative = 0.0) {
    const double want = rounded(type, expected);
    if (std::isnan(want) || std::isinf(want)) {
        return std::isnan(want) ? std::isnan(actual) : actual == want;
    }
    const bool isHalf = type == hw::TensorType::kFloat16;
    const double place = isHalf ? 0x1.0p-10 : 0x1.0p-23;
    const double least = isHalf ? 0x1.0p-24 : 0x1.0p-149;
    const double allowed = relative == 0.0 ? 0.0 : (relative + place) * std::abs(expected) + least;
    return std::abs(actual - want) <= allowed;
}

struct RandomOperand {
    OperandKind kind;
    hw::Dimensions dimensions;
    std::vector<std::byte> bytes;

    std::size_t size() const { return static_cast<std::size_t>(dimensions.elements()); }
    double number(std::size_t i) const { return storedNumber(kind.type, bytes.data(), i); }
    /// Level minus zero point.
    double difference(std::size_t i) const { return number(i) - kind.zeroPoint; }
    /// In single precision, as in NNAPI's reference.
    double real(std::size_t i) const {
        return isQuantized8(kind.type)
                       ? static_cast<double>(static_cast<float>(difference(i)) * kind.scale)
                       : number(i);
    }
    void addTo(OperatorCase& call) const { call.add(kind, dimensions, bytes.data(), bytes.size()); }
};

inline OperandKind randomKind(Random& random, hw::TensorType type) {
    OperandKind kind{type};
    if (isQuantized8(type)) {
        kind.scale = 0.004F + 0.1F * std::abs(random.real());
        const auto lowest = static_cast<std::int64_t>(lowestLevel(type));
        kind.zeroPoint = type == hw::TensorType::kQuant8Symm
                                 ? 0
                                 : random.pick<std::int32_t>(lowest, lowest + 255);
    }
    return kind;
}

/// Floats from -range to range, a fifth of them whole numbers; integers of any size, half of them
/// small; truth values of any bits; all levels.
inline RandomOperand randomOperand(Random& random, const OperandKind& kind,
                                   const hw::Dimensions& dimensions, double range = 8.0) {
    RandomOperand operand{kind, dimensions, {}};
    const std::size_t size = operand.size();
    operand.bytes.resize(size * hw::elementBytes(kind.type));
    if (isFloat(kind.type)) {
        std::vector<double> values(size);
        for (double& value : values) {
            value = double{random.real()} * range;
            value = random.oneIn(5) ? std::round(value) : value;
        }
        operand.bytes = floatBytes(kind.type, values);
    } else if (kind.type == hw::TensorType::kInt32) {
        for (std::size_t i = 0; i < size; ++i) {
            const auto value = random.oneIn(2) ? random.pick<std::int32_t>(-9, 9)
                                               : random.pick<std::int32_t>(
                                                         std::numeric_limits<std::int32_t>::min(),
                                                         std::numeric_limits<std::int32_t>::max());
            std::memcpy(&operand.bytes[i * sizeof(value)], &value, sizeof(value));
        }
    } else {
        for (std::byte& byte : operand.bytes) {
            const bool isFalse = kind.type == hw::TensorType::kBool8 && random.oneIn(2);
            byte = isFalse ? std::byte{0} : static_cast<std::byte>(random.between(0, 255));
        }
    }
    return operand;
}

/// Rank 1 to `maxRank` with small extents; one in thirty has a zero, one in ten a long last extent.
inline hw::Dimensions randomDimensions(Random& random, std::int64_t maxRank = 4) {
    hw::Dimensions dimensions;
    const std::int64_t rank = random.between(1, maxRank);
    for (std::int64_t d = 0; d < rank; ++d) {
        dimensions.append(random.pick<std::uint32_t>(1, 5));
    }
    const auto last = static_cast<std::size_t>(rank) - 1;
    if (random.oneIn(30)) {
        dimensions[random.pick<std::size_t>(0, rank - 1)] = 0;
    } else if (random.oneIn(10)) {
        dimensions[last] = random.pick<std::uint32_t>(250, 600);
    }
    return dimensions;
}

/// The products of the extents before, at, and after dimension `axis`.
struct AxisExtents {
    std::size_t outer = 1, length = 1, inner = 1;

    AxisExtents(const hw::Dimensions& dimensions, std::size_t axis) {
        for (std::size_t d = 0; d < dimensions.rank(); ++d) {
            (d < axis ? outer : d == axis ? length : inner) *= dimensions[d];
        }
    }
    std::size_t at(std::size_t i, std::size_t x, std::size_t j) const {
        return (i * length + x) * inner + j;
    }
};

}  // namespace vnpu::test::elements
