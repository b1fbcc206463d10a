// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/operators/recurrent/packed_weights.h"

namespace vnpu::hw::kernels {

/// The layout of a batch of sequences of vectors in a tensor: [steps][batch][depth] (time major) or
/// [batch][steps][depth].
struct SequenceLayout {
    std::size_t steps = 0;
    std::size_t batch = 0;
    bool isTimeMajor = true;

    /// For a tensor of rank 3.
    SequenceLayout(const Dimensions& dimensions, bool timeMajor)
        : steps(dimensions[timeMajor ? 0 : 1]),
          batch(dimensions[timeMajor ? 1 : 0]),
          isTimeMajor(timeMajor) {}
    /// A single step of [batch][depth].
    explicit SequenceLayout(std::size_t batchSize) : steps(1), batch(batchSize) {}

    /// Elements before the first vector of a step, and between the vectors of consecutive
    /// sequences.
    std::size_t offset(std::size_t step, std::size_t depth) const {
        return isTimeMajor ? step * batch * depth : step * depth;
    }
    std::size_t stride(std::size_t depth) const { return isTimeMajor ? depth : steps * depth; }

    VectorRows rows(const float* data, std::size_t step, std::size_t depth) const {
        return {data == nullptr ? nullptr : data + offset(step, depth), stride(depth)};
    }
    Dimensions dimensions(std::size_t depth) const {
        const auto s = static_cast<std::uint32_t>(steps), b = static_cast<std::uint32_t>(batch),
                   d = static_cast<std::uint32_t>(depth);
        return isTimeMajor ? Dimensions{s, b, d} : Dimensions{b, s, d};
    }
};

/// The input vectors of a cell for one step of a batch.
struct StepInputs {
    VectorRows input;
    VectorRows auxiliary;  // null data if there is none
};

}  // namespace vnpu::hw::kernels
