// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/hw_model/operators/real_tensor.h"

namespace vnpu::test {

using Vector = std::vector<double>;
using Gates = std::array<RealTensor, 4>;

inline constexpr std::int32_t kActivations[] = {0, 1, 2, 3, 4, 6};
inline constexpr std::size_t kInput = 0, kForget = 1, kCell = 2, kOutput = 3;  // gates

/// Activation by NNAPI's code.
inline double activated(std::int32_t code, double x) {
    switch (code) {
        case 1:
            return x < 0 ? 0 : x;
        case 2:
            return x < -1 ? -1 : x > 1 ? 1 : x;
        case 3:
            return x < 0 ? 0 : x > 6 ? 6 : x;
        case 4:
            return std::tanh(x);
        case 6:
            return 1 / (1 + std::exp(-x));
        default:
            return x;
    }
}

/// weights[row] * vector, the weights [rows][vector's size].
inline double rowProduct(const RealTensor& weights, std::size_t row,
                         const std::vector<double>& vector) {
    double sum = 0;
    for (std::size_t k = 0; k < vector.size(); ++k) {
        sum += weights[row * vector.size() + k] * vector[k];
    }
    return sum;
}

/// Vector `step`, `sequence` of a tensor of rank 3.
inline std::size_t vectorAt(const hw::Dimensions& dimensions, bool timeMajor, std::size_t step,
                            std::size_t sequence) {
    return timeMajor ? step * dimensions[1] + sequence : sequence * dimensions[1] + step;
}

inline std::vector<double> slice(const RealTensor& tensor, std::size_t vector, std::size_t depth) {
    if (!tensor.isThere) {
        return {};
    }
    const auto first = tensor.reals.begin() + static_cast<std::ptrdiff_t>(vector * depth);
    return {first, first + static_cast<std::ptrdiff_t>(depth)};
}

/// Dimensions of sequences.
struct SequenceSizes {
    std::uint32_t steps, batch;
    bool timeMajor;

    hw::Dimensions with(std::uint32_t depth) const {
        return timeMajor ? hw::Dimensions{steps, batch, depth}
                         : hw::Dimensions{batch, steps, depth};
    }
};

/// Tolerances of results against a reference in double without rounding.
inline double absoluteTolerance(hw::TensorType type) {
    return type == hw::TensorType::kFloat16 ? 1e-3 : 2e-6;
}
inline double relativeTolerance(hw::TensorType type) {
    return type == hw::TensorType::kFloat16 ? 1e-3 : 2e-6;
}

/// Checks an output; `slack` multiplies the tolerances.
inline void checkReals(const OperatorCase& call, std::size_t output, hw::TensorType type,
                       const Vector& expected, double slack = 1) {
    INFO("output ", output);
    CHECK(difference(call.numbers(output), expected, slack * absoluteTolerance(type),
                     slack * relativeTolerance(type)) == "");
}

}  // namespace vnpu::test
