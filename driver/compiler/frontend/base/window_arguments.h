// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "driver/compiler/frontend/base/model_reader.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/shape.h"

namespace vnpu::driver {

/// The arguments that a convolution or a pool has behind its tensors.
struct WindowArguments {
    PaddingScheme scheme = PaddingScheme::kExplicit;
    std::uint32_t padLeft = 0, padRight = 0, padTop = 0, padBottom = 0;
    std::uint32_t strideWidth = 1, strideHeight = 1;
    std::uint32_t dilationWidth = 1, dilationHeight = 1;
    /// Between strides and activation: depth multiplier or groups; width and height of a pool.
    std::array<std::uint32_t, 2> own{1, 1};
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

/// Reads, from argument `first` on: a scheme, or left, right, top, bottom; stride width and height;
/// `ownCount` of the operation's own; the activation; perhaps the layout and the dilation.
Checked<WindowArguments> readWindow(const OperationReader& operation, std::size_t first,
                                    std::size_t ownCount);

/// SAME or VALID.
Checked<PaddingScheme> readScheme(const OperationReader& operation, std::size_t i);

/// Sets padding, strides, dilation and the output extents of a geometry whose input and filter
/// extents are set.
Checked<void> applyWindow(const WindowArguments& arguments, WindowGeometry& geometry);

}  // namespace vnpu::driver
