// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "hw_model/regs/check.h"

namespace vnpu::driver {

std::uint64_t elementCount(std::span<const std::uint32_t> shape) {
    std::uint64_t count = 1;
    for (const std::uint32_t dimension : shape) {
        if (dimension != 0 && count > std::numeric_limits<std::uint64_t>::max() / dimension) {
            return std::numeric_limits<std::uint64_t>::max();
        }
        count *= dimension;
    }
    return count;
}

bool isKnown(std::span<const std::uint32_t> shape) {
    return std::find(shape.begin(), shape.end(), 0U) == shape.end();
}

bool isSettled(std::span<const std::uint32_t> shape) {
    return !shape.empty() && isKnown(shape);
}

bool agrees(std::span<const std::uint32_t> declared, std::span<const std::uint32_t> actual) {
    return declared.empty() ||
           std::equal(declared.begin(), declared.end(), actual.begin(), actual.end(),
                      [](std::uint32_t d, std::uint32_t a) { return d == 0 || d == a; });
}

Shape atLeastRankOne(Shape shape) {
    if (shape.empty()) {
        shape.push_back(1);
    }
    return shape;
}

AxisSplit splitAt(std::span<const std::uint32_t> shape, std::uint32_t axis) {
    return {static_cast<std::uint32_t>(elementCount(shape.first(axis))), shape[axis],
            static_cast<std::uint32_t>(elementCount(shape.subspan(axis + 1)))};
}

std::string toText(std::span<const std::uint32_t> shape) {
    return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ", "));
}

Shape4 padToFour(std::span<const std::uint32_t> shape) {
    VNPU_CHECK(shape.size() <= 4, "callers limit the rank to four");
    Shape4 result{1, 1, 1, 1};
    std::copy(shape.begin(), shape.end(), result.end() - static_cast<int>(shape.size()));
    return result;
}

Checked<WindowAxis> walkWindow(const WindowSpec& spec) {
    const std::uint64_t reach = std::uint64_t{spec.window - 1} * spec.dilation + 1;
    if (spec.scheme == PaddingScheme::kSame) {
        const std::uint32_t output = (spec.input - 1) / spec.stride + 1;
        const std::uint64_t needed = std::uint64_t{output - 1} * spec.stride + reach;
        const std::uint64_t total = needed > spec.input ? needed - spec.input : 0;
        return WindowAxis{output, static_cast<std::uint32_t>(total / 2)};
    }
    const bool isPadded = spec.scheme == PaddingScheme::kExplicit;
    const std::uint32_t head = isPadded ? spec.padHead : 0;
    const std::uint64_t padded = std::uint64_t{spec.input} + head + (isPadded ? spec.padTail : 0);
    if (padded < reach) {
        return untiled();
    }
    return WindowAxis{static_cast<std::uint32_t>((padded - reach) / spec.stride + 1), head};
}

Checked<Shape> broadcast(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    Shape result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::uint32_t fromA = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::uint32_t fromB = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (fromA != fromB && fromA != 1 && fromB != 1) {
            return untiled();
        }
        result[result.size() - 1 - i] = fromA == 1 ? fromB : fromA;
    }
    return result;
}

std::array<std::uint64_t, 4> denseStrides(const Shape4& dims) {
    std::array<std::uint64_t, 4> strides{};
    std::uint64_t stride = 1;
    for (std::size_t d = 4; d-- > 0;) {
        strides[d] = stride;
        stride *= dims[d];
    }
    return strides;
}

}  // namespace vnpu::driver
