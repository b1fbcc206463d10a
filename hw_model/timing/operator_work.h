// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the work of operators is counted, family by family; operator_timing.cpp has the table.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "hw_model/regs/rounding.h"
#include "hw_model/timing/operator_timing.h"

namespace vnpu::hw::work {

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return a != 0 && b > kMost / a ? kMost : a * b;
}

constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// Steps that halve `count` until one is left; at least 1.
constexpr std::uint64_t log2Up(std::uint64_t count) {
    return count <= 2 ? 1 : static_cast<std::uint64_t>(std::bit_width(count - 1));
}

/// An operator's operands, safe against every shape: what is not there counts as extents of 1.
class Operands {
  public:
    Operands(std::span<const OperandShape> inputs, std::span<const OperandShape> outputs,
             std::size_t data)
        : inputs_(inputs), outputs_(outputs), data_(data) {}

    std::size_t count() const { return inputs_.size(); }
    bool isThere(std::size_t i) const { return i < inputs_.size() && !inputs_[i].isOmitted; }
    TensorType type(std::size_t i) const {
        return i < inputs_.size() ? inputs_[i].type : TensorType::kFloat32;
    }

    /// Elements of an input, 0 if it is left out.
    std::uint64_t elements(std::size_t i) const {
        return isThere(i) ? inputs_[i].dimensions.elements() : 0;
    }
    /// An extent of an input.
    std::uint64_t extent(std::size_t i, std::size_t d) const {
        return isThere(i) && d < inputs_[i].dimensions.rank() ? inputs_[i].dimensions[d] : 1;
    }
    /// Elements of the data operand.
    std::uint64_t n() const { return elements(data_); }
    std::uint64_t n(std::size_t d) const { return extent(data_, d); }
    std::size_t data() const { return data_; }

    /// Extent of the data operand along the axis that input `i` tells; by default the last.
    std::uint64_t axis(std::size_t i) const;

    /// Elements of all outputs, or of one.
    std::uint64_t m() const;
    std::uint64_t m(std::size_t o) const {
        return o < outputs_.size() ? outputs_[o].dimensions.elements() : 0;
    }
    TensorType outputType() const {
        return outputs_.empty() ? TensorType::kFloat32 : outputs_[0].type;
    }

    std::int64_t value(std::size_t i, std::int64_t byDefault) const {
        return isThere(i) && inputs_[i].isValueKnown ? inputs_[i].value : byDefault;
    }
    /// A value that must be positive, else 1.
    std::uint64_t factor(std::size_t i) const {
        const std::int64_t known = value(i, 1);
        return known < 1 ? 1 : static_cast<std::uint64_t>(known);
    }

    /// Whether functions of one element go through a table.
    bool isByte() const { return elementBytes(type(data_)) == 1; }

  private:
    std::span<const OperandShape> inputs_;
    std::span<const OperandShape> outputs_;
    std::size_t data_;
};

OperatorWork nothing(const Operands& operands);
/// One step per output element.
OperatorWork perOutput(const Operands& operands);
/// One step per element of the data input.
OperatorWork perInput(const Operands& operands);
OperatorWork divided(const Operands& operands);
OperatorWork power(const Operands& operands);
OperatorWork twoSteps(const Operands& operands);
OperatorWork hardSwish(const Operands& operands);
OperatorWork oneExponential(const Operands& operands);
OperatorWork twoExponentials(const Operands& operands);
OperatorWork mean(const Operands& operands);
OperatorWork softmax(const Operands& operands);
OperatorWork l2Normalization(const Operands& operands);
OperatorWork localResponse(const Operands& operands);
OperatorWork instanceNormalization(const Operands& operands);
OperatorWork averagePool(const Operands& operands);
OperatorWork maxPool(const Operands& operands);
OperatorWork l2Pool(const Operands& operands);
OperatorWork bilinear(const Operands& operands);

OperatorWork convolution(const Operands& operands);
OperatorWork depthwise(const Operands& operands);
OperatorWork transposedConvolution(const Operands& operands);
OperatorWork fullyConnected(const Operands& operands);
OperatorWork svdf(const Operands& operands);
OperatorWork rnn(const Operands& operands);
OperatorWork bidirectionalRnn(const Operands& operands);
OperatorWork lstm(const Operands& operands);
OperatorWork sequenceLstm(const Operands& operands);
OperatorWork bidirectionalLstm(const Operands& operands);
OperatorWork quantized16BitLstm(const Operands& operands);
OperatorWork quantizedLstm(const Operands& operands);

OperatorWork topK(const Operands& operands);
OperatorWork embeddingLookup(const Operands& operands);
OperatorWork hashtableLookup(const Operands& operands);
OperatorWork lshProjection(const Operands& operands);
OperatorWork multinomial(const Operands& operands);
OperatorWork boxTransform(const Operands& operands);
OperatorWork boxWithNms(const Operands& operands);
OperatorWork generateProposals(const Operands& operands);
OperatorWork detectionPostprocessing(const Operands& operands);
OperatorWork heatmapKeypoint(const Operands& operands);
OperatorWork roiAlign(const Operands& operands);
OperatorWork roiPooling(const Operands& operands);

}  // namespace vnpu::hw::work
