// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <tflite_generated.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/emitter.h"
#include "sim/import/graph/walk.h"
#include "sim/import/graph/window.h"
#include "sim/import/tflite/graph_tensors.h"

namespace vnpu::sim::tflite {

using graph::Binary;
using graph::Clamp;
using graph::Dims;
using graph::Emitter;
using graph::Form;
using graph::Index;
using graph::Refusal;
using graph::Unary;
using graph::Value;

/// One operator of the file while it is imported: its inputs as values, its options, and the places
/// of its outputs.
class Call {
  public:
    Call(const OperatorView& op, GraphTensors& source, graph::Scope& scope, Emitter& emitter)
        : op_(op), source_(source), scope_(scope), emitter_(emitter) {}

    const OperatorView& op() const { return op_; }
    Emitter& emitter() { return emitter_; }
    Session& session() { return source_.session(); }

    /// Refuses another number of inputs. Inputs from `least` on may be left out.
    void requireInputs(std::size_t least, std::size_t most) const;
    std::size_t inputCount() const { return op_.inputs.size(); }
    std::size_t outputCount() const { return op_.outputs.size(); }
    bool has(std::size_t i) const { return i < op_.inputs.size() && op_.inputs[i] >= 0; }
    /// Input `i`, which must be there.
    const Value& in(std::size_t i) const;
    std::optional<Value> optional(std::size_t i) const;
    std::vector<Value> inputs() const;
    /// The numbers of a constant input.
    std::vector<std::int64_t> ints(std::size_t i, const char* what) const;
    std::int64_t oneInt(std::size_t i, const char* what) const;
    /// Axes in a constant input, counted from the front.
    std::vector<std::uint32_t> axes(std::size_t i, std::size_t rank) const;
    /// A shape in a constant input.
    Dims shape(std::size_t i, const char* what = "the shape") const;
    /// An input's tensor in the file.
    TensorView tensor(std::size_t i) const;
    /// A tensor by its number.
    TensorView tensorAt(std::int32_t index) const;

    /// The form that output `i` has in the file.
    Form form(std::size_t i = 0) const;
    TensorView outputTensor(std::size_t i) const;
    /// Input `i` in the form of the first output: NNAPI moves elements between equal scales only.
    Value inOutputForm(std::size_t i = 0);
    bool hasOutput(std::size_t i) const { return i < op_.outputs.size() && op_.outputs[i] >= 0; }
    /// Gives output `i` its value, in the output's form.
    void set(std::size_t i, const Value& value);

    /// Gives output `i` a value without a conversion: a handle, or a form that the file does not
    /// declare.
    void setRaw(std::size_t i, Value value);
    /// The state in variable tensor `i` before this operator, in the form and shape that the
    /// operator needs, and the state after it.
    Value state(std::size_t i, const Form& form, const Dims& dims);
    void setState(std::size_t i, const Value& value);

    /// The operator's table of options; refuses an operator without it.
    template <typename Options>
    const Options& options() const {
        const auto* table = op_.table->builtin_options_as<Options>();
        if (table == nullptr) {
            refuseOptions(static_cast<int>(op_.table->builtin_options_type()));
        }
        return *table;
    }
    template <typename Options>
    const Options& options2() const {
        const auto* table = op_.table->builtin_options_2_as<Options>();
        if (table == nullptr) {
            refuseOptions(static_cast<int>(op_.table->builtin_options_2_type()));
        }
        return *table;
    }
    /// A field of the options, or `otherwise` where the file has no options.
    template <typename Options, typename Result>
    Result option(Result (Options::*field)() const, Result otherwise = {}) const {
        return op_.table->builtin_options_type() == schema::BuiltinOptions::NONE
                       ? otherwise
                       : (options<Options>().*field)();
    }

    /// A sentence about arithmetic that differs from the file's, for the report.
    void note(const std::string& sentence);

  private:
    std::string stateKey(std::size_t i) const;
    [[noreturn]] static void refuseOptions(int type);

    const OperatorView& op_;
    GraphTensors& source_;
    graph::Scope& scope_;
    Emitter& emitter_;
};

Clamp clampOf(schema::FusedActivation activation);
graph::Window::Padding paddingOf(schema::Padding padding);
/// Padding and strides, which the options of all windows have.
template <typename Options>
graph::Window windowOf(const Options& options) {
    graph::Window window;
    window.padding = paddingOf(options.padding());
    window.stride = {options.stride_h(), options.stride_w()};
    return window;
}

}  // namespace vnpu::sim::tflite
