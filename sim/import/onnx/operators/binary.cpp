// SPDX-License-Identifier: Apache-2.0
// Operators of two or more tensors, element by element with broadcasting.
#include <fmt/format.h>

#include <algorithm>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Unary;

struct Operands {
    std::vector<Value> values;
    bool areChannelsLast = false;
};

/// Inputs in one order: channels last if one of the highest rank is held so and the others are
/// constants or held alike.
Operands operandsOf(Context& context, bool wantsNumbers) {
    graph::Emitter& emitter = context.emitter();
    if (context.inputCount() == 0) {
        context.refuse("it has no input");
    }
    std::size_t rank = 0;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        rank = std::max(rank, context.rank(i));
    }
    bool isOneLast = false, canBeLast = rank >= 3;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Held& held = context.held(i);
        isOneLast = isOneLast || (held.isChannelsLast && held.value.rank() == rank);
        canBeLast = canBeLast &&
                    (held.isChannelsLast ? held.value.rank() == rank
                                         : held.value.isConstant() || held.value.rank() == rank ||
                                                   held.value.count() == 1);
    }
    Operands operands;
    operands.areChannelsLast = isOneLast && canBeLast;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        const Held& held = context.held(i);
        Value value = held.value;
        if (operands.areChannelsLast && !held.isChannelsLast && value.count() != 1) {
            if (value.rank() == rank) {
                value = context.last(i);
            } else {
                Dims raised(rank - value.rank(), 1);
                raised.insert(raised.end(), value.dims.begin(), value.dims.end());
                value = graph::transpose(emitter, graph::reshape(emitter, value, raised),
                                         toLastOrder(rank));
            }
        } else if (!operands.areChannelsLast) {
            value = context.in(i);
        }
        if (wantsNumbers && isByteType(held.type)) {
            value = graph::cast(emitter, value, graph::kInteger);
        } else if (wantsNumbers && value.form.isTruth()) {
            value = graph::cast(emitter, value, graph::kReal);
        }
        operands.values.push_back(std::move(value));
    }
    return operands;
}

/// Up to version 6 the second operand began at an axis of the first.
void alignOld(Context& context, Operands& operands) {
    if (context.opset() >= 7 || !context.hasAttribute("axis") || operands.areChannelsLast) {
        return;
    }
    Value& second = operands.values[1];
    const std::size_t rank = operands.values[0].rank();
    const std::uint32_t axis = context.axis(0, rank);
    if (axis + second.rank() > rank) {
        context.refuse("the second operand does not fit at the axis");
    }
    Dims dims = second.dims;
    dims.resize(rank - axis, 1);
    second = graph::reshape(context.emitter(), second, dims);
}

void requireTwo(Context& context) {
    if (context.inputCount() != 2) {
        context.refuse(fmt::format("{} inputs, expected 2", context.inputCount()));
    }
}

template <Binary kOp>
void importArithmetic(Context& context) {
    requireTwo(context);
    const ElementType type = context.type(0);
    Operands operands = operandsOf(context, true);
    alignOld(context, operands);
    if (isRealType(type)) {
        const Target target = context.target(0, true);
        context.outTo(target,
                      graph::binary(context.emitter(), kOp, operands.values[0], operands.values[1],
                                    target.form, target.clamp),
                      type, operands.areChannelsLast);
        return;
    }
    constexpr Binary kIntegerOp = kOp == Binary::kDiv ? Binary::kTruncatedDiv : kOp;
    context.outNumber(0,
                      graph::binary(context.emitter(), kIntegerOp, operands.values[0],
                                    operands.values[1], graph::kInteger),
                      type, operands.areChannelsLast);
}

template <Binary kOp>
void importComparison(Context& context) {
    requireTwo(context);
    Operands operands = operandsOf(context, context.type(0) != ElementType::kBool);
    alignOld(context, operands);
    context.outHeld(0, {graph::binary(context.emitter(), kOp, operands.values[0],
                                      operands.values[1], graph::kTruth),
                        ElementType::kBool, operands.areChannelsLast});
}

void importPow(Context& context) {
    requireTwo(context);
    Operands operands = operandsOf(context, true);
    alignOld(context, operands);
    graph::Emitter& emitter = context.emitter();
    const ElementType type = context.type(0);
    Real base(emitter, operands.values[0]);
    Value exponent = operands.values[1];
    // Squares, roots and the like are exact and cheaper.
    if (isRealType(type) && exponent.isConstant() && exponent.count() == 1 &&
        exponent.rank() <= base.value().rank()) {
        const double power = graph::realsOf(exponent)[0];
        base = Real(emitter, graph::toReal(emitter, base.value()));
        if (power == 1.0 || power == 2.0 || power == 3.0 || power == 0.5 || power == -1.0) {
            const Real result = power == 1.0   ? base
                                : power == 2.0 ? base * base
                                : power == 3.0 ? base * base * base
                                : power == 0.5 ? base.of(Unary::kSqrt)
                                               : 1.0 / base;
            context.outNumber(0, result.value(), type, operands.areChannelsLast);
            return;
        }
    }
    const Value real =
            graph::binary(emitter, Binary::kPow, graph::cast(emitter, base.value(), graph::kReal),
                          graph::cast(emitter, exponent, graph::kReal), graph::kReal);
    if (isRealType(type)) {
        context.outNumber(0, real, type, operands.areChannelsLast);
        return;
    }
    // The device's powers are not exact: the nearest integer is the result.
    const Value whole =
            graph::cast(emitter, Real(emitter, real).of(Unary::kRound).value(), graph::kInteger);
    context.outNumber(0, whole, type, operands.areChannelsLast);
}

void importMod(Context& context) {
    requireTwo(context);
    const Operands operands = operandsOf(context, true);
    const ElementType type = context.type(0);
    const bool isTruncated = context.integer("fmod", 0) != 0;
    if (isRealType(type) && !isTruncated) {
        context.refuse("fmod is 0 for reals, expected 1");
    }
    const Form form = isRealType(type) ? graph::kReal : graph::kInteger;
    context.outNumber(0,
                      graph::binary(context.emitter(),
                                    isTruncated ? Binary::kTruncatedMod : Binary::kFloorMod,
                                    operands.values[0], operands.values[1], form),
                      type, operands.areChannelsLast);
}

/// By a constant number of bits: a product or a quotient.
void importBitShift(Context& context) {
    requireTwo(context);
    graph::Emitter& emitter = context.emitter();
    const bool isLeft = context.text("direction", "") == "LEFT";
    const std::vector<std::int64_t> shifts = context.integers(1, "the number of bits");
    std::vector<std::int32_t> factors;
    for (const std::int64_t shift : shifts) {
        if (shift < 0 || shift > 30) {
            context.refuse(fmt::format("a shift by {} bits, expected 0 to 30", shift));
        }
        factors.push_back(std::int32_t{1} << shift);
    }
    const Value factor = graph::integerConstant(context.dims(1), factors);
    const ElementType type = context.type(0);
    Value result = graph::binary(emitter, isLeft ? Binary::kMul : Binary::kFloorDiv,
                                 context.number(0), factor, graph::kInteger);
    if (isLeft && (isByteType(type) || type == ElementType::kUint16)) {
        const double range = type == ElementType::kUint16 ? 65536.0 : 256.0;
        result = Real(emitter, result).with(Binary::kFloorMod, range).value();
    }
    context.outNumber(0, result, type);
}

/// Of any number of operands.
template <Binary kOp>
void importVariadic(Context& context) {
    const ElementType type = context.type(0);
    const Operands operands = operandsOf(context, true);
    const Form form = isRealType(type) ? graph::kReal : graph::kInteger;
    graph::Emitter& emitter = context.emitter();
    if (operands.values.size() == 2 && isRealType(type)) {
        const Target target = context.target(0, kOp == Binary::kAdd);
        context.outTo(target,
                      graph::binary(emitter, kOp, operands.values[0], operands.values[1],
                                    target.form, target.clamp),
                      type, operands.areChannelsLast);
        return;
    }
    Value result = operands.values[0];
    for (std::size_t i = 1; i < operands.values.size(); ++i) {
        result = graph::binary(emitter, kOp, result, operands.values[i], form);
    }
    context.outNumber(0, result, type, operands.areChannelsLast);
}

void importMean(Context& context) {
    const Operands operands = operandsOf(context, true);
    Real sum(context.emitter(), graph::toReal(context.emitter(), operands.values[0]));
    for (std::size_t i = 1; i < operands.values.size(); ++i) {
        sum = sum + Real(context.emitter(), operands.values[i]);
    }
    context.outNumber(0, (sum * (1.0 / static_cast<double>(operands.values.size()))).value(),
                      context.type(0), operands.areChannelsLast);
}

void importWhere(Context& context) {
    const Value ifTrue = context.plain(1), ifFalse = context.plain(2);
    context.out(0, graph::select(context.emitter(), context.in(0), ifTrue, ifFalse, ifTrue.form),
                context.type(1));
}

/// The slope belongs to the dimensions from 1 on in files of the first versions, else it broadcasts
/// as usual.
void importPRelu(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Held held = context.held(0);
    Value slope = context.in(1);
    const std::size_t rank = held.value.rank();
    if (context.opset() < 7 && slope.rank() == 1 && slope.count() != 1) {
        Dims dims(rank - 1, 1);
        dims[0] = slope.dims[0];
        slope = graph::reshape(emitter, slope, dims);
    }
    if (held.isChannelsLast && slope.count() != 1) {
        Dims raised(rank - std::min(rank, slope.rank()), 1);
        raised.insert(raised.end(), slope.dims.begin(), slope.dims.end());
        slope = graph::transpose(emitter, graph::reshape(emitter, slope, raised),
                                 toLastOrder(rank));
    }
    const Target target = context.target();
    context.outTo(target, graph::prelu(emitter, held.value, slope, target.form), held.type,
                  held.isChannelsLast);
}

constexpr Operator kBinary[] = {
        {"Add", 1, Status::kImported, "ADD", importArithmetic<Binary::kAdd>},
        {"And", 1, Status::kImported, "LOGICAL_AND", importComparison<Binary::kAnd>},
        {"BitShift", 11, Status::kComposed, "MUL, or DIV and FLOOR", importBitShift},
        {"Div", 1, Status::kImported, "DIV", importArithmetic<Binary::kDiv>},
        {"Equal", 1, Status::kImported, "EQUAL", importComparison<Binary::kEqual>},
        {"Greater", 1, Status::kImported, "GREATER", importComparison<Binary::kGreater>},
        {"GreaterOrEqual", 12, Status::kImported, "GREATER_EQUAL",
         importComparison<Binary::kGreaterEqual>},
        {"Less", 1, Status::kImported, "LESS", importComparison<Binary::kLess>},
        {"LessOrEqual", 12, Status::kImported, "LESS_EQUAL", importComparison<Binary::kLessEqual>},
        {"Max", 1, Status::kImported, "MAXIMUM", importVariadic<Binary::kMaximum>},
        {"Mean", 1, Status::kComposed, "ADD, MUL", importMean},
        {"Min", 1, Status::kImported, "MINIMUM", importVariadic<Binary::kMinimum>},
        {"Mod", 10, Status::kComposed, "DIV, FLOOR, MUL, SUB", importMod},
        {"Mul", 1, Status::kImported, "MUL", importArithmetic<Binary::kMul>},
        {"Or", 1, Status::kImported, "LOGICAL_OR", importComparison<Binary::kOr>},
        {"PRelu", 1, Status::kImported, "PRELU", importPRelu},
        {"Pow", 1, Status::kImported, "POW, or products", importPow},
        {"Sub", 1, Status::kImported, "SUB", importArithmetic<Binary::kSub>},
        {"Sum", 1, Status::kComposed, "ADD", importVariadic<Binary::kAdd>},
        {"Where", 9, Status::kImported, "SELECT", importWhere},
        {"Xor", 1, Status::kImported, "NOT_EQUAL", importComparison<Binary::kXor>},
};

}  // namespace

std::span<const Operator> binaryOperators() {
    return kBinary;
}

}  // namespace vnpu::sim::onnx
