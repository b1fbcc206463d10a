// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/regs/check.h"

namespace vnpu::sim::graph {

namespace {

OperandSpec specOf(const Form& form, const Dims& dims) {
    OperandSpec spec{.type = form.type,
                     .dimensions = dims,
                     .scale = form.scale,
                     .zeroPoint = form.zeroPoint};
    requireSize(form, dims);
    if (spec.sizeBytes() == 0) {
        throw Refusal(fmt::format("a tensor of {} has no elements", describeDimensions(dims)));
    }
    return spec;
}

}  // namespace

Value Emitter::input(const std::string& name, const Form& form, const Dims& dims) {
    return {.form = form,
            .dims = dims,
            .name = name,
            .operand = builder_.addInput(specOf(form, modelDims(dims)), name)};
}

Dims Emitter::modelDims(const Dims& dims) {
    if (!dims.empty() && dims.size() <= kMaxRank) {
        return dims;
    }
    const std::uint64_t count = elementCount(dims);
    return {static_cast<std::uint32_t>(std::min<std::uint64_t>(count, UINT32_MAX))};
}

Index Emitter::operandAs(const Value& value, const Dims& dims) {
    const Dims wanted = dims.empty() ? Dims{1} : dims;
    if (value.isConstant()) {
        return constantOperand(value, wanted);
    }
    if (!value.operand) {
        throw Refusal(fmt::format("uses {} as a tensor, which is a state or a handle", value.name));
    }
    const Dims present = builder_.spec(*value.operand).dimensions;
    return present == wanted ? *value.operand : reshaped(value, present, wanted);
}

Index Emitter::constantOperand(const Value& value, const Dims& dims) {
    const ConstantKey key{value.bytes.get(), value.form.type, value.form.scale,
                          value.form.zeroPoint, dims};
    if (const auto found = constants_.find(key); found != constants_.end()) {
        return found->second.first;
    }
    OperandSpec spec = specOf(value.form, dims);
    if (!value.channelScales.empty()) {
        spec.type = nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
        spec.scale = 0.0F;
        spec.zeroPoint = 0;
        spec.channelScales = value.channelScales;
        spec.channelDimension = value.channelDimension;
    }
    const Index index = builder_.addConstant(std::move(spec), value.bytes);
    constants_[key] = {index, value.bytes};
    return index;
}

Index Emitter::reshaped(const Value& value, const Dims& from, const Dims& to) {
    const auto key = std::pair(*value.operand, to);
    if (const auto found = reshapes_.find(key); found != reshapes_.end()) {
        return found->second;
    }
    VNPU_CHECK(to.size() <= kMaxRank && elementCount(from) == elementCount(to),
               "shapes in the model have up to four dimensions");
    // RESHAPE takes neither integers nor truths; conversion.h has these steps for all values.
    Value movable = value;
    movable.dims = from;
    if (value.form.isInteger()) {
        movable = emit(Type::CAST, {*value.operand}, kReal, from);
    } else if (value.form.isTruth()) {
        movable = truthsAsNumbers(movable, kMovedTruth);
    }
    Value result = emit(Type::RESHAPE, {*movable.operand, integers(to)}, movable.form, to);
    if (value.form.isInteger()) {
        result = emit(Type::CAST, {*result.operand}, kInteger, to);
    } else if (value.form.isTruth()) {
        result = differsFromZero(result);
    }
    reshapes_[key] = *result.operand;
    return *result.operand;
}

Value Emitter::emit(Type type, const std::vector<Index>& inputs, const Form& form,
                    const Dims& dims) {
    return emit(type, inputs, std::vector<Result>{{form, dims}})[0];
}

std::vector<Value> Emitter::emit(Type type, const std::vector<Index>& inputs,
                                 const std::vector<Result>& results) {
    std::vector<Value> values;
    std::vector<Index> outputs;
    for (const Result& result : results) {
        outputs.push_back(
                builder_.addTemporary(specOf(result.form, modelDims(result.dims)), name_));
        values.push_back({.form = result.form,
                          .dims = result.dims,
                          .name = name_,
                          .operand = outputs.back()});
    }
    builder_.addOperation(type, inputs, outputs, name_);
    return values;
}

Value Emitter::copy(const Value& value) {
    const Index operand = this->operand(value);
    return value.form.isTruth()
                   ? emit(Type::LOGICAL_AND, {operand, operand}, value.form, value.dims)
                   : emit(Type::CAST, {operand}, value.form, value.dims);
}

Value Emitter::truthsAsNumbers(const Value& truths, const Form& form) {
    // SELECT wants three operands of one shape.
    const Dims dims = truths.dims.empty() ? Dims{1} : truths.dims;
    return emit(
            Type::SELECT,
            {operand(truths), operand(filled(form, dims, 1.0)), operand(filled(form, dims, 0.0))},
            form, truths.dims);
}

Value Emitter::differsFromZero(const Value& numbers) {
    return emit(Type::NOT_EQUAL, {operand(numbers), operand(filled(numbers.form, {1}, 0.0))},
                kTruth, numbers.dims);
}

}  // namespace vnpu::sim::graph
