// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "driver/compiler/ir/refusal.h"

namespace vnpu::driver {

using Shape = std::vector<std::uint32_t>;
using Shape4 = std::array<std::uint32_t, 4>;

/// Product of the dimensions; 1 for none. Saturates instead of wrapping.
std::uint64_t elementCount(std::span<const std::uint32_t> shape);

/// No dimension is open (0).
bool isKnown(std::span<const std::uint32_t> shape);

/// Whether a shape that the model may leave open is known: it has dimensions, none of them 0.
bool isSettled(std::span<const std::uint32_t> shape);

/// Whether a shape fits a declared one, in which 0 leaves a dimension and no dimension the rank
/// open.
bool agrees(std::span<const std::uint32_t> declared, std::span<const std::uint32_t> actual);

/// The shape, or [1] in place of none: NNAPI has no tensors of rank 0.
Shape atLeastRankOne(Shape shape);

/// Elements in front of one dimension, along it and behind it.
struct AxisSplit {
    std::uint32_t outer = 1, extent = 1, inner = 1;
};
AxisSplit splitAt(std::span<const std::uint32_t> shape, std::uint32_t axis);

/// "[1, 2, 3]"
std::string toText(std::span<const std::uint32_t> shape);

/// The shape with ones in front, up to four dimensions; rank at most 4.
Shape4 padToFour(std::span<const std::uint32_t> shape);

/// Of a window, its strides and its dilation; the command stream counts them in 16 bits.
inline constexpr std::uint32_t kMostWindowExtent = 65535;

/// How a window walks along one axis.
struct WindowAxis {
    std::uint32_t output = 0;
    std::uint32_t padHead = 0;
};

enum class PaddingScheme : std::uint8_t { kExplicit = 0, kSame = 1, kValid = 2 };

/// A window along one axis, before its output size is known.
struct WindowSpec {
    std::uint32_t input = 0;
    std::uint32_t window = 0;
    std::uint32_t stride = 1;
    std::uint32_t dilation = 1;
    PaddingScheme scheme = PaddingScheme::kExplicit;
    std::uint32_t padHead = 0;  // kExplicit
    std::uint32_t padTail = 0;
};

/// Output size and padding along one axis by NNAPI's rules; refuses windows that find no output.
Checked<WindowAxis> walkWindow(const WindowSpec& spec);

/// The shape of an element-wise operation over two shapes, aligned at the last dimension.
Checked<Shape> broadcast(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

/// Element strides of a dense tensor over its dimensions.
std::array<std::uint64_t, 4> denseStrides(const Shape4& dims);

}  // namespace vnpu::driver
