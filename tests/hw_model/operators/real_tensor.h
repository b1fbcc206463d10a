// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/hw_model/operators/operator_case.h"

namespace vnpu::test {

/// An operand of random elements with their real values.
struct RealTensor {
    OperandKind kind;
    hw::Dimensions dimensions;
    std::vector<std::byte> bytes;
    std::vector<double> reals;
    bool isThere = true;

    double operator[](std::size_t i) const { return reals[i]; }
    std::size_t size() const { return reals.size(); }
    void addTo(OperatorCase& call) const {
        if (isThere) {
            call.add(kind, dimensions, bytes.data(), bytes.size());
        } else {
            call.omitted(kind);
        }
    }
};

/// Floats between low and high; for a quantized type, all levels in that range.
RealTensor randomReals(Random& random, const OperandKind& kind, const hw::Dimensions& dimensions,
                       double low = -1.0, double high = 1.0);

/// An omitted operand.
RealTensor omittedTensor(const OperandKind& kind);

/// The numbers as elements of the kind, rounded to the nearest representable one.
RealTensor tensorOf(const OperandKind& kind, const hw::Dimensions& dimensions,
                    const std::vector<double>& numbers);

/// From the stored integers.
RealTensor storedTensor(const OperandKind& kind, const hw::Dimensions& dimensions,
                        const std::vector<std::int64_t>& integers);

/// A float scalar of the size of the type's elements; float32 for quantized types.
void addReal(OperatorCase& call, hw::TensorType type, double value);
/// The value after the rounding to that scalar.
double roundedReal(hw::TensorType type, double value);

/// Output `o` as real numbers.
std::vector<double> realOutput(const OperatorCase& call, std::size_t o, const OperandKind& kind);

/// Index and values of the first element that differs by more than absolute + relative *
/// |expected|; empty if there is none and the counts are equal.
std::string difference(const std::vector<double>& actual, const std::vector<double>& expected,
                       double absolute, double relative = 0.0);

}  // namespace vnpu::test
