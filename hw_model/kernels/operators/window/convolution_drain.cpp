// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/window/convolution_drain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/window/image_buffer.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY

namespace vnpu::hw::kernels {

const MacBackend& bestBackend() {
    static const MacBackend& best = *supportedBackends().back();
    return best;
}

JobStatus ConvolutionDrain::prepare(OperatorCall& call, const Tensor& input, const Tensor& filter,
                                    const Tensor& bias, FusedActivation activation) {
    const auto channels = static_cast<std::size_t>(bias.elements());
    const Tensor& output = call.output(0);
    bias_.resize(channels);
    const WorkingElements biasElements(bias);  // int32 stays as it is, too
    std::memcpy(bias_.data(), biasElements.data(), channels * sizeof(std::int32_t));
    if (workingType(output.type) == ElementType::kFloat32) {
        const RealRange range = activationRange(activation);
        kernel_ = bestBackend().drainFloat;
        clampMin_ = std::bit_cast<std::int32_t>(range.low);
        clampMax_ = std::bit_cast<std::int32_t>(range.high);
        return JobStatus::kOk;
    }
    VNPU_TRY(prepareScaling(call, input, filter, channels));
    const LevelRange range = activationLevels(activation, output);
    kernel_ = bestBackend().drainInt8;
    zeroPoint_ = output.zeroPoint;
    clampMin_ = range.min;
    clampMax_ = range.max;
    return JobStatus::kOk;
}

JobStatus ConvolutionDrain::prepareScaling(OperatorCall& call, const Tensor& input,
                                           const Tensor& filter, std::size_t channels) {
    multiplier_.resize(channels);
    leftShift_.resize(channels);
    rightShift_.resize(channels);
    const bool isPerChannel = filter.type == TensorType::kQuant8SymmPerChannel;
    for (std::size_t c = 0; c < channels; ++c) {
        const float filterScale = isPerChannel ? filter.channelScales[c] : filter.scale;
        const double factor =
                double{input.scale} * double{filterScale} / double{call.output(0).scale};
        if (!std::isfinite(factor) || factor < 0.0) {
            return call.refuse(fmt::format(
                    "scales of input, filter and output are {}, {} and {}, expected positive ones",
                    input.scale, filterScale, call.output(0).scale));
        }
        const QuantizedMultiplier scaling = quantizeMultiplier(factor);
        multiplier_[c] = scaling.multiplier;
        leftShift_[c] = std::max(scaling.shift, 0);
        rightShift_[c] = -std::min(scaling.shift, 0);
    }
    return JobStatus::kOk;
}

void ConvolutionDrain::run(const std::byte* sums, std::size_t pixels, std::size_t firstChannel,
                           std::size_t channels, std::byte* output, std::size_t outputStep) const {
    const bool isScaled = !multiplier_.empty();
    kernel_({.accumulators = sums,
             .accumulatorStep = channels,
             .output = output,
             .outputStep = outputStep,
             .pixels = pixels,
             .channels = channels,
             .bias = bias_.data() + firstChannel,
             .multiplier = isScaled ? multiplier_.data() + firstChannel : nullptr,
             .leftShift = isScaled ? leftShift_.data() + firstChannel : nullptr,
             .rightShift = isScaled ? rightShift_.data() + firstChannel : nullptr,
             .zeroPoint = zeroPoint_,
             .clampMin = clampMin_,
             .clampMax = clampMax_});
}

}  // namespace vnpu::hw::kernels
