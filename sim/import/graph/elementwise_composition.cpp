// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/elementwise_composition.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise_direct.h"
#include "sim/import/graph/elementwise_folding.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

/// An operator that NNAPI has for operands of this form: folded, or one operation.
Value apply(Emitter& emitter, Binary op, const Value& a, const Value& b, const Form& form) {
    const Dims dims = broadcastDims(a.dims, b.dims);
    requireSize(form, dims);
    if (a.isConstant() && b.isConstant() && isFoldable(elementCount(dims))) {
        return foldedBinary(op, a, b, form, Clamp::kNone);
    }
    return emitBinary(emitter, *directBinary(op), op, a, b, form, Clamp::kNone);
}

Value real(double number) {
    return realConstant({1}, {static_cast<float>(number)});
}

/// Shorthand for compositions of real values.
class Reals {
  public:
    explicit Reals(Emitter& emitter) : emitter_(emitter) {}

    Value add(const Value& a, const Value& b) { return apply(Binary::kAdd, a, b); }
    Value sub(const Value& a, const Value& b) { return apply(Binary::kSub, a, b); }
    Value mul(const Value& a, const Value& b) { return apply(Binary::kMul, a, b); }
    Value div(const Value& a, const Value& b) { return apply(Binary::kDiv, a, b); }
    Value max(const Value& a, const Value& b) { return apply(Binary::kMaximum, a, b); }
    Value min(const Value& a, const Value& b) { return apply(Binary::kMinimum, a, b); }
    Value of(Unary op, const Value& x) { return realUnary(emitter_, op, x); }
    /// 1 where the comparison holds, else 0.
    Value holds(Binary op, const Value& a, const Value& b) {
        return cast(emitter_, graph::apply(emitter_, op, a, b, kTruth), kReal);
    }
    /// The polynomial with these coefficients, the highest power first.
    Value polynomial(const Value& x, std::initializer_list<double> coefficients) {
        Value sum = real(*coefficients.begin());
        for (const double* next = coefficients.begin() + 1; next != coefficients.end(); ++next) {
            sum = add(mul(sum, x), real(*next));
        }
        return sum;
    }

  private:
    Value apply(Binary op, const Value& a, const Value& b) {
        Value result = graph::apply(emitter_, op, a, b, kReal);
        // A constant of one element does not raise the rank of a scalar.
        if (result.rank() == 1 && result.count() == 1 && (a.rank() == 0 || b.rank() == 0)) {
            result.dims = {};
        }
        return result;
    }

    Emitter& emitter_;
};

/// source: Abramowitz and Stegun, formula 7.1.26; the error is at most 1.5e-7
Value composeErf(Reals& reals, const Value& x) {
    const Value distance = reals.of(Unary::kAbs, x);
    const Value t =
            reals.div(real(1.0), reals.add(reals.mul(distance, real(0.3275911)), real(1.0)));
    const Value series = reals.polynomial(
            t, {1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0.0});
    const Value decay = reals.of(Unary::kExp, reals.of(Unary::kNeg, reals.mul(x, x)));
    return reals.mul(reals.of(Unary::kSign, x), reals.sub(real(1.0), reals.mul(series, decay)));
}

/// Ties go to the even neighbor.
Value composeRound(Reals& reals, const Value& x) {
    const Value whole = reals.of(Unary::kFloor, x);
    const Value rest = reals.sub(x, whole);
    const Value half = reals.of(Unary::kFloor, reals.mul(whole, real(0.5)));
    const Value isOdd = reals.sub(whole, reals.add(half, half));
    const Value tie = reals.mul(reals.holds(Binary::kEqual, rest, real(0.5)), isOdd);
    return reals.add(whole, reals.max(reals.holds(Binary::kGreater, rest, real(0.5)), tie));
}

/// source: Abramowitz and Stegun, formula 4.4.49; the error is at most 2e-8
Value composeAtan2(Reals& reals, const Value& y, const Value& x) {
    const Value absX = reals.of(Unary::kAbs, x), absY = reals.of(Unary::kAbs, y);
    const Value most = reals.max(reals.max(absX, absY), real(1e-38));
    const Value ratio = reals.div(reals.min(absX, absY), most);
    const Value square = reals.mul(ratio, ratio);
    const Value angle =
            reals.mul(ratio, reals.polynomial(square, {0.0028662257, -0.0161657367, 0.0429096138,
                                                       -0.0752896400, 0.1065626393, -0.1420889944,
                                                       0.1999355085, -0.3333314528, 1.0}));
    // Mirrored at the diagonal, then at the vertical, then at the horizontal axis.
    const auto mirrored = [&](const Value& value, const Value& isBeyond, double at) {
        const Value other = reals.sub(real(at), reals.mul(value, real(2.0)));
        return reals.add(value, reals.mul(isBeyond, other));
    };
    Value result = mirrored(angle, reals.holds(Binary::kGreater, absY, absX), std::numbers::pi / 2);
    result = mirrored(result, reals.holds(Binary::kLess, x, real(0.0)), std::numbers::pi);
    return mirrored(result, reals.holds(Binary::kLess, y, real(0.0)), 0.0);
}

/// An operator that NNAPI lacks, on a real value.
Value composeUnary(Emitter& emitter, Unary op, const Value& x) {
    Reals reals(emitter);
    switch (op) {
        case Unary::kCos:
            return reals.of(Unary::kSin, reals.add(x, real(std::numbers::pi / 2)));
        case Unary::kSquare:
            return reals.mul(x, x);
        case Unary::kCeil:
            return reals.of(Unary::kNeg, reals.of(Unary::kFloor, reals.of(Unary::kNeg, x)));
        case Unary::kRound:
            return composeRound(reals, x);
        case Unary::kSign:
            return reals.sub(reals.holds(Binary::kGreater, x, real(0.0)),
                             reals.holds(Binary::kLess, x, real(0.0)));
        case Unary::kReciprocal:
            return reals.div(real(1.0), x);
        case Unary::kCbrt: {
            const Value logarithm = reals.of(Unary::kLog, reals.of(Unary::kAbs, x));
            return reals.mul(reals.of(Unary::kSign, x),
                             reals.of(Unary::kExp, reals.mul(logarithm, real(1.0 / 3.0))));
        }
        case Unary::kRelu01:
            return reals.min(reals.max(x, real(0.0)), real(1.0));
        case Unary::kElu:
            return emitter.emit(Type::ELU, {emitter.operand(x), emitter.builder().addFloat32(1.0F)},
                                kReal, x.dims);
        case Unary::kHardSigmoid: {
            const Value line = reals.add(reals.mul(x, real(1.0 / 6.0)), real(0.5));
            return reals.min(reals.max(line, real(0.0)), real(1.0));
        }
        case Unary::kGelu: {
            const Value half = reals.mul(x, real(0.5));
            const Value erf = composeErf(reals, reals.mul(x, real(1.0 / std::numbers::sqrt2)));
            return reals.add(half, reals.mul(half, erf));
        }
        case Unary::kGeluTanh: {
            const Value half = reals.mul(x, real(0.5));
            const Value cube = reals.mul(reals.mul(x, x), reals.mul(x, real(0.044715)));
            const Value inner =
                    reals.mul(reals.add(x, cube), real(std::sqrt(2 / std::numbers::pi)));
            return reals.add(half, reals.mul(half, reals.of(Unary::kTanh, inner)));
        }
        case Unary::kErf:
            return composeErf(reals, x);
        case Unary::kSoftplus: {
            const Value decay =
                    reals.of(Unary::kExp, reals.of(Unary::kNeg, reals.of(Unary::kAbs, x)));
            return reals.add(reals.of(Unary::kRelu, x),
                             reals.of(Unary::kLog, reals.add(decay, real(1.0))));
        }
        case Unary::kSoftsign:
            return reals.div(x, reals.add(reals.of(Unary::kAbs, x), real(1.0)));
        default:
            throw Refusal("has no composition");
    }
}

/// Division that rounds toward zero. NNAPI's rounds down, so 1 is added where the quotient is
/// negative and inexact.
Value truncatedQuotient(Emitter& emitter, const Value& a, const Value& b) {
    const Value down = composeBinary(emitter, Binary::kFloorDiv, a, b, true);
    const Value back = apply(emitter, Binary::kMul, down, b, kInteger);
    const Value isInexact = apply(emitter, Binary::kNotEqual, back, a, kTruth);
    const Value isBelow = apply(emitter, Binary::kLess, down, integerConstant({1}, {0}), kTruth);
    const Value correction =
            cast(emitter, apply(emitter, Binary::kAnd, isInexact, isBelow, kTruth), kInteger);
    return apply(emitter, Binary::kAdd, down, correction, kInteger);
}

}  // namespace

Value realUnary(Emitter& emitter, Unary op, const Value& x) {
    if (x.isConstant() && isFoldable(x.count())) {
        return foldedUnary(op, x, kReal);
    }
    const auto direct = directUnary(op);
    return direct && direct->takesReal
                   ? emitter.emit(direct->type, {emitter.operand(x)}, kReal, x.dims)
                   : composeUnary(emitter, op, x);
}

Value composeBinary(Emitter& emitter, Binary op, const Value& a, const Value& b, bool areIntegers) {
    const Form& form = areIntegers ? kInteger : kReal;
    const auto with = [&](Binary part, const Value& x, const Value& y) {
        return apply(emitter, part, x, y, form);
    };
    switch (op) {
        case Binary::kSquaredDifference: {
            const Value difference = with(Binary::kSub, a, b);
            return with(Binary::kMul, difference, difference);
        }
        case Binary::kFloorDiv:
            if (areIntegers) {  // source: NDK, DIV of TENSOR_INT32 rounds down
                return emitBinary(emitter, {.type = Type::DIV}, Binary::kDiv, a, b, kInteger,
                                  Clamp::kNone);
            }
            return realUnary(emitter, Unary::kFloor, with(Binary::kDiv, a, b));
        case Binary::kDiv:
        case Binary::kTruncatedDiv: {
            if (areIntegers) {
                return truncatedQuotient(emitter, a, b);
            }
            const Value quotient = with(Binary::kDiv, a, b);
            const Value size =
                    realUnary(emitter, Unary::kFloor, realUnary(emitter, Unary::kAbs, quotient));
            return with(Binary::kMul, realUnary(emitter, Unary::kSign, quotient), size);
        }
        case Binary::kFloorMod:
        case Binary::kTruncatedMod: {
            const Value quotient = composeBinary(
                    emitter, op == Binary::kFloorMod ? Binary::kFloorDiv : Binary::kTruncatedDiv, a,
                    b, areIntegers);
            return with(Binary::kSub, a, with(Binary::kMul, quotient, b));
        }
        case Binary::kAtan2: {
            Reals reals(emitter);
            return composeAtan2(reals, a, b);
        }
        default:
            throw Refusal("has no composition");
    }
}

}  // namespace vnpu::sim::graph
