// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/recurrent_activation.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/support/exponential.h"

namespace vnpu::hw::kernels {
namespace {

template <typename Function>
void transform(float* values, std::size_t count, Function function) {
    std::transform(values, values + count, values, function);
}

}  // namespace

std::optional<RecurrentActivation> readCellActivation(OperatorCall& call, std::size_t i) {
    const std::int32_t code = call.int32(i);
    const bool isKnown =
            (code >= 0 && code <= static_cast<std::int32_t>(RecurrentActivation::kTanh)) ||
            code == static_cast<std::int32_t>(RecurrentActivation::kSigmoid);
    if (!isKnown) {
        return call.refuse(fmt::format("activation is {}, expected 0, 1, 2, 3, 4 or 6", code));
    }
    return static_cast<RecurrentActivation>(code);
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
