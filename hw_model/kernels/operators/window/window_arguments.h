// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "hw_model/kernels/operators/image_layout.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {

/// NNAPI's PaddingCode, with its numbers; kExplicit is an addition.
enum class PaddingScheme : std::uint8_t { kExplicit = 0, kSame = 1, kValid = 2 };

/// One axis of a window that moves over an image.
struct WindowAxis {
    std::int64_t input = 0;
    std::int64_t window = 0;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padHead = 0;
    std::int64_t padTail = 0;
    std::int64_t output = 0;
};

/// The trailing inputs of convolutions and pooling in NNAPI's order: a padding scheme or four
/// paddings, two strides, operator-specific numbers, activation, and optionally the layout and two
/// dilations.
struct WindowArguments {
    PaddingScheme scheme = PaddingScheme::kExplicit;
    WindowAxis rows, columns;  // padding, stride and dilation
    std::array<std::int32_t, 2> own{};
    FusedActivation activation = FusedActivation::kNone;
    bool isNchw = false;
};

/// The positions of these inputs. Operator-specific numbers are called `ownNames` and are at least
/// 1.
struct WindowForm {
    std::size_t first;
    std::span<const std::string_view> ownNames = {};
    bool mayDilate = false;
    bool mayCropTail = false;  // right and bottom padding may be negative
};

/// Recognizes the form by its number of INT32 scalars; refuses operands of no known form, and
/// values that are out of range.
[[nodiscard]] JobStatus readWindowArguments(OperatorCall& call, const WindowForm& form,
                                            WindowArguments& arguments);

/// Sets the scheme's padding and the output's extent of an axis with known input, window, stride
/// and dilation; refuses a window that does not fit.
[[nodiscard]] JobStatus settleAxis(OperatorCall& call, PaddingScheme scheme, WindowAxis& axis);

/// Sets the axis's paddings so that a window over `extent` elements takes ceil(extent / stride)
/// steps.
void padSame(std::int64_t extent, WindowAxis& axis);

/// Reads the extents of input `index`, of rank 4; only the batches may be zero.
[[nodiscard]] JobStatus readImageShape(OperatorCall& call, std::size_t index, bool isNchw,
                                       ImageShape& shape);

}  // namespace vnpu::hw::kernels
