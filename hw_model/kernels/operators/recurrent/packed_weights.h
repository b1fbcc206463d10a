// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Vectors of floats that lie `stride` floats apart.
struct VectorRows {
    const float* data;
    std::size_t stride;
};

/// Weights of a recurrent layer, packed once for the MAC array's inner loop and used in every step.
/// Any thread.
class PackedWeights {
  public:
    PackedWeights() = default;
    /// The rows of matrices [rowsEach][columns], one matrix below the other.
    PackedWeights(std::span<const float* const> matrices, std::size_t rowsEach,
                  std::size_t columns);

    /// A single matrix, input `i`.
    PackedWeights(const OperatorCall& call, std::size_t i, std::size_t rows, std::size_t columns);

    /// sums[v][r] += weights[r] * vectors[v], by fused multiply-adds in the order of the columns:
    /// the same bits on every processor. `sums` has the stride rows().
    void accumulate(VectorRows vectors, std::size_t count, float* sums) const;

    bool isEmpty() const { return rows_ == 0 || columns_ == 0; }
    std::size_t rows() const { return rows_; }

  private:
    void packPanel(std::span<const float* const> matrices, std::size_t rowsEach, std::size_t panel);

    std::vector<std::uint32_t> panels_;
    std::size_t rows_ = 0, columns_ = 0;
};

/// Refuses weights whose packed form exceeds that of any real layer.
[[nodiscard]] JobStatus requirePackable(OperatorCall& call, std::uint64_t rows,
                                        std::uint64_t columns);

}  // namespace vnpu::hw::kernels
