// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/import/tflite/call.h"

namespace vnpu::sim::tflite {

/// NNAPI's number for the activation of a recurrent cell.
std::int32_t cellActivation(schema::FusedActivation activation);

/// Refuses an input that does not have this many dimensions, or no elements.
void requireRank(const Value& value, std::size_t rank);
/// The rows of a matrix of weights; refuses weights of other than two dimensions.
std::uint32_t rowsOf(Call& call, std::size_t input);

/// Real operands of a cell, in the order of the file, which is NNAPI's.
class CellOperands {
  public:
    explicit CellOperands(Call& call) : call_(call), emitter_(call.emitter()) {}

    /// Inputs `first` to `first + count - 1`, or an omitted operand for one that is left out.
    void add(std::size_t first, std::size_t count);
    void add(std::size_t i);
    void add(const Value& value) { operands_.push_back(emitter_.operand(value)); }
    void addOmitted(std::size_t count = 1);
    void addInt(std::int32_t value) { operands_.push_back(emitter_.builder().addInt32(value)); }
    void addFloat(float value) { operands_.push_back(emitter_.builder().addFloat32(value)); }
    void addBool(bool value) { operands_.push_back(emitter_.builder().addBool(value)); }

    const std::vector<Index>& operands() const { return operands_; }

  private:
    Call& call_;
    Emitter& emitter_;
    std::vector<Index> operands_;
};

}  // namespace vnpu::sim::tflite
