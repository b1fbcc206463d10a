// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// Batches, height, width and channels of an image tensor of rank 4; the rest of the geometry has
/// its defaults.
Checked<WindowGeometry> imageGeometry(const Tensor& input, bool isNchw);

/// The output shape of a geometry in the given layout.
Shape imageShape(const WindowGeometry& geometry, bool isNchw);

/// The tensor itself if it is NHWC, else a copy of it in NHWC.
TensorId toNhwc(GraphBuilder& builder, std::uint32_t operation, TensorId image, bool isNchw);

/// Copies an NHWC result into the model's NCHW tensor; does nothing if the model uses NHWC.
void fromNhwc(GraphBuilder& builder, std::uint32_t operation, TensorId image, TensorId wanted,
              bool isNchw);

/// The index space of work that takes complete images: batches and channels.
Shape4 imageBlocks(const Shape& image, bool isNchw);

/// A tensor of images over that space; a block has all rows and columns of its images.
BlockOperand imageOperand(TensorId id, const Shape& image, bool isNchw);

}  // namespace vnpu::driver
