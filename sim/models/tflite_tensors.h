// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/models/model_builder.h"
#include "sim/models/tflite_file.h"

namespace vnpu::sim::tflite {

/// Maps tensors of the file to operands of the NNAPI model.
class TensorMap {
  public:
    using Index = ModelBuilder::Index;

    TensorMap(const File& file, ModelBuilder& builder) : file_(file), builder_(builder) {}

    const File& file() const { return file_; }
    ModelBuilder& builder() { return builder_; }

    void addInput(std::int32_t tensor);
    void markOutput(std::int32_t tensor);

    /// The tensor, read and checked once.
    const TensorView& view(std::int32_t tensor);

    /// Type, shape and quantization of an activation in NNAPI's terms; fails for types that NNAPI
    /// or this importer does not support.
    OperandSpec activationSpec(std::int32_t tensor);

    /// The operand that an operator reads: the result of an earlier operator, a model input, or a
    /// constant of the file.
    Index read(const OperatorView& op, std::int32_t tensor);

    /// As read(), for a constant whose specification the operator gives (weights, biases).
    Index readAs(const OperatorView& op, std::int32_t tensor, const OperandSpec& spec);

    /// The operand that an operator writes: a new temporary.
    Index write(const OperatorView& op, std::int32_t tensor);

  private:
    static std::string placeOf(const TensorView& tensor);
    Index addConstant(const TensorView& tensor, const OperandSpec& spec);

    const File& file_;
    ModelBuilder& builder_;
    std::map<std::int32_t, TensorView> views_;
    std::map<std::int32_t, Index> operands_;  // activations and constants read as such
    struct WeightKey {
        std::int32_t tensor;
        nn::OperandType type;
        float scale;
        // NOLINTNEXTLINE(modernize-use-nullptr): version 14 takes the default's 0 for a pointer
        auto operator<=>(const WeightKey&) const = default;
    };
    std::map<WeightKey, Index> weights_;
};

}  // namespace vnpu::sim::tflite
