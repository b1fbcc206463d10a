// SPDX-License-Identifier: Apache-2.0
// Compiled once for each class of processors, with VNPU_EIGEN_LEVEL 3 or 4. Each class renames
// Eigen's namespace; otherwise the linker would merge the functions of the classes.
#if VNPU_EIGEN_LEVEL == 4
#define Eigen EigenV4
#else
#define Eigen EigenV3
#endif
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include "tests/bench/eigen_loops.h"

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

using Row = Eigen::Array<float, 1, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Integers = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Bytes = Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Rows> rowsOf(const float* values, std::size_t rows, std::size_t columns) {
    return {values, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

Eigen::Map<Rows> rowsOf(float* values, std::size_t rows, std::size_t columns) {
    return {values, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

void multiplyBytes(const std::int8_t* left, const std::int8_t* right, std::int32_t* result,
                   std::size_t rows, std::size_t columns, std::size_t depth) {
    const auto m = static_cast<Eigen::Index>(rows);
    const auto n = static_cast<Eigen::Index>(columns);
    const auto k = static_cast<Eigen::Index>(depth);
    Eigen::Map<Integers>(result, m, n).noalias() =
            Eigen::Map<const Bytes>(left, m, k).cast<std::int32_t>() *
            Eigen::Map<const Bytes>(right, k, n).cast<std::int32_t>();
}

void clamp(const float* input, float* result, std::size_t rows, std::size_t columns) {
    rowsOf(result, rows, columns) = rowsOf(input, rows, columns).max(0.0F).min(6.0F);
}

void addRow(const float* input, const float* row, float* result, std::size_t rows,
            std::size_t columns) {
    const Eigen::Map<const Row> added(row, static_cast<Eigen::Index>(columns));
    rowsOf(result, rows, columns) = rowsOf(input, rows, columns).rowwise() + added;
}

void meanOfRows(const float* input, float* result, std::size_t rows, std::size_t columns) {
    rowsOf(result, rows, 1) = (rowsOf(input, rows, columns).cast<double>().rowwise().sum() /
                               static_cast<double>(columns))
                                      .cast<float>();
}

void softmax(const float* input, float* result, std::size_t rows, std::size_t columns) {
    auto to = rowsOf(result, rows, columns);
    const auto from = rowsOf(input, rows, columns);
    for (Eigen::Index i = 0; i < to.rows(); ++i) {
        to.row(i) = (from.row(i) - from.row(i).maxCoeff()).exp();
        const double sum = to.row(i).cast<double>().sum();
        to.row(i) = (to.row(i).cast<double>() / sum).cast<float>();
    }
}

}  // namespace

#if VNPU_EIGEN_LEVEL == 4
const EigenLoops kEigenLoopsV4 = {.name = "AVX-512",
                                  .isSupported =
                                          [] {
                                              return __builtin_cpu_supports("avx512f") != 0 &&
                                                     __builtin_cpu_supports("avx512dq") != 0;
                                          },
                                  .multiply = multiply,
                                  .multiplyBytes = multiplyBytes,
                                  .clamp = clamp,
                                  .addRow = addRow,
                                  .meanOfRows = meanOfRows,
                                  .softmax = softmax};
#else
const EigenLoops kEigenLoopsV3 = {.name = "AVX2",
                                  .isSupported =
                                          [] {
                                              return __builtin_cpu_supports("avx2") != 0 &&
                                                     __builtin_cpu_supports("fma") != 0;
                                          },
                                  .multiply = multiply,
                                  .multiplyBytes = multiplyBytes,
                                  .clamp = clamp,
                                  .addRow = addRow,
                                  .meanOfRows = meanOfRows,
                                  .softmax = softmax};
#endif

}  // namespace vnpu::bench
