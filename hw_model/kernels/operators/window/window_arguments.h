// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "hw_model/kernels/operators/image_layout.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {

/// NNAPI's PaddingCode, with its numbers; kExplicit is ours.
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

/// The trailing inputs that convolutions and pooling share, in NNAPI's order: a padding scheme or
/// four paddings, two strides, numbers of the operator's own, activation, and perhaps the layout
/// and two dilations.
struct WindowArguments {
    PaddingScheme scheme = PaddingScheme::kExplicit;
    WindowAxis rows, columns;  // padding, stride and dilation
    std::array<std::int32_t, 2> own{};
    FusedActivation activation = FusedActivation::kNone;
    bool isNchw = false;
};

/// Where an operator has them. Its own numbers are called `ownNames` and are at least 1.
struct WindowForm {
    std::size_t first;
    std::span<const std::string_view> ownNames = {};
    bool mayDilate = false;
    bool mayCropTail = false;  // right and bottom padding may be negative
};

/// Recognizes the form by its count of INT32 scalars; refuses operands of no form, and values that
/// are out of range.
[[nodiscard]] JobStatus readWindowArguments(OperatorCall& call, const WindowForm& form,
                                            WindowArguments& arguments);

/// Padding by the scheme, and the output's extent, for an axis whose input, window, stride and
/// dilation are set; refuses a window that does not fit once.
[[nodiscard]] JobStatus settleAxis(OperatorCall& call, PaddingScheme scheme, WindowAxis& axis);

/// Sets the paddings of the axis by which a window over `extent` elements takes ceil(extent /
/// stride) steps.
void padSame(std::int64_t extent, WindowAxis& axis);

/// Reads the extents of input `index`, of rank 4; only the batches may be zero.
[[nodiscard]] JobStatus readImageShape(OperatorCall& call, std::size_t index, bool isNchw,
                                       ImageShape& shape);

}  // namespace vnpu::hw::kernels
