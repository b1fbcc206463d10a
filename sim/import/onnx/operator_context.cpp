// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/operator_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/import/graph/conversion.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

const Held& Context::held(std::size_t i) {
    const Held* held = has(i) ? graph_.find(node_.inputs[i]) : nullptr;
    if (held == nullptr) {
        throw Refusal(fmt::format("input {} is left out, expected a tensor", i));
    }
    if (held->isSequence) {
        throw Refusal(fmt::format("input {} is a sequence, expected a tensor", i));
    }
    return *held;
}

const Held& Context::heldOrSequence(std::size_t i) {
    const Held* held = has(i) ? graph_.find(node_.inputs[i]) : nullptr;
    if (held == nullptr) {
        throw Refusal(fmt::format("input {} is left out", i));
    }
    return *held;
}

Dims Context::dims(std::size_t i) {
    const Held& tensor = held(i);
    Dims dims = tensor.value.dims;
    if (tensor.isChannelsLast) {
        std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
    }
    return dims;
}

Value Context::in(std::size_t i) {
    held(i);
    return graph_.inOrder(node_.inputs[i]);
}

Value Context::last(std::size_t i) {
    held(i);
    return graph_.channelsLast(node_.inputs[i]);
}

Value Context::number(std::size_t i) {
    const ElementType elements = type(i);
    if (isByteType(elements)) {
        return graph::cast(emitter(), in(i), graph::kInteger);
    }
    return isRealType(elements) ? real(i) : in(i);
}

Value Context::real(std::size_t i) {
    return isRealType(type(i)) ? graph::toReal(emitter(), in(i))
                               : graph::cast(emitter(), in(i), graph::kReal);
}

Value Context::plain(std::size_t i) {
    const Value value = in(i);
    return isByteType(type(i)) ? graph::cast(emitter(), value, formOf(type(i))) : value;
}

void Context::requireConstant(std::size_t i, const char* what) {
    const Held& tensor = held(i);
    if (!tensor.value.isConstant()) {
        graph_.state().wantedConstants.insert(tensor.origins.begin(), tensor.origins.end());
        throw Refusal(fmt::format("{} is known only at run time, expected a constant", what));
    }
}

std::vector<std::int64_t> Context::integers(std::size_t i, const char* what) {
    requireConstant(i, what);
    return graph::integersOf(in(i), what);
}

std::vector<double> Context::reals(std::size_t i, const char* what) {
    requireConstant(i, what);
    return graph::realsOf(in(i));
}

double Context::scalar(std::size_t i, const char* what) {
    const std::vector<double> numbers = reals(i, what);
    if (numbers.size() != 1) {
        throw Refusal(fmt::format("{} has {} elements, expected 1", what, numbers.size()));
    }
    return numbers[0];
}

const Attribute* Context::find(const std::string& name, Attribute::Kind kind) const {
    const auto found = node_.attributes.find(name);
    if (found == node_.attributes.end()) {
        return nullptr;
    }
    if (found->second.kind != kind) {
        throw Refusal(fmt::format("attribute {} is of another type than expected", name));
    }
    return &found->second;
}

std::int64_t Context::integer(const std::string& name, std::int64_t otherwise) const {
    const Attribute* attribute = find(name, Attribute::Kind::kInt);
    return attribute == nullptr ? otherwise : attribute->integer;
}

float Context::numberOf(const std::string& name, float otherwise) const {
    const Attribute* attribute = find(name, Attribute::Kind::kFloat);
    return attribute == nullptr ? otherwise : attribute->number;
}

std::string Context::text(const std::string& name, const std::string& otherwise) const {
    const Attribute* attribute = find(name, Attribute::Kind::kString);
    return attribute == nullptr ? otherwise : attribute->text;
}

std::vector<std::int64_t> Context::list(const std::string& name) const {
    const Attribute* attribute = find(name, Attribute::Kind::kInts);
    return attribute == nullptr ? std::vector<std::int64_t>() : attribute->integers;
}

const Graph& Context::subgraph(const std::string& name) const {
    const Attribute* attribute = find(name, Attribute::Kind::kGraph);
    if (attribute == nullptr) {
        throw Refusal(fmt::format("attribute {} is missing", name));
    }
    return *attribute->graph;
}

std::vector<std::uint32_t> Context::axes(std::size_t i, std::size_t rank) {
    const std::vector<std::int64_t> given = has(i) ? integers(i, "axes") : list("axes");
    std::vector<std::uint32_t> result;
    result.reserve(given.size());
    for (const std::int64_t axis : given) {
        result.push_back(graph::axisOf(axis, rank));
    }
    std::vector<std::uint32_t> sorted = result;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        throw Refusal("an axis is named twice");
    }
    return result;
}

std::uint32_t Context::axis(std::int64_t otherwise, std::size_t rank) const {
    return graph::axisOf(integer("axis", otherwise), rank);
}

void Context::outHeld(std::size_t i, Held held) {
    if (wants(i)) {
        held.value.name = node_.outputs[i];
        graph_.write(node_.outputs[i], std::move(held));
    }
}

void Context::out(std::size_t i, Value value, ElementType type) {
    outHeld(i, {std::move(value), type});
}

void Context::outLast(std::size_t i, Value value, ElementType type) {
    outHeld(i, {std::move(value), type, true});
}

void Context::outLike(std::size_t i, Value value, const Held& like) {
    outHeld(i, {std::move(value), like.type, like.isChannelsLast});
}

void Context::outNumber(std::size_t i, const Value& value, ElementType type, bool isLast) {
    const bool mustCast = !isRealType(type) && value.form != formOf(type);
    outHeld(i, {mustCast ? graph::cast(emitter(), value, formOf(type)) : value, type, isLast});
}

const Value* Context::constantOf(const std::string& name) {
    const Held* held = name.empty() ? nullptr : graph_.find(name);
    return held == nullptr || !held->value.isConstant() ? nullptr : &held->value;
}

std::optional<Form> Context::quantization(const Node& node) {
    const Value* scale = node.inputs.size() > 1 ? constantOf(node.inputs[1]) : nullptr;
    if (scale == nullptr || scale->count() != 1) {
        return std::nullopt;
    }
    Form form = formOf(ElementType::kUint8);
    if (node.inputs.size() > 2 && !node.inputs[2].empty()) {
        const Held* zero = graph_.find(node.inputs[2]);
        if (zero == nullptr || !zero->value.isConstant() || zero->value.count() != 1 ||
            !isByteType(zero->type)) {
            return std::nullopt;
        }
        form = formOf(zero->type);
        form.zeroPoint = static_cast<std::int32_t>(graph::integersOf(zero->value, "zero point")[0]);
    }
    form.scale = static_cast<float>(graph::realsOf(*scale)[0]);
    return form.scale > 0.0F ? std::optional(form) : std::nullopt;
}

Target Context::target(std::size_t i, bool canClamp) {
    Target target;
    std::string name = node_.outputs[i];
    if (const Node* next = canClamp ? graph_.onlyUser(name) : nullptr) {
        const auto limit = [&](std::size_t input, const char* attribute) -> std::optional<double> {
            if (const auto found = next->attributes.find(attribute);
                found != next->attributes.end()) {
                return found->second.number;
            }
            const Value* value =
                    input < next->inputs.size() ? constantOf(next->inputs[input]) : nullptr;
            return value == nullptr || value->count() != 1
                           ? std::nullopt
                           : std::optional(graph::realsOf(*value)[0]);
        };
        const bool isOurs = next->domain.empty() && next->inputs[0] == name;
        if (isOurs && next->type == "Relu") {
            target.clamp = graph::Clamp::kRelu;
        } else if (isOurs && next->type == "Clip" && limit(1, "min") == 0.0 &&
                   limit(2, "max") == 6.0) {
            target.clamp = graph::Clamp::kRelu6;
        }
        if (target.clamp != graph::Clamp::kNone) {
            target.absorbed.push_back(next);
            name = next->outputs[0];
        }
    }
    const auto users = graph_.users(name);
    std::optional<Form> common;
    for (const Node* user : users.value_or(std::vector<const Node*>())) {
        const std::optional<Form> form = user->type == "QuantizeLinear" && user->inputs[0] == name
                                                 ? quantization(*user)
                                                 : std::nullopt;
        if (!form || (common && *common != *form)) {
            return target;
        }
        common = form;
    }
    target.form = common.value_or(graph::kReal);
    return target;
}

void Context::outTo(const Target& target, Value value, ElementType type, bool isLast,
                    std::size_t i) {
    for (const Node* node : target.absorbed) {
        graph_.passThrough(*node);
    }
    outHeld(i, {std::move(value), type, isLast});
}

}  // namespace vnpu::sim::onnx
