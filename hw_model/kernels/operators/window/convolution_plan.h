// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw_model/kernels/operators/window/image_buffer.h"

namespace vnpu::hw::kernels {

/// Outputs along one axis that meet the same taps of the filter: output number i of the plan stands
/// at firstOutput + i * outputStep and reads, for each tap, input i * inputStep + tap.input, if
/// there is one.
struct AxisPlan {
    struct Tap {
        std::int64_t filter;
        std::int64_t input;
    };

    std::int64_t firstOutput = 0;
    std::int64_t outputStep = 1;
    std::int64_t outputs = 0;
    std::int64_t inputStep = 1;
    std::vector<Tap> taps;  // by ascending input

    std::int64_t outputAt(std::int64_t i) const { return firstOutput + i * outputStep; }
};

/// Plans of a convolution (always one), and of a transposed one: the outputs by their position in a
/// stride. Outputs that no tap reaches are in no plan.
std::vector<AxisPlan> forwardPlans(const WindowAxis& axis);
std::vector<AxisPlan> transposedPlans(const WindowAxis& axis);

/// A convolution on NHWC elements of working types.
struct Convolution {
    ImageShape inputShape, outputShape;
    ElementType type = ElementType::kFloat32;
    std::int32_t inputZeroPoint = 0;
    const std::byte* input = nullptr;
    ElementType filterType = ElementType::kFloat32;
    std::int32_t filterZeroPoint = 0;
    const std::byte* filter = nullptr;
    std::int64_t filterHeight = 1, filterWidth = 1;
    std::size_t groups = 1;
    std::vector<AxisPlan> rows, columns;

    bool isFloat() const { return type == ElementType::kFloat32; }
    /// Of input, filter and output alike.
    std::size_t elementBytes() const { return hw::elementBytes(type); }
    std::size_t groupInputs() const { return inputShape.channels / groups; }
    std::size_t groupOutputs() const { return outputShape.channels / groups; }
};

}  // namespace vnpu::hw::kernels
