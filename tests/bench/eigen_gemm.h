// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace vnpu::bench {

/// Eigen's float matrix product result = left * right of square matrices, on one thread, compiled
/// for one class of processors.
struct EigenGemm {
    const char* name;
    bool (*isSupported)();
    void (*multiply)(const float* left, const float* right, float* result, std::size_t rows,
                     std::size_t columns, std::size_t depth);  // row by row
};

extern const EigenGemm kEigenGemmV3;  // AVX2
extern const EigenGemm kEigenGemmV4;  // AVX-512

}  // namespace vnpu::bench
