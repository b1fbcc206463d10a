// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/elementwise_folding.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vnpu::sim::graph {

namespace {

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
            return std::nearbyint(x);  // in the default rounding mode: half to even
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
            return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
        case Unary::kGeluTanh:
            return 0.5 * x *
                   (1.0 +
                    std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
        case Unary::kErf:
            return std::erf(x);
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

}  // namespace

bool isFoldable(std::uint64_t elements) {
    constexpr std::uint64_t kMost = 1U << 22U;  // chosen: the device computes larger results
    return elements <= kMost;
}

Value foldedUnary(Unary op, const Value& value, const Form& form) {
    std::vector<double> numbers = realsOf(value);
    for (double& number : numbers) {
        number = foldUnary(op, number);
    }
    return constantFrom(form, value.dims, numbers);
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

}  // namespace vnpu::sim::graph
