// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::driver {

/// A part [begin, begin + count) of an axis.
struct Part {
    std::uint32_t begin = 0;
    std::uint32_t count = 1;
};

/// Part `index` of an axis cut into parts of `size`; the last may be shorter.
Part partOf(std::uint32_t index, std::uint32_t size, std::uint32_t extent);
/// Their number.
std::uint32_t partsOf(std::uint32_t extent, std::uint32_t size);

/// How windows walk along one axis.
struct WindowWalk {
    std::uint32_t input = 1, stride = 1, taps = 1, dilation = 1;
    std::int32_t pad = 0;
};

/// The part of the input that a part of the output reads, and the padding in front of it that a
/// command on this part has.
struct Reach {
    Part input;
    std::int32_t pad = 0;
};

/// Elements of the input that `outputs` neighboring outputs span, at most all.
std::uint32_t spanOf(const WindowWalk& walk, std::uint32_t outputs);

/// Clipped to the input; at least one element even if the window reads only padding.
Reach reachOf(const WindowWalk& walk, const Part& output);

}  // namespace vnpu::driver
