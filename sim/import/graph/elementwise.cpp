// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/elementwise.h"

#include <fmt/format.h>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise_composition.h"
#include "sim/import/graph/elementwise_direct.h"
#include "sim/import/graph/elementwise_folding.h"
#include "sim/import/graph/joining.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

/// Whether one NNAPI operation computes the result in `form` from the operands as they are.
bool isBinaryDirect(Binary op, const Direct& direct, const Value& a, const Value& b,
                    const Form& form) {
    if (a.form.type != b.form.type || !direct.takes(a.form)) {
        return false;
    }
    if (isComparison(op)) {
        return true;
    }
    if (a.form.type != form.type) {
        return false;
    }
    if (!form.isQuantized()) {
        return true;
    }
    if (op == Binary::kMul) {
        return form.scale > a.form.scale * b.form.scale;  // source: NDK, MUL
    }
    return op == Binary::kAdd || op == Binary::kSub || (a.form == form && b.form == form);
}

/// The form that NNAPI prescribes for a quantized result; `form` where it prescribes none.
Form fixedForm(Unary op, const Form& form) {
    const bool isSigned = form.type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    if (op == Unary::kLogistic) {
        return {form.type, 1.0F / 256.0F, isSigned ? -128 : 0};
    }
    if (op == Unary::kTanh) {
        return {form.type, 1.0F / 128.0F, isSigned ? 0 : 128};
    }
    return form;
}

Value unaryInForm(Emitter& emitter, Unary op, const Value& value, const Form& form) {
    const auto direct = directUnary(op);
    const bool keepsForm = op == Unary::kRelu || op == Unary::kRelu1 || op == Unary::kRelu6;
    if (direct && direct->takes(form) && value.form.type == form.type &&
        (!form.isQuantized() || !keepsForm || value.form == form)) {
        const Form fixed = form.isQuantized() ? fixedForm(op, form) : form;
        const Value result =
                emitter.emit(direct->type, {emitter.operand(value)}, fixed, value.dims);
        return convert(emitter, result, form);
    }
    if (form.isInteger() && value.form.isInteger() && op == Unary::kSquare) {
        return binary(emitter, Binary::kMul, value, value, form);
    }
    if (form.isInteger() && value.form.isInteger() && op == Unary::kRelu) {
        return binary(emitter, Binary::kMaximum, value, integerConstant({1}, {0}), form);
    }
    return convert(emitter, realUnary(emitter, op, toReal(emitter, value)), form);
}

}  // namespace

Value clamp(Emitter& emitter, const Value& value, Clamp clamp) {
    switch (clamp) {
        case Clamp::kNone:
            return value;
        case Clamp::kRelu:
            return unary(emitter, Unary::kRelu, value, value.form);
        case Clamp::kRelu1:
            return unary(emitter, Unary::kRelu1, value, value.form);
        case Clamp::kRelu6:
            return unary(emitter, Unary::kRelu6, value, value.form);
        case Clamp::kTanh:
            return unary(emitter, Unary::kTanh, value, value.form);
    }
    return value;
}

Value unary(Emitter& emitter, Unary op, const Value& value, const Form& form) {
    if (value.isConstant() && isFoldable(value.count())) {
        return foldedUnary(op, value, op == Unary::kIsNan ? kTruth : form);
    }
    if (op == Unary::kIsNan) {
        return binary(emitter, Binary::kNotEqual, value, value, kTruth);
    }
    if (op == Unary::kNot && !value.form.isTruth()) {
        throw Refusal(fmt::format("inverts {}, expected truths", sim::nameOf(value.form.type)));
    }
    return unaryInForm(emitter, op, value, form);
}

Value binary(Emitter& emitter, Binary op, const Value& a, const Value& b, const Form& form,
             Clamp fused) {
    const Dims dims = broadcastDims(a.dims, b.dims);
    requireSize(form, dims);
    if (elementCount(dims) == 0) {
        return constantOf(form, dims, {});
    }
    if (a.isConstant() && b.isConstant() && isFoldable(elementCount(dims))) {
        return foldedBinary(op, a, b, form, fused);
    }
    if (op == Binary::kXor && a.form.isTruth()) {
        return binary(emitter, Binary::kNotEqual, a, b, kTruth);
    }
    const auto direct = directBinary(op);
    if (direct && isBinaryDirect(op, *direct, a, b, form)) {
        const bool isFused = hasFuse(op) && fused != Clamp::kTanh && !form.isInteger();
        const Value result =
                emitBinary(emitter, *direct, op, a, b, form, isFused ? fused : Clamp::kNone);
        return isFused ? result : clamp(emitter, result, fused);
    }
    if (op == Binary::kAnd || op == Binary::kOr || op == Binary::kXor) {
        throw Refusal(fmt::format("combines the bits of {}, which NNAPI has for truths only",
                                  sim::nameOf(a.form.type)));
    }
    const bool areIntegers =
            a.form.isInteger() && b.form.isInteger() && form.isInteger() && op != Binary::kPow;
    const Value left = areIntegers ? a : toReal(emitter, a);
    const Value right = areIntegers ? b : toReal(emitter, b);
    const Form computed = areIntegers ? kInteger : isComparison(op) ? kTruth : kReal;
    const bool isDirect = direct && (!areIntegers || direct->takesInteger);
    const bool isFused = hasFuse(op) && isDirect && fused != Clamp::kTanh && !areIntegers;
    Value result = isDirect ? emitBinary(emitter, *direct, op, left, right, computed,
                                         isFused ? fused : Clamp::kNone)
                            : composeBinary(emitter, op, left, right, areIntegers);
    if (!isFused) {
        result = clamp(emitter, result, fused);
    }
    if (op == Binary::kPow && form.isInteger()) {
        result = unary(emitter, Unary::kRound, result, kReal);
    }
    return convert(emitter, result, form);
}

Value clipTo(Emitter& emitter, const Value& value, double least, double most, const Form& form) {
    const Form& inner = value.form.isInteger() ? kInteger : kReal;
    Value result = convert(emitter, value, inner);
    result.dims = value.rank() == 0 ? Dims{1} : value.dims;
    result = binary(emitter, Binary::kMaximum, result, filled(inner, {1}, least), inner);
    result = binary(emitter, Binary::kMinimum, result, filled(inner, {1}, most), inner);
    result.dims = value.dims;
    return convert(emitter, result, form);
}

Value prelu(Emitter& emitter, const Value& value, const Value& alpha, const Form& form) {
    const Dims dims = broadcastDims(value.dims, alpha.dims);
    const bool isDirect = value.form.type == alpha.form.type && value.form.type == form.type &&
                          (form.isReal() || form.isQuantized());
    const Value left = isDirect ? value : toReal(emitter, value);
    const Value right = isDirect ? alpha : toReal(emitter, alpha);
    const Form& computed = isDirect ? form : kReal;
    const Broadcast seen = collapse(left, right, dims);
    Value result;
    if (seen.result.size() > kMaxRank) {
        result = emitter.emit(Type::PRELU,
                              {emitter.operand(broadcastTo(emitter, left, dims)),
                               emitter.operand(broadcastTo(emitter, right, dims))},
                              computed, dims);
    } else {
        result = emitter.emit(Type::PRELU,
                              {emitter.operandAs(left, seen.a), emitter.operandAs(right, seen.b)},
                              computed, seen.result);
    }
    result.dims = dims;
    return convert(emitter, result, form);
}

Value select(Emitter& emitter, const Value& condition, const Value& ifTrue, const Value& ifFalse,
             const Form& form) {
    const Dims dims = broadcastDims(condition.dims, broadcastDims(ifTrue.dims, ifFalse.dims));
    requireSize(form, dims);
    const Value a = convert(emitter, broadcastTo(emitter, ifTrue, dims), form);
    const Value b = convert(emitter, broadcastTo(emitter, ifFalse, dims), form);
    if (condition.isConstant() && condition.count() == 1) {
        return realsOf(condition)[0] != 0.0 ? a : b;
    }
    if (condition.isConstant() && a.isConstant() && b.isConstant()) {
        const std::vector<double> truths = realsOf(broadcastTo(emitter, condition, dims));
        std::vector<double> numbers = realsOf(a);
        const std::vector<double> others = realsOf(b);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = truths[i] != 0.0 ? numbers[i] : others[i];
        }
        return constantFrom(form, dims, numbers);
    }
    if (form.isTruth()) {
        const Value inverse = unary(emitter, Unary::kNot, condition, kTruth);
        return binary(emitter, Binary::kOr, binary(emitter, Binary::kAnd, condition, a, kTruth),
                      binary(emitter, Binary::kAnd, inverse, b, kTruth), kTruth);
    }
    return emitter.emit(Type::SELECT,
                        {emitter.operand(broadcastTo(emitter, condition, dims)), emitter.operand(a),
                         emitter.operand(b)},
                        form, dims);
}

}  // namespace vnpu::sim::graph
