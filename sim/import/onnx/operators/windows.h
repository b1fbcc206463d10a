// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/import/graph/window.h"
#include "sim/import/onnx/operator_context.h"

namespace vnpu::sim::onnx {

/// Strides, dilations and pads of a convolution or a pool over one to three dimensions.
struct Kernel {
    std::vector<std::int64_t> size, stride, dilation, before, after;

    std::size_t rank() const { return size.size(); }
    std::int64_t reach(std::size_t i) const { return (size[i] - 1) * dilation[i] + 1; }
};

/// From the attributes; `size` replaces a missing kernel_shape, `spatial` are the extents of the
/// input. `auto_pad` becomes pads. Refuses numbers that do not fit each other.
Kernel kernelOf(Context& context, std::vector<std::int64_t> size, const Dims& spatial);

/// Number of places along dimension `i`, for `extent` elements with the pads.
std::uint32_t placesOf(const Kernel& kernel, std::size_t i, std::uint32_t extent);

/// The last two dimensions as the common graph wants them; a missing one has one element.
graph::Window windowOf(const Kernel& kernel);

/// A tensor batch x spatial x channels with exactly two spatial dimensions, by a dimension of one
/// for the missing.
Value asImage(Context& context, const Value& value);
/// Every stride-th part of dimension 1 of batch x depth x height x width x channels, from `begin`
/// on, as images of a batch.
Value depthSlices(Context& context, const Value& value, std::int64_t begin, std::int64_t stride,
                  std::uint32_t count);

}  // namespace vnpu::sim::onnx
