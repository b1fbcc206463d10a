// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/hw_model/operators/operator_case.h"

namespace vnpu::test {

/// An operand of random elements and the real numbers that they stand for.
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

/// Floats between low and high; of a quantized type all that stands for such a number.
RealTensor randomReals(Random& random, const OperandKind& kind, const hw::Dimensions& dimensions,
                       double low = -1.0, double high = 1.0);

/// Left out.
RealTensor omittedTensor(const OperandKind& kind);

/// The numbers as elements of the kind, rounded to the nearest that it can hold.
RealTensor tensorOf(const OperandKind& kind, const hw::Dimensions& dimensions,
                    const std::vector<double>& numbers);

/// Of integers as they are stored.
RealTensor storedTensor(const OperandKind& kind, const hw::Dimensions& dimensions,
                        const std::vector<std::int64_t>& integers);

/// A float scalar of the size of the type's elements; float32 for quantized types.
void addReal(OperatorCase& call, hw::TensorType type, double value);
/// The value after the rounding to that scalar.
double roundedReal(hw::TensorType type, double value);

/// Output `o` as real numbers.
std::vector<double> realOutput(const OperatorCase& call, std::size_t o, const OperandKind& kind);

/// Index and values of the first element that is further than absolute + relative * |expected| off;
/// empty if there is none and the counts agree.
std::string difference(const std::vector<double>& actual, const std::vector<double>& expected,
                       double absolute, double relative = 0.0);

}  // namespace vnpu::test
