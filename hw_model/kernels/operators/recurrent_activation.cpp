// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent_activation.h"

#include <algorithm>
#include <cmath>

#include "hw_model/kernels/exponential.h"

namespace vnpu::hw::kernels {
namespace {

// Within 0.51 units of the last place; not-a-numbers pass.
float hyperbolicTangent(float value) {
    const double x = std::fabs(static_cast<double>(value));
    double result = 0.0;
    if (x < 0.125) {
        // Taylor series: the quotient below would lose digits of small values.
        const double s = x * x;
        result = x * (1.0 + s * (-1.0 / 3 + s * (2.0 / 15 + s * (-17.0 / 315 + s * 62.0 / 2835))));
    } else {
        const double e = wideExponential(-2.0 * x);
        result = (1.0 - e) / (1.0 + e);
    }
    return static_cast<float>(std::copysign(result, static_cast<double>(value)));
}

template <typename Function>
void transform(float* values, std::size_t count, Function function) {
    std::transform(values, values + count, values, function);
}

}  // namespace

bool isRecurrentActivation(std::int32_t code) {
    return (code >= 0 && code <= static_cast<std::int32_t>(RecurrentActivation::kTanh)) ||
           code == static_cast<std::int32_t>(RecurrentActivation::kSigmoid);
}

void activate(RecurrentActivation activation, float* values, std::size_t count) {
    switch (activation) {
        case RecurrentActivation::kNone:
            return;
        case RecurrentActivation::kRelu:
            return transform(values, count, [](float x) { return std::max(x, 0.0F); });
        case RecurrentActivation::kRelu1:
            return transform(values, count, [](float x) { return std::clamp(x, -1.0F, 1.0F); });
        case RecurrentActivation::kRelu6:
            return transform(values, count, [](float x) { return std::clamp(x, 0.0F, 6.0F); });
        case RecurrentActivation::kTanh:
            return transform(values, count, hyperbolicTangent);
        case RecurrentActivation::kSigmoid:
            return transform(values, count, logistic);
    }
}

}  // namespace vnpu::hw::kernels
