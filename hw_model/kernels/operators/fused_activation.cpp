// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/fused_activation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vnpu::hw::kernels {
namespace {

std::int32_t storedValue(float real, const Tensor& tensor, StoredRange range) {
    // Beyond every quantised range, so that the sum cannot overflow.
    constexpr float kLimit = 1 << 20;
    const float steps = std::clamp(std::round(real / tensor.scale), -kLimit, kLimit);
    return std::clamp(tensor.zeroPoint + static_cast<std::int32_t>(steps), range.low, range.high);
}

}  // namespace

JobStatus readActivation(OperatorCall& call, std::size_t index, FusedActivation& activation) {
    if (call.isOmitted(index) || call.input(index).type != TensorType::kInt32Scalar ||
        call.input(index).elements() != 1) {
        return call.refuse(fmt::format("input {} (activation) is no int32 scalar", index));
    }
    const std::int32_t code = call.int32(index);
    if (code < 0 || code > static_cast<std::int32_t>(FusedActivation::kRelu6)) {
        return call.refuse(
                fmt::format("input {} (activation) is {}, expected 0 to 3", index, code));
    }
    activation = static_cast<FusedActivation>(code);
    return JobStatus::kOk;
}

RealRange activationRange(FusedActivation activation) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    switch (activation) {
        case FusedActivation::kRelu:
            return {.low = 0.0F, .high = kInfinity};
        case FusedActivation::kRelu1:
            return {.low = -1.0F, .high = 1.0F};
        case FusedActivation::kRelu6:
            return {.low = 0.0F, .high = 6.0F};
        case FusedActivation::kNone:
            break;
    }
    return {.low = -kInfinity, .high = kInfinity};
}

StoredRange activationRange(FusedActivation activation, const Tensor& output) {
    const RealRange real = activationRange(activation);
    StoredRange range = storedRange(output.type);
    if (std::isfinite(real.low)) {
        range.low = storedValue(real.low, output, range);
    }
    if (std::isfinite(real.high)) {
        range.high = storedValue(real.high, output, range);
    }
    return range;
}

StoredRange storedRange(TensorType type) {
    switch (type) {
        case TensorType::kQuant8Asymm:
            return {.low = 0, .high = 255};
        case TensorType::kQuant16Asymm:
            return {.low = 0, .high = 65535};
        case TensorType::kQuant16Symm:
            return {.low = -32768, .high = 32767};
        default:
            return {.low = -128, .high = 127};
    }
}

}  // namespace vnpu::hw::kernels
