// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/real_functions.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "hw_model/kernels/support/exponential.h"

namespace vnpu::hw::kernels {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The series c0 + square * (c1 + square * (c2 + ...)), the highest term last.
template <std::size_t N>
double series(const std::array<double, N>& coefficients, double square) {
    double sum = coefficients[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) {
        sum = sum * square + coefficients[i];
    }
    return sum;
}

// Taylor series; for |r| <= pi/4 the first omitted term is below 2^-53.
double sineNearZero(double r) {
    static constexpr std::array<double, 8> kTerms = {
            1.0,          -1.0 / 6,        1.0 / 120,          -1.0 / 5040,
            1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
    return r * series(kTerms, r * r);
}
double cosineNearZero(double r) {
    static constexpr std::array<double, 9> kTerms = {1.0,
                                                     -1.0 / 2,
                                                     1.0 / 24,
                                                     -1.0 / 720,
                                                     1.0 / 40320,
                                                     -1.0 / 3628800,
                                                     1.0 / 479001600,
                                                     -1.0 / 87178291200.0,
                                                     1.0 / 20922789888000.0};
    return series(kTerms, r * r);
}

/// An angle as a number of quarter turns (modulo 4) and a remainder of at most an eighth of a turn.
struct Angle {
    unsigned quarters;
    double rest;  // radians
};

/// Reduces a finite |x| of at least pi/4 by Payne and Hanek's method: x * 2/pi modulo 4 in fixed
/// point, using only those bits of 2/pi that matter for the exponent of x.
Angle reduceAngle(float x) {
    // Bits of 2/pi after 32 zeros, as many as the largest float needs.
    static constexpr std::array<std::uint32_t, 9> kTwoOverPi = {0,          0xA2F9836E, 0x4E441529,
                                                                0xFC2757D1, 0xF534DDC0, 0xDB629599,
                                                                0x3C439041, 0xFE5163AB, 0xDEBBC561};
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint64_t mantissa = (bits & 0x7FFFFFU) | 0x800000U;
    const int exponent = static_cast<int>((bits >> 23U) & 0xFFU) - 150;  // of the mantissa's unit
    // The window begins with the bit whose product with the mantissa's unit is worth 2 quarters.
    const auto start = static_cast<std::size_t>(32 + exponent - 2);
    std::array<std::uint64_t, 3> window{};
    for (std::size_t i = 0; i < window.size(); ++i) {
        const std::size_t word = start / 32 + i;
        const std::uint64_t pair = (std::uint64_t{kTwoOverPi[word]} << 32) | kTwoOverPi[word + 1];
        window[i] = (pair >> (32 - start % 32)) & 0xFFFFFFFF;
    }
    const std::uint64_t low = mantissa * window[2];
    const std::uint64_t middle = mantissa * window[1] + (low >> 32);
    const std::uint64_t high = mantissa * window[0] + (middle >> 32);
    const std::uint64_t turn = (high << 32) | (middle & 0xFFFFFFFF);  // 2^64 is four quarters
    const std::uint64_t rounded = turn + (std::uint64_t{1} << 61);
    const auto rest = static_cast<std::int64_t>(turn - (rounded & (std::uint64_t{3} << 62)));
    constexpr double kHalfPi = 1.57079632679489661923;
    return {static_cast<unsigned>(rounded >> 62),
            static_cast<double>(rest) * (kHalfPi / 4611686018427387904.0)};
}

bool isInteger(double x) {
    return std::floor(x) == x;  // infinities too
}

bool isOdd(double x) {
    constexpr double kTwoTo53 = 9007199254740992.0;  // all doubles beyond are even
    return std::abs(x) < kTwoTo53 && isInteger(x) && !isInteger(x / 2);
}

}  // namespace

double wideLogarithm(double x) {
    if (!(x > 0.0)) {
        return x == 0.0 ? -kInfinity : kNoNumber;
    }
    if (x == kInfinity) {
        return x;
    }
    constexpr double kLn2 = 0.69314718055994530942;
    constexpr double kRootHalf = 0.70710678118654752440;
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);
    if (mantissa < kRootHalf) {
        mantissa *= 2;
        --exponent;
    }
    // log((1 + s) / (1 - s)) = 2 s (1 + s^2/3 + s^4/5 ...), |s| < 0.172: the remainder is below
    // 2^-53.
    static constexpr std::array<double, 11> kTerms = {2.0,      2.0 / 3,  2.0 / 5,  2.0 / 7,
                                                      2.0 / 9,  2.0 / 11, 2.0 / 13, 2.0 / 15,
                                                      2.0 / 17, 2.0 / 19, 2.0 / 21};
    const double s = (mantissa - 1.0) / (mantissa + 1.0);
    return exponent * kLn2 + s * series(kTerms, s * s);
}

double wideExponentialMinusOne(double x) {
    if (std::abs(x) > 0.35) {
        return wideExponential(x) - 1.0;
    }
    // Taylor series; the first omitted term is below 2^-40 of the sum. NaNs pass.
    static constexpr std::array<double, 10> kTerms = {
            1.0,       1.0 / 2,    1.0 / 6,     1.0 / 24,     1.0 / 120,
            1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800};
    return x * series(kTerms, x);
}

double wideHyperbolicTangent(double x) {
    constexpr double kFar = 30.0;  // beyond, the result rounds to one
    if (std::abs(x) > kFar) {
        return std::copysign(1.0, x);
    }
    const double growth = wideExponentialMinusOne(2.0 * x);
    return growth / (growth + 2.0);
}

double widePower(double base, double exponent) {
    if (exponent == 0.0 || base == 1.0) {
        return 1.0;
    }
    if (std::isnan(base) || std::isnan(exponent)) {
        return kNoNumber;
    }
    if (base < 0.0 && std::isfinite(base) && !isInteger(exponent)) {
        return kNoNumber;
    }
    const double sign = std::signbit(base) && isOdd(exponent) ? -1.0 : 1.0;
    const double magnitude = std::abs(base);
    if (magnitude == 1.0) {
        return sign;  // whose logarithm times infinity is a NaN
    }
    const double scaled = exponent * wideLogarithm(magnitude);
    if (std::abs(scaled) == kInfinity) {
        return scaled < 0 ? sign * 0.0 : sign * kInfinity;
    }
    return sign * wideExponential(scaled);
}

float logarithm(float x) {
    return static_cast<float>(wideLogarithm(double{x}));
}

float sine(float x) {
    if (!std::isfinite(x)) {
        return std::numeric_limits<float>::quiet_NaN();
    }
    const float magnitude = std::abs(x);
    if (magnitude < 0.78F) {
        return static_cast<float>(sineNearZero(double{x}));
    }
    const Angle angle = reduceAngle(magnitude);
    double value = angle.quarters % 2 == 0 ? sineNearZero(angle.rest) : cosineNearZero(angle.rest);
    if (angle.quarters >= 2) {
        value = -value;
    }
    return static_cast<float>(x < 0.0F ? -value : value);
}

float hyperbolicTangent(float x) {
    return static_cast<float>(wideHyperbolicTangent(double{x}));
}

float power(float base, float exponent) {
    return static_cast<float>(widePower(double{base}, double{exponent}));
}

}  // namespace vnpu::hw::kernels
