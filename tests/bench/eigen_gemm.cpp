// SPDX-License-Identifier: Apache-2.0
// Compiled once for each class of processors, with VNPU_EIGEN_LEVEL 3 or 4. Eigen's namespace is
// renamed with it: else the linker would take one class's functions for the other's.
#if VNPU_EIGEN_LEVEL == 4
#define Eigen EigenV4
#else
#define Eigen EigenV3
#endif
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include "tests/bench/eigen_gemm.h"

namespace vnpu::bench {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void multiply(const float* left, const float* right, float* result, std::size_t rows,
              std::size_t columns, std::size_t depth) {
    const auto m = static_cast<Eigen::Index>(rows);
    const auto n = static_cast<Eigen::Index>(columns);
    const auto k = static_cast<Eigen::Index>(depth);
    Eigen::Map<Matrix>(result, m, n).noalias() =
            Eigen::Map<const Matrix>(left, m, k) * Eigen::Map<const Matrix>(right, k, n);
}

}  // namespace

#if VNPU_EIGEN_LEVEL == 4
const EigenGemm kEigenGemmV4 = {.name = "AVX-512",
                                .isSupported =
                                        [] {
                                            return __builtin_cpu_supports("avx512f") != 0 &&
                                                   __builtin_cpu_supports("avx512dq") != 0;
                                        },
                                .multiply = multiply};
#else
const EigenGemm kEigenGemmV3 = {.name = "AVX2",
                                .isSupported =
                                        [] {
                                            return __builtin_cpu_supports("avx2") != 0 &&
                                                   __builtin_cpu_supports("fma") != 0;
                                        },
                                .multiply = multiply};
#endif

}  // namespace vnpu::bench
