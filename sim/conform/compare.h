// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "sim/conform/vector_file.h"

namespace vnpu::sim {

/// |actual - expected| <= absolute + relative * |expected| passes.
struct Tolerance {
    double absolute = 0.0;
    double relative = 0.0;
};

/// Whether float results of the example may have half precision: the model is relaxed, or computes
/// in float16.
bool isLoose(const Example& example);

/// The tolerance of the HAL's suite for results of a type. `loose` as isLoose().
Tolerance toleranceOf(nn::OperandType type, bool loose);

/// The first element of a result outside its tolerance.
struct Difference {
    std::size_t index = 0;
    double actual = 0.0, expected = 0.0;
    double tolerance = 0.0;
    std::size_t count = 0;  // number of elements outside
    std::size_t elements = 0;

    /// "element 3 is 7, expected 5 +- 1 (2 of 10 elements differ)"
    std::string describe() const;
};

/// Compares the dense bytes of a result; both sides have the expected size.
std::optional<Difference> compareResult(const ExampleOperand& expected,
                                        std::span<const std::byte> actual, bool loose);

/// For RANDOM_MULTINOMIAL: compares how often each class was drawn with the softmax of the input.
/// Returns the difference, or an empty string.
std::string compareMultinomial(const Example& example, std::span<const std::byte> actual);

}  // namespace vnpu::sim
