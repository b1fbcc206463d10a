// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace vnpu::bench {

/// Eigen's expressions for the kinds of loops in the kernels, on one thread, compiled for one class
/// of processors. Matrices are row-major.
struct EigenLoops {
    const char* name;
    bool (*isSupported)();
    /// result = left * right; left has `depth` columns, right `depth` rows.
    void (*multiply)(const float* left, const float* right, float* result, std::size_t rows,
                     std::size_t columns, std::size_t depth);
    /// The same for bytes with 32-bit sums.
    void (*multiplyBytes)(const std::int8_t* left, const std::int8_t* right, std::int32_t* result,
                          std::size_t rows, std::size_t columns, std::size_t depth);
    /// A map: each element clamped to 0 to 6.
    void (*clamp)(const float* input, float* result, std::size_t rows, std::size_t columns);
    /// A broadcast: one row added to each row.
    void (*addRow)(const float* input, const float* row, float* result, std::size_t rows,
                   std::size_t columns);
    /// A reduction: the mean of each row, summed in double.
    void (*meanOfRows)(const float* input, float* result, std::size_t rows, std::size_t columns);
    /// The softmax of each row, with Eigen's exponential and sums in double.
    void (*softmax)(const float* input, float* result, std::size_t rows, std::size_t columns);
};

extern const EigenLoops kEigenLoopsV3;  // AVX2
extern const EigenLoops kEigenLoopsV4;  // AVX-512

}  // namespace vnpu::bench
