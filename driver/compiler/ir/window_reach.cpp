// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/window_reach.h"

#include <algorithm>

namespace vnpu::driver {

Part partOf(std::uint32_t index, std::uint32_t size, std::uint32_t extent) {
    const std::uint32_t begin = index * size;
    return {begin, std::min(size, extent - begin)};
}

std::uint32_t partsOf(std::uint32_t extent, std::uint32_t size) {
    return (extent + size - 1) / size;
}

std::uint32_t spanOf(const WindowWalk& walk, std::uint32_t outputs) {
    const std::uint64_t span = std::uint64_t{outputs - 1} * walk.stride +
                               std::uint64_t{walk.taps - 1} * walk.dilation + 1;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(span, walk.input));
}

Reach reachOf(const WindowWalk& walk, const Part& output) {
    const std::int64_t first = std::int64_t{output.begin} * walk.stride - walk.pad;
    const std::int64_t last = std::int64_t{output.begin + output.count - 1} * walk.stride -
                              walk.pad + std::int64_t{walk.taps - 1} * walk.dilation;
    const std::int64_t begin = std::clamp<std::int64_t>(first, 0, std::int64_t{walk.input} - 1);
    const std::int64_t end = std::clamp<std::int64_t>(last + 1, begin + 1, walk.input);
    return {{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)},
            static_cast<std::int32_t>(begin - first)};
}

}  // namespace vnpu::driver
