// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::hw::kernels {

// Functions of floats that avoid the C library, whose last bits depend on processor and version.
// Each is computed in double and rounded once, within 0.51 units of the last place; infinities,
// zeros and NaNs follow IEEE 754.

/// Natural logarithm of a float in double; the relative error is below 2^-40.
double wideLogarithm(double x);

/// e^x - 1 in double, accurate near zero too; the relative error is below 2^-30.
double wideExponentialMinusOne(double x);

/// Hyperbolic tangent in double; the relative error is below 2^-30.
double wideHyperbolicTangent(double x);

/// base^exponent in double; overflows only beyond the float range. The base must be a float's
/// value.
double widePower(double base, double exponent);

float logarithm(float x);
float sine(float x);
float hyperbolicTangent(float x);
float power(float base, float exponent);

}  // namespace vnpu::hw::kernels
