// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/compiler/frontend/base/model_reader.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/shape.h"

namespace vnpu::driver {

/// Padding, strides and dilation as the arguments of convolutions and pools give them.
struct WindowArguments {
    PaddingScheme scheme = PaddingScheme::kExplicit;
    std::uint32_t padLeft = 0, padRight = 0, padTop = 0, padBottom = 0;
    std::uint32_t strideWidth = 1, strideHeight = 1;
    std::uint32_t dilationWidth = 1, dilationHeight = 1;
};

/// Reads from argument `first` on: a scheme, or left, right, top, bottom; then stride width and
/// height.
Checked<WindowArguments> readPaddingAndStride(const OperationReader& operation, std::size_t first,
                                              bool isImplicit);

/// Reads the optional dilation width and height at `first`.
Checked<void> readDilation(const OperationReader& operation, std::size_t first,
                           WindowArguments& arguments);

/// Sets padding, strides, dilation and the output extents of a geometry whose input and filter
/// extents are set.
Checked<void> applyWindow(const WindowArguments& arguments, WindowGeometry& geometry);

}  // namespace vnpu::driver
