// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/call.h"

#include "sim/import/tflite/tensor_value.h"

namespace vnpu::sim::tflite {

void Call::requireInputs(std::size_t least, std::size_t most) const {
    if (op_.inputs.size() < least || op_.inputs.size() > most) {
        throw Refusal(least == most
                              ? fmt::format("has {} inputs, expected {}", op_.inputs.size(), least)
                              : fmt::format("has {} inputs, expected {} to {}", op_.inputs.size(),
                                            least, most));
    }
    for (std::size_t i = 0; i < least; ++i) {
        in(i);
    }
}

const Value& Call::in(std::size_t i) const {
    if (!has(i)) {
        throw Refusal(fmt::format("input {} is left out", i));
    }
    return scope_.at(op_.inputs[i]);
}

std::optional<Value> Call::optional(std::size_t i) const {
    return has(i) ? std::optional(in(i)) : std::nullopt;
}

std::vector<Value> Call::inputs() const {
    std::vector<Value> values;
    for (std::size_t i = 0; i < op_.inputs.size(); ++i) {
        values.push_back(in(i));
    }
    return values;
}

std::vector<std::int64_t> Call::ints(std::size_t i, const char* what) const {
    return graph::integersOf(in(i), what);
}

std::int64_t Call::oneInt(std::size_t i, const char* what) const {
    const std::vector<std::int64_t> numbers = ints(i, what);
    if (numbers.size() != 1) {
        throw Refusal(fmt::format("{} has {} elements, expected 1", what, numbers.size()));
    }
    return numbers[0];
}

std::vector<std::uint32_t> Call::axes(std::size_t i, std::size_t rank) const {
    std::vector<std::uint32_t> axes;
    for (const std::int64_t axis : ints(i, "the tensor of axes")) {
        axes.push_back(graph::axisOf(axis, rank));
    }
    return axes;
}

Dims Call::shape(std::size_t i, const char* what) const {
    Dims dims;
    for (const std::int64_t size : ints(i, what)) {
        if (size < 0 || size > INT32_MAX) {
            throw Refusal(fmt::format("a dimension is {}", size));
        }
        dims.push_back(static_cast<std::uint32_t>(size));
    }
    return dims;
}

TensorView Call::tensorAt(std::int32_t index) const {
    return source_.tensor(index);
}

TensorView Call::tensor(std::size_t i) const {
    in(i);
    return source_.tensor(op_.inputs[i]);
}

TensorView Call::outputTensor(std::size_t i) const {
    if (!hasOutput(i)) {
        throw Refusal(
                fmt::format("has {} outputs, expected at least {}", op_.outputs.size(), i + 1));
    }
    return source_.tensor(op_.outputs[i]);
}

Value Call::inOutputForm(std::size_t i) {
    return graph::convert(emitter_, in(i), form());
}

Form Call::form(std::size_t i) const {
    return formOf(outputTensor(i));
}

void Call::set(std::size_t i, const Value& value) {
    Value result = graph::convert(emitter_, value, form(i));
    result.name = source_.nameOf(op_.outputs[i]);
    scope_[op_.outputs[i]] = std::move(result);
}

void Call::setRaw(std::size_t i, Value value) {
    outputTensor(i);
    scope_[op_.outputs[i]] = std::move(value);
}

std::string Call::stateKey(std::size_t i) const {
    if (!tensor(i).isVariable) {
        throw Refusal(fmt::format("input {} is no variable, expected the operator's state", i));
    }
    return fmt::format("tensor {} of graph {}", op_.inputs[i], source_.file().index());
}

Value Call::state(std::size_t i, const Form& form, const Dims& dims) {
    const std::string key = stateKey(i);
    return session().read(key, source_.nameOf(op_.inputs[i]), {.form = form, .dims = dims});
}

void Call::setState(std::size_t i, const Value& value) {
    session().write(stateKey(i), source_.nameOf(op_.inputs[i]), value);
}

void Call::note(const std::string& sentence) {
    session().report.notes.insert(sentence);
}

void Call::refuseOptions(int type) {
    throw Refusal(fmt::format("has options of union type {}, expected its own", type));
}

Clamp clampOf(schema::FusedActivation activation) {
    switch (activation) {
        case schema::FusedActivation::NONE:
            return Clamp::kNone;
        case schema::FusedActivation::RELU:
            return Clamp::kRelu;
        case schema::FusedActivation::RELU_N1_TO_1:
            return Clamp::kRelu1;
        case schema::FusedActivation::RELU6:
            return Clamp::kRelu6;
        case schema::FusedActivation::TANH:
            return Clamp::kTanh;
        default:
            throw Refusal(fmt::format(
                    "fused activation is {}, expected NONE, RELU, RELU_N1_TO_1, RELU6 or TANH",
                    static_cast<int>(activation)));
    }
}

graph::Window::Padding paddingOf(schema::Padding padding) {
    if (padding != schema::Padding::SAME && padding != schema::Padding::VALID) {
        throw Refusal(
                fmt::format("padding is {}, expected SAME or VALID", static_cast<int>(padding)));
    }
    return padding == schema::Padding::SAME ? graph::Window::Padding::kSame
                                            : graph::Window::Padding::kValid;
}

}  // namespace vnpu::sim::tflite
