// SPDX-License-Identifier: Apache-2.0
#pragma once

// The work of operators, family by family: operator_work.cpp (elements, lines and windows),
// operator_work_product.cpp (matrix products), operator_work_serial.cpp (sorts, lookups, boxes).
// operator_timing.h turns work into cycles.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "hw_model/regs/operators.h"
#include "hw_model/regs/rounding.h"
#include "hw_model/regs/tensor_type.h"

namespace vnpu::hw {

/// The properties of an operand that affect an operator's cost.
struct OperandShape {
    TensorType type = TensorType::kFloat32;
    Dimensions dimensions = {};
    bool isOmitted = false;
    bool isValueKnown = false;
    std::int32_t value = 0;  // of an int32 or bool scalar, with isValueKnown
};

/// Elements processed in the lanes: each takes `steps` cycles and `exponentials` exponentials,
/// divisions or roots.
struct LanePass {
    std::uint64_t elements = 0;
    std::uint64_t steps = 0;
    std::uint64_t exponentials = 0;
};

/// The work of one operator: the sum of its terms. All terms saturate at 2^64 - 1.
struct OperatorWork {
    TensorType type = TensorType::kFloat32;  // determines lanes and products per cycle
    std::uint64_t macs = 0;                  // multiply-accumulates
    std::array<LanePass, 3> passes{};
    std::uint64_t serialSteps = 0;  // comparisons and hashes, one after another
    std::uint64_t rowsRead = 0;     // of a table, for a look-up
    std::uint64_t unreadBytes = 0;  // of the table: its other rows
};

namespace work {

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return a != 0 && b > kMost / a ? kMost : a * b;
}

constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// The number of halvings that reduce `count` to one; at least 1.
constexpr std::uint64_t log2Up(std::uint64_t count) {
    return count <= 2 ? 1 : static_cast<std::uint64_t>(std::bit_width(count - 1));
}

/// An operator's operands; valid for every shape, since a missing operand or dimension counts as an
/// extent of 1.
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

    /// Elements of an input; 0 if the input is left out.
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

    /// Extent of the data operand along the axis in scalar input `i`, or along the last axis if
    /// that value is unknown.
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
    /// The value of scalar input `i` if it is known and positive, else 1.
    std::uint64_t factor(std::size_t i) const {
        const std::int64_t known = value(i, 1);
        return known < 1 ? 1 : static_cast<std::uint64_t>(known);
    }

    /// Whether the data has 8 bits: functions of one element are then looked up in a table.
    bool isByte() const { return elementBytes(type(data_)) == 1; }

  private:
    std::span<const OperandShape> inputs_;
    std::span<const OperandShape> outputs_;
    std::size_t data_;
};

/// One pass of `steps` and `exponentials` over the elements of all outputs.
template <std::uint64_t steps = 1, std::uint64_t exponentials = 0>
OperatorWork perOutput(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.m(), steps, exponentials};
    return work;
}

/// A look-up: one pass over the outputs, which are rows of the data operand. Each element of input
/// `indexes` reads one.
OperatorWork perRowRead(const Operands& operands, std::size_t indexes);

/// The cost rule of one operator.
struct OperatorCost {
    Operator op;
    OperatorWork (*work)(const Operands& operands) = perOutput<>;
    std::string_view formula = "m/L";  // the work in the letters of operatorCostFormula()
    std::size_t data = 0;              // index of the input that determines type and n
};

std::span<const OperatorCost> elementCosts();
std::span<const OperatorCost> productCosts();
std::span<const OperatorCost> serialCosts();

}  // namespace work
}  // namespace vnpu::hw
