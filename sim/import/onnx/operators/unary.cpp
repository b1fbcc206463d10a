// SPDX-License-Identifier: Apache-2.0
// Operators of one tensor, element by element; they keep the order in which the tensor is held.
#include "sim/import/onnx/operators/unary.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

Real operandOf(Context& context) {
    const Held& held = context.held(0);
    graph::Emitter& emitter = context.emitter();
    if (isByteType(held.type)) {
        return {emitter, graph::cast(emitter, held.value, graph::kInteger)};
    }
    return {emitter, isRealType(held.type) ? graph::toReal(emitter, held.value) : held.value};
}

void outUnary(Context& context, const Real& result) {
    const Held& held = context.held(0);
    context.outNumber(0, result.value(), held.type, held.isChannelsLast);
}

namespace {

using graph::Binary;
using graph::Unary;

template <Unary kOp>
void importTruth(Context& context) {
    const Held held = context.held(0);
    const Value value = isRealType(held.type) ? operandOf(context).value() : held.value;
    context.outHeld(0, {graph::unary(context.emitter(), kOp, value, graph::kTruth),
                        ElementType::kBool, held.isChannelsLast});
}

void importIsInf(Context& context) {
    const Real x = operandOf(context);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const bool takesNegative = context.integer("detect_negative", 1) != 0;
    const bool takesPositive = context.integer("detect_positive", 1) != 0;
    const Real isInfinite =
            takesNegative && takesPositive
                    ? x.of(Unary::kAbs).with(Binary::kEqual, kInfinity)
                    : x.with(Binary::kEqual, takesPositive ? kInfinity : -kInfinity);
    if (!takesNegative && !takesPositive) {
        context.refuse("neither infinity is to be found");
    }
    context.outHeld(0, {isInfinite.value(), ElementType::kBool, context.held(0).isChannelsLast});
}

/// 1 for x of 0 or more, else -1.
Real signOf(const Real& x) {
    return x.with(Binary::kGreaterEqual, 0.0).choose(x.constant(1.0), x.constant(-1.0));
}

Real atanOf(Context& context, const Real& x) {
    return {context.emitter(), graph::binary(context.emitter(), Binary::kAtan2, x.value(),
                                             x.constant(1.0).value(), graph::kReal)};
}

void importAtan(Context& context) {
    outUnary(context, atanOf(context, operandOf(context)));
}

Real asinOf(Context& context, const Real& x) {
    const Real adjacent = ((1.0 - x) * (1.0 + x)).of(Unary::kSqrt);
    return {context.emitter(), graph::binary(context.emitter(), Binary::kAtan2, x.value(),
                                             adjacent.value(), graph::kReal)};
}

void importAsin(Context& context) {
    outUnary(context, asinOf(context, operandOf(context)));
}

void importAcos(Context& context) {
    const Real x = operandOf(context);
    const Real opposite = ((1.0 - x) * (1.0 + x)).of(Unary::kSqrt);
    outUnary(context,
             {context.emitter(), graph::binary(context.emitter(), Binary::kAtan2, opposite.value(),
                                               x.value(), graph::kReal)});
}

/// Below 1 the difference of two powers of e would lose digits, so the series is used.
void importSinh(Context& context) {
    const Real x = operandOf(context);
    const Real square = x * x;
    const Real series = x * square.polynomial({1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1.0});
    const Real power = x.of(Unary::kExp);
    const Real difference = (power - 1.0 / power) * 0.5;
    outUnary(context, x.of(Unary::kAbs).with(Binary::kLess, 1.0).choose(series, difference));
}

void importCosh(Context& context) {
    const Real power = operandOf(context).of(Unary::kExp);
    outUnary(context, (power + 1.0 / power) * 0.5);
}

void importTan(Context& context) {
    const Real x = operandOf(context);
    outUnary(context, x.of(Unary::kSin) / x.of(Unary::kCos));
}

/// ln(1 + t) for t from 0: below 0.05 the series, because 1 + t loses digits of t.
Real logOfOnePlus(const Real& t) {
    const Real series = t * t.polynomial({1.0 / 5, -1.0 / 4, 1.0 / 3, -1.0 / 2, 1.0});
    return t.with(Binary::kLess, 0.05).choose(series, (t + 1.0).of(Unary::kLog));
}

/// asinh |x| = ln(1 + |x| + x^2 / (1 + sqrt(1 + x^2)))
void importAsinh(Context& context) {
    const Real x = operandOf(context);
    const Real distance = x.of(Unary::kAbs);
    const Real square = x * x;
    const Real rest = distance + square / ((square + 1.0).of(Unary::kSqrt) + 1.0);
    outUnary(context, signOf(x) * logOfOnePlus(rest));
}

/// acosh x = ln(1 + t + sqrt(2 t + t^2)) with t = x - 1
void importAcosh(Context& context) {
    const Real t = operandOf(context) - 1.0;
    outUnary(context, logOfOnePlus(t + (t * (t + 2.0)).of(Unary::kSqrt)));
}

/// atanh |x| = 0.5 ln(1 + 2 |x| / (1 - |x|))
void importAtanh(Context& context) {
    const Real x = operandOf(context);
    const Real distance = x.of(Unary::kAbs);
    outUnary(context, signOf(x) * logOfOnePlus(distance * 2.0 / (1.0 - distance)) * 0.5);
}

/// Dropout outside of training is the identity too.
void importIdentity(Context& context) {
    const Held* held = context.has(0) ? context.graph().find(context.node().inputs[0]) : nullptr;
    if (held == nullptr) {
        context.refuse("its input is left out");
    }
    context.outHeld(0, *held);
}

void importDropout(Context& context) {
    const bool mayTrain = context.has(2);
    if (mayTrain && context.scalar(2, "training_mode") != 0.0 &&
        (!context.has(1) || context.scalar(1, "ratio") != 0.0)) {
        context.refuse("dropout in training is random");
    }
    importIdentity(context);
    const Held held = context.held(0);
    const bool isTruth = context.opset() >= 10;
    const Form form = isTruth ? graph::kTruth : graph::kReal;
    if (context.wants(1)) {
        context.out(1, graph::filled(form, context.dims(0), 1.0),
                    isTruth ? ElementType::kBool : held.type);
    }
}

void importCast(Context& context) {
    const Held held = context.held(0);
    const auto type = static_cast<ElementType>(context.integer("to", 0));
    if (held.type == ElementType::kString || type == ElementType::kString) {
        context.refuse("from or to text");
    }
    const Form form = formOf(type);
    if (type == ElementType::kFloat16 || type == ElementType::kBfloat16) {
        context.note("numbers are not rounded to 16 bits between operators");
    }
    graph::Emitter& emitter = context.emitter();
    // Quantized numbers of an integer type are cast as they are stored; those of a real type by
    // their value.
    const Value value = isRealType(held.type) ? graph::toReal(emitter, held.value) : held.value;
    context.outHeld(0, {graph::cast(emitter, value, form), type, held.isChannelsLast});
}

void importCastLike(Context& context) {
    const ElementType type = context.type(1);
    const Held held = context.held(0);
    if (type == ElementType::kString || held.type == ElementType::kString) {
        context.refuse("from or to text");
    }
    graph::Emitter& emitter = context.emitter();
    const Value value = isRealType(held.type) ? graph::toReal(emitter, held.value) : held.value;
    context.outHeld(0, {graph::cast(emitter, value, formOf(type)), type, held.isChannelsLast});
}

void importNot(Context& context) {
    importTruth<Unary::kNot>(context);
}

constexpr Operator kUnary[] = {
        {"Abs", 1, Status::kImported, "ABS", importUnary<Unary::kAbs>},
        {"Acos", 7, Status::kComposed, "SQRT, and ATAN2 as a polynomial", importAcos},
        {"Acosh", 9, Status::kComposed, "SQRT, LOG, SELECT", importAcosh},
        {"Asin", 7, Status::kComposed, "SQRT, and ATAN2 as a polynomial", importAsin},
        {"Asinh", 9, Status::kComposed, "SQRT, LOG, SELECT", importAsinh},
        {"Atan", 7, Status::kComposed, "ATAN2 as a polynomial", importAtan},
        {"Atanh", 9, Status::kComposed, "DIV, LOG, SELECT", importAtanh},
        {"Cast", 1, Status::kImported, "CAST", importCast},
        {"CastLike", 15, Status::kImported, "CAST", importCastLike},
        {"Ceil", 1, Status::kComposed, "NEG, FLOOR", importUnary<Unary::kCeil>},
        {"Cos", 7, Status::kComposed, "SIN", importUnary<Unary::kCos>},
        {"Cosh", 9, Status::kComposed, "EXP, DIV", importCosh},
        {"Dropout", 1, Status::kFolded, "its input", importDropout},
        {"Erf", 9, Status::kComposed, "a polynomial and EXP", importUnary<Unary::kErf>},
        {"Exp", 1, Status::kImported, "EXP", importUnary<Unary::kExp>},
        {"Floor", 1, Status::kImported, "FLOOR", importUnary<Unary::kFloor>},
        {"Identity", 1, Status::kFolded, "its input", importIdentity},
        {"IsInf", 10, Status::kComposed, "ABS, EQUAL", importIsInf},
        {"IsNaN", 9, Status::kImported, "NOT_EQUAL", importTruth<Unary::kIsNan>},
        {"Log", 1, Status::kImported, "LOG", importUnary<Unary::kLog>},
        {"Neg", 1, Status::kImported, "NEG", importUnary<Unary::kNeg>},
        {"Not", 1, Status::kImported, "LOGICAL_NOT", importNot},
        {"Reciprocal", 1, Status::kImported, "DIV", importUnary<Unary::kReciprocal>},
        {"Round", 11, Status::kComposed, "FLOOR and comparisons", importUnary<Unary::kRound>},
        {"Sign", 9, Status::kComposed, "comparisons", importUnary<Unary::kSign>},
        {"Sin", 7, Status::kImported, "SIN", importUnary<Unary::kSin>},
        {"Sinh", 9, Status::kComposed, "a polynomial, EXP, SELECT", importSinh},
        {"Sqrt", 1, Status::kImported, "SQRT", importUnary<Unary::kSqrt>},
        {"Tan", 7, Status::kComposed, "SIN, DIV", importTan},
};

}  // namespace

std::span<const Operator> unaryOperators() {
    return kUnary;
}

}  // namespace vnpu::sim::onnx
