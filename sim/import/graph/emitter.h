// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/import/graph/value.h"
#include "sim/models/model_builder.h"

namespace vnpu::sim::graph {

/// Adds operations to one graph of an NNAPI model. The functions of the other headers of this
/// folder compose operations with it and fold constants.
class Emitter {
  public:
    using Type = nn::OperationType;
    struct Result {
        Form form;
        Dims dims;
    };

    explicit Emitter(ModelBuilder& builder) : builder_(builder) {}

    ModelBuilder& builder() { return builder_; }
    /// The name of the results of the next operations, for reports.
    void nameResults(std::string name) { name_ = std::move(name); }
    const std::string& resultName() const { return name_; }

    /// A model input.
    Value input(const std::string& name, const Form& form, const Dims& dims);

    /// The operand of a value with the shape modelDims().
    Index operand(const Value& value) { return operandAs(value, modelDims(value.dims)); }
    /// The operand in another shape with as many elements, by RESHAPE if its own shape differs.
    Index operandAs(const Value& value, const Dims& dims);
    /// The shape of a result in the model: one dimension for scalars and for shapes of more than
    /// four dimensions.
    static Dims modelDims(const Dims& dims);

    /// Adds an operation; the operand of its result has the shape modelDims(dims).
    Value emit(Type type, const std::vector<Index>& inputs, const Form& form, const Dims& dims);
    std::vector<Value> emit(Type type, const std::vector<Index>& inputs,
                            const std::vector<Result>& results);

    /// The same value in an operand of its own, which can become an output of a graph.
    Value copy(const Value& value);

    /// Computed truths as the numbers 1 and 0 in another form.
    Value truthsAsNumbers(const Value& truths, const Form& form);
    /// Which of the computed numbers are not 0.
    Value differsFromZero(const Value& numbers);

    /// Operands of constant int32 numbers: a scalar, and a tensor of one dimension.
    Index integer(std::int64_t number) {
        return builder_.addInt32(static_cast<std::int32_t>(number));
    }
    template <typename Numbers>
    Index integers(const Numbers& numbers) {
        return builder_.addInt32Tensor({std::begin(numbers), std::end(numbers)});
    }

  private:
    Index constantOperand(const Value& value, const Dims& dims);
    Index reshaped(const Value& value, const Dims& from, const Dims& to);

    ModelBuilder& builder_;
    std::string name_;
    using ConstantKey = std::tuple<const Bytes*, nn::OperandType, float, std::int32_t, Dims>;
    std::map<ConstantKey, std::pair<Index, std::shared_ptr<const Bytes>>> constants_;
    std::map<std::pair<Index, Dims>, Index> reshapes_;
};

}  // namespace vnpu::sim::graph
