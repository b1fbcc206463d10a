// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/movement.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

constexpr std::uint64_t kMostFolded = 1U << 22U;  // chosen: larger results are left to the device

/// What NNAPI has for an operator: the operation, and the forms that it takes.
struct Direct {
    Type type{};
    bool takesReal = true, takesInteger = false, takesTruth = false, takesQuantized = false;
};

double erfOf(double x) {
    return std::erf(x);
}

double roundHalfEven(double x) {
    return std::nearbyint(x);  // in the default rounding mode
}

double foldUnary(Unary op, double x) {
    switch (op) {
        case Unary::kAbs:
            return std::abs(x);
        case Unary::kNeg:
            return -x;
        case Unary::kExp:
            return std::exp(x);
        case Unary::kLog:
            return std::log(x);
        case Unary::kSin:
            return std::sin(x);
        case Unary::kCos:
            return std::cos(x);
        case Unary::kSqrt:
            return std::sqrt(x);
        case Unary::kRsqrt:
            return 1.0 / std::sqrt(x);
        case Unary::kSquare:
            return x * x;
        case Unary::kFloor:
            return std::floor(x);
        case Unary::kCeil:
            return std::ceil(x);
        case Unary::kRound:
            return roundHalfEven(x);
        case Unary::kSign:
            return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
        case Unary::kReciprocal:
            return 1.0 / x;
        case Unary::kCbrt:
            return std::cbrt(x);
        case Unary::kLogistic:
            return 1.0 / (1.0 + std::exp(-x));
        case Unary::kTanh:
            return std::tanh(x);
        case Unary::kRelu:
            return std::max(x, 0.0);
        case Unary::kRelu1:
            return std::clamp(x, -1.0, 1.0);
        case Unary::kRelu6:
            return std::clamp(x, 0.0, 6.0);
        case Unary::kRelu01:
            return std::clamp(x, 0.0, 1.0);
        case Unary::kElu:
            return x < 0.0 ? std::expm1(x) : x;
        case Unary::kHardSwish:
            return x * std::clamp(x + 3.0, 0.0, 6.0) / 6.0;
        case Unary::kHardSigmoid:
            return std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
        case Unary::kGelu:
            return 0.5 * x * (1.0 + erfOf(x / std::numbers::sqrt2));
        case Unary::kGeluTanh:
            return 0.5 * x *
                   (1.0 +
                    std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
        case Unary::kErf:
            return erfOf(x);
        case Unary::kSoftplus:
            return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
        case Unary::kSoftsign:
            return x / (1.0 + std::abs(x));
        case Unary::kNot:
            return x == 0.0 ? 1.0 : 0.0;
        case Unary::kIsNan:
            return std::isnan(x) ? 1.0 : 0.0;
    }
    return 0.0;
}

double foldBinary(Binary op, double a, double b) {
    switch (op) {
        case Binary::kAdd:
            return a + b;
        case Binary::kSub:
            return a - b;
        case Binary::kMul:
            return a * b;
        case Binary::kDiv:
            return a / b;
        case Binary::kTruncatedDiv:
            return std::trunc(a / b);
        case Binary::kFloorDiv:
            return std::floor(a / b);
        case Binary::kFloorMod:
            return a - std::floor(a / b) * b;
        case Binary::kTruncatedMod:
            return std::fmod(a, b);
        case Binary::kMaximum:
            return std::max(a, b);
        case Binary::kMinimum:
            return std::min(a, b);
        case Binary::kPow:
            return std::pow(a, b);
        case Binary::kSquaredDifference:
            return (a - b) * (a - b);
        case Binary::kAtan2:
            return std::atan2(a, b);
        case Binary::kAnd:
            return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
        case Binary::kOr:
            return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
        case Binary::kXor:
            return (a != 0.0) != (b != 0.0) ? 1.0 : 0.0;
        case Binary::kEqual:
            return a == b ? 1.0 : 0.0;
        case Binary::kNotEqual:
            return a != b ? 1.0 : 0.0;
        case Binary::kLess:
            return a < b ? 1.0 : 0.0;
        case Binary::kLessEqual:
            return a <= b ? 1.0 : 0.0;
        case Binary::kGreater:
            return a > b ? 1.0 : 0.0;
        case Binary::kGreaterEqual:
            return a >= b ? 1.0 : 0.0;
    }
    return 0.0;
}

double foldClamp(Clamp clamp, double x) {
    switch (clamp) {
        case Clamp::kRelu:
            return std::max(x, 0.0);
        case Clamp::kRelu1:
            return std::clamp(x, -1.0, 1.0);
        case Clamp::kRelu6:
            return std::clamp(x, 0.0, 6.0);
        case Clamp::kTanh:
            return std::tanh(x);
        case Clamp::kNone:
            return x;
    }
    return x;
}

std::optional<Direct> directUnary(Unary op) {
    switch (op) {
        case Unary::kAbs:
            return Direct{.type = Type::ABS, .takesInteger = true};
        case Unary::kNeg:
            return Direct{.type = Type::NEG, .takesInteger = true};
        case Unary::kExp:
            return Direct{.type = Type::EXP};
        case Unary::kLog:
            return Direct{.type = Type::LOG};
        case Unary::kSin:
            return Direct{.type = Type::SIN};
        case Unary::kSqrt:
            return Direct{.type = Type::SQRT};
        case Unary::kRsqrt:
            return Direct{.type = Type::RSQRT};
        case Unary::kFloor:
            return Direct{.type = Type::FLOOR};
        case Unary::kLogistic:
            return Direct{.type = Type::LOGISTIC, .takesQuantized = true};
        case Unary::kTanh:
            return Direct{.type = Type::TANH, .takesQuantized = true};
        case Unary::kRelu:
            return Direct{.type = Type::RELU, .takesQuantized = true};
        case Unary::kRelu1:
            return Direct{.type = Type::RELU1, .takesQuantized = true};
        case Unary::kRelu6:
            return Direct{.type = Type::RELU6, .takesQuantized = true};
        case Unary::kHardSwish:
            return Direct{.type = Type::HARD_SWISH, .takesQuantized = true};
        case Unary::kNot:
            return Direct{.type = Type::LOGICAL_NOT, .takesReal = false, .takesTruth = true};
        default:
            return std::nullopt;
    }
}

std::optional<Direct> directBinary(Binary op) {
    const auto activated = [](Type type) {
        return Direct{.type = type, .takesInteger = true, .takesQuantized = true};
    };
    const auto compared = [](Type type) {
        return Direct{
                .type = type, .takesInteger = true, .takesTruth = true, .takesQuantized = true};
    };
    switch (op) {
        case Binary::kAdd:
            return activated(Type::ADD);
        case Binary::kSub:
            return activated(Type::SUB);
        case Binary::kMul:
            return activated(Type::MUL);
        case Binary::kDiv:
            return Direct{.type = Type::DIV};
        case Binary::kMaximum:
            return activated(Type::MAXIMUM);
        case Binary::kMinimum:
            return activated(Type::MINIMUM);
        case Binary::kPow:
            return Direct{.type = Type::POW};
        case Binary::kAnd:
            return Direct{.type = Type::LOGICAL_AND, .takesReal = false, .takesTruth = true};
        case Binary::kOr:
            return Direct{.type = Type::LOGICAL_OR, .takesReal = false, .takesTruth = true};
        case Binary::kEqual:
            return compared(Type::EQUAL);
        case Binary::kNotEqual:
            return compared(Type::NOT_EQUAL);
        case Binary::kLess:
            return compared(Type::LESS);
        case Binary::kLessEqual:
            return compared(Type::LESS_EQUAL);
        case Binary::kGreater:
            return compared(Type::GREATER);
        case Binary::kGreaterEqual:
            return compared(Type::GREATER_EQUAL);
        default:
            return std::nullopt;
    }
}

bool hasFuse(Binary op) {
    return op == Binary::kAdd || op == Binary::kSub || op == Binary::kMul || op == Binary::kDiv;
}

bool takes(const Direct& direct, const Form& form) {
    return form.isReal()      ? direct.takesReal
           : form.isInteger() ? direct.takesInteger
           : form.isTruth()   ? direct.takesTruth
                              : direct.takesQuantized;
}

/// Whether one NNAPI operation does it, whatever the quantization of its operands.
bool isBinaryDirect(Binary op, const Direct& direct, const Value& a, const Value& b,
                    const Form& form) {
    if (a.form.type != b.form.type || !takes(direct, a.form)) {
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

/// Seen with at most four dimensions: neighbors that both operands have or lack become one.
struct Broadcast {
    Dims a, b, result;
};

Broadcast collapse(const Value& a, const Value& b, const Dims& dims) {
    if (dims.size() <= 4) {
        return {Emitter::modelDims(a.dims), Emitter::modelDims(b.dims), dims};
    }
    Broadcast seen;
    int last = -1;
    const auto extent = [&](const Value& value, std::size_t i) {
        const std::size_t missing = dims.size() - value.rank();
        return i < missing ? 1U : value.dims[i - missing];
    };
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const std::uint32_t fromA = extent(a, i), fromB = extent(b, i);
        const int kind = dims[i] == 1 ? last : (fromA != 1 ? 1 : 0) + (fromB != 1 ? 2 : 0);
        if (kind == last && last != -1) {
            seen.a.back() *= fromA;
            seen.b.back() *= fromB;
            seen.result.back() *= dims[i];
        } else if (dims[i] != 1) {
            seen.a.push_back(fromA);
            seen.b.push_back(fromB);
            seen.result.push_back(dims[i]);
        }
        last = kind;
    }
    if (seen.result.empty()) {
        return {{1}, {1}, {1}};
    }
    return seen;
}

Value emitBinary(Emitter& emitter, const Direct& direct, Binary op, const Value& a, const Value& b,
                 const Form& form, Clamp fused) {
    const Dims dims = broadcastDims(a.dims, b.dims);
    const Broadcast seen = collapse(a, b, dims);
    if (seen.result.size() > 4) {
        return emitBinary(emitter, direct, op, broadcastTo(emitter, a, dims),
                          broadcastTo(emitter, b, dims), form, fused);
    }
    std::vector<Index> inputs = {emitter.operandAs(a, seen.a), emitter.operandAs(b, seen.b)};
    if (hasFuse(op)) {
        inputs.push_back(emitter.builder().addInt32(fuseCode(fused)));
    }
    Value result = emitter.emit(direct.type, inputs, form, seen.result);
    result.dims = dims;
    return result;
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
    Value of(Unary op, const Value& x) { return unary(emitter_, op, x, kReal); }
    /// 1 where the comparison holds, else 0.
    Value holds(Binary op, const Value& a, const Value& b) {
        return cast(emitter_, binary(emitter_, op, a, b, kTruth), kReal);
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
        Value result = binary(emitter_, op, a, b, kReal);
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

/// Of a real value.
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

/// The form that NNAPI fixes for a quantized result, or the wanted one.
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

Value foldedUnary(Unary op, const Value& value, const Form& form) {
    std::vector<double> numbers = realsOf(value);
    for (double& number : numbers) {
        number = foldUnary(op, number);
    }
    return constantFrom(form, value.dims, numbers);
}

Value unaryInForm(Emitter& emitter, Unary op, const Value& value, const Form& form) {
    const auto direct = directUnary(op);
    const bool keepsForm = op == Unary::kRelu || op == Unary::kRelu1 || op == Unary::kRelu6;
    if (direct && takes(*direct, form) && value.form.type == form.type &&
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
    const Value operand = toReal(emitter, value);
    const Value result =
            direct && direct->takesReal
                    ? emitter.emit(direct->type, {emitter.operand(operand)}, kReal, value.dims)
                    : composeUnary(emitter, op, operand);
    return convert(emitter, result, form);
}

/// C++ division from NNAPI's, which rounds down: one more where the quotient is below 0 and not
/// whole.
Value truncatedQuotient(Emitter& emitter, const Value& a, const Value& b) {
    const Value down = binary(emitter, Binary::kFloorDiv, a, b, kInteger);
    const Value back = binary(emitter, Binary::kMul, down, b, kInteger);
    const Value isInexact = binary(emitter, Binary::kNotEqual, back, a, kTruth);
    const Value isBelow = binary(emitter, Binary::kLess, down, integerConstant({1}, {0}), kTruth);
    const Value correction =
            cast(emitter, binary(emitter, Binary::kAnd, isInexact, isBelow, kTruth), kInteger);
    return binary(emitter, Binary::kAdd, down, correction, kInteger);
}

Value composeBinary(Emitter& emitter, Binary op, const Value& a, const Value& b, bool areIntegers) {
    const Form& form = areIntegers ? kInteger : kReal;
    const auto apply = [&](Binary part, const Value& x, const Value& y) {
        return binary(emitter, part, x, y, form);
    };
    switch (op) {
        case Binary::kSquaredDifference: {
            const Value difference = apply(Binary::kSub, a, b);
            return apply(Binary::kMul, difference, difference);
        }
        case Binary::kFloorDiv:
            if (areIntegers) {  // source: NDK, DIV of TENSOR_INT32 rounds down
                return emitBinary(emitter, {.type = Type::DIV}, Binary::kDiv, a, b, kInteger,
                                  Clamp::kNone);
            }
            return unary(emitter, Unary::kFloor, apply(Binary::kDiv, a, b), kReal);
        case Binary::kDiv:
        case Binary::kTruncatedDiv: {
            if (areIntegers) {
                return truncatedQuotient(emitter, a, b);
            }
            const Value quotient = apply(Binary::kDiv, a, b);
            const Value size = unary(emitter, Unary::kFloor,
                                     unary(emitter, Unary::kAbs, quotient, kReal), kReal);
            return apply(Binary::kMul, unary(emitter, Unary::kSign, quotient, kReal), size);
        }
        case Binary::kFloorMod:
        case Binary::kTruncatedMod: {
            const Value quotient = apply(
                    op == Binary::kFloorMod ? Binary::kFloorDiv : Binary::kTruncatedDiv, a, b);
            return apply(Binary::kSub, a, apply(Binary::kMul, quotient, b));
        }
        case Binary::kAtan2: {
            Reals reals(emitter);
            return composeAtan2(reals, a, b);
        }
        default:
            throw Refusal("has no composition");
    }
}

Value foldedBinary(Binary op, const Value& a, const Value& b, const Form& form, Clamp clamp) {
    const Dims dims = broadcastDims(a.dims, b.dims);
    const std::vector<double> left = realsOf(a), right = realsOf(b);
    std::vector<double> numbers(elementCount(dims));
    std::vector<std::uint32_t> position(dims.size(), 0);
    const auto offset = [&](const Value& value) {
        std::size_t at = 0;
        const std::size_t missing = dims.size() - value.rank();
        for (std::size_t i = 0; i < value.rank(); ++i) {
            at = at * value.dims[i] + (value.dims[i] == 1 ? 0 : position[missing + i]);
        }
        return at;
    };
    for (double& number : numbers) {
        number = foldClamp(clamp, foldBinary(op, left[offset(a)], right[offset(b)]));
        if (form.isInteger()) {
            number = std::trunc(number);
        }
        for (std::size_t i = dims.size(); i > 0 && ++position[i - 1] == dims[i - 1]; --i) {
            position[i - 1] = 0;
        }
    }
    return constantFrom(form, dims, numbers);
}

}  // namespace

bool isComparison(Binary op) {
    return op >= Binary::kEqual;
}

std::int32_t fuseCode(Clamp clamp) {
    switch (clamp) {
        case Clamp::kNone:
            return static_cast<int>(nn10::FusedActivationFunc::NONE);
        case Clamp::kRelu:
            return static_cast<int>(nn10::FusedActivationFunc::RELU);
        case Clamp::kRelu1:
            return static_cast<int>(nn10::FusedActivationFunc::RELU1);
        case Clamp::kRelu6:
            return static_cast<int>(nn10::FusedActivationFunc::RELU6);
        case Clamp::kTanh:
            break;
    }
    throw Refusal("NNAPI cannot fuse TANH");
}

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
    if (value.isConstant() && value.count() <= kMostFolded) {
        return foldedUnary(op, value, op == Unary::kIsNan ? kTruth : form);
    }
    if (op == Unary::kIsNan) {
        return binary(emitter, Binary::kNotEqual, value, value, kTruth);
    }
    if (op == Unary::kNot && !value.form.isTruth()) {
        throw Refusal(fmt::format("inverts {}, expected truths", nameOf(value.form.type)));
    }
    return unaryInForm(emitter, op, value, form);
}

Value binary(Emitter& emitter, Binary op, const Value& a, const Value& b, const Form& form,
             Clamp fused) {
    const Dims dims = broadcastDims(a.dims, b.dims);
    requireSize(form, dims);
    const bool isSmall = elementCount(dims) <= kMostFolded;
    if (elementCount(dims) == 0) {
        return constantOf(form, dims, {});
    }
    if (a.isConstant() && b.isConstant() && isSmall) {
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
                                  nameOf(a.form.type)));
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
    if (seen.result.size() > 4) {
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
