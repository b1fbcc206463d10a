// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/mac/convolution.h"
#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/operators/window/window_arguments.h"

namespace vnpu::hw::kernels {

/// A convolution operator with known shapes. Input, filter and output are dense NHWC elements of
/// working types.
struct WholeConvolution {
    enum class Kind : std::uint8_t { kForward, kDepthwise, kTransposed };

    Kind kind = Kind::kForward;
    std::size_t groups = 1;
    WindowAxis rows{}, columns{};  // with the extents of the operator's input and output
    Convolution work{};            // operands, types, strides and output stage of all groups
};

/// Computes the operator on the MAC array's backend. Refuses filters of more than 2 GiB in panel
/// layout, so that a hostile shape cannot exhaust the machine's memory.
[[nodiscard]] JobStatus computeConvolution(OperatorCall& call, const WholeConvolution& whole);

}  // namespace vnpu::hw::kernels
