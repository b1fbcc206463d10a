// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tflite_generated.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/models/tflite_file.h"
#include "sim/models/tflite_tensors.h"

namespace vnpu::sim::tflite {

using schema::FusedActivation;
using schema::Padding;

/// State and checks that the importers of single operators share. fail() names the operator.
class OperatorContext {
  public:
    using Index = ModelBuilder::Index;

    OperatorContext(const OperatorView& op, TensorMap& tensors) : op_(op), tensors_(tensors) {}

    [[noreturn]] void fail(std::string_view what) const { tensors_.file().fail(op_.place(), what); }
    ModelBuilder& builder() { return tensors_.builder(); }
    TensorMap& tensors() { return tensors_; }
    const OperatorView& op() const { return op_; }

    /// Fails unless the operator has at least `least` and at most `most` inputs, and one output.
    /// Omitted optional inputs at places from `least` on are allowed.
    void requireArguments(std::size_t least, std::size_t most);
    bool hasInput(std::size_t i) const { return i < op_.inputs.size() && op_.inputs[i] >= 0; }

    const TensorView& inputView(std::size_t i) { return tensors_.view(op_.inputs[i]); }
    const TensorView& outputView() { return tensors_.view(op_.outputs[0]); }
    OperandSpec inputSpec(std::size_t i) { return tensors_.activationSpec(op_.inputs[i]); }
    OperandSpec outputSpec() { return tensors_.activationSpec(op_.outputs[0]); }
    Index read(std::size_t i) { return tensors_.read(op_, op_.inputs[i]); }
    Index readAs(std::size_t i, const OperandSpec& spec) {
        return tensors_.readAs(op_, op_.inputs[i], spec);
    }
    Index write() { return tensors_.write(op_, op_.outputs[0]); }

    /// The values of a constant INT32 or INT64 input.
    std::vector<std::int32_t> readInts(std::size_t i);

    void requireRank(const TensorView& tensor, std::size_t rank);
    void requireOutput(const std::vector<std::uint32_t>& dimensions);
    /// Output and input `i` have the same type.
    void requireSameType(std::size_t i);
    /// ... and quantization.
    void requireSameQuantization(std::size_t i);

    Index addActivation(FusedActivation activation);
    Index addStride(std::string_view name, std::int32_t value);

    /// The options table, which must be there.
    template <typename Options>
    const Options& options() const {
        const auto* table = op_.table->builtin_options_as<Options>();
        if (table == nullptr) {
            failOptions();
        }
        return *table;
    }
    /// The options table, or null where the file has none.
    template <typename Options>
    const Options* optionalOptions() const {
        return op_.table->builtin_options_type() == schema::BuiltinOptions::NONE
                       ? nullptr
                       : &options<Options>();
    }

  private:
    [[noreturn]] void failOptions() const;

    const OperatorView& op_;
    TensorMap& tensors_;
};

/// Output extent of a window along one dimension; 0 where the window does not fit.
std::uint32_t windowOutput(std::uint32_t input, std::uint32_t window, std::uint32_t stride,
                           Padding padding);

void importConv2d(OperatorContext& context);
void importDepthwiseConv2d(OperatorContext& context);
void importFullyConnected(OperatorContext& context);
void importPool2d(OperatorContext& context, nn::OperationType type);

}  // namespace vnpu::sim::tflite
