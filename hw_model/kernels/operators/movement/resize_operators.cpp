// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "hw_model/kernels/operators/image_layout.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kWidthInput = 1;
constexpr std::size_t kHeightInput = 2;
constexpr std::size_t kLayoutInput = 3;
constexpr std::size_t kAlignInput = 4;
constexpr std::size_t kHalfPixelInput = 5;

constexpr std::uint64_t kOperationsPerPixel = 4;  // chosen: products of an interpolation

/// Maps output positions to input positions along one axis.
struct Sampling {
    std::int64_t extent;  // of the input
    float scale;
    bool isAligned;
    bool hasHalfPixels;
};

Sampling samplingOf(std::uint32_t from, std::uint32_t to, bool isAligned, bool hasHalfPixels) {
    const float scale = isAligned && to > 1
                                ? static_cast<float>(from - 1) / static_cast<float>(to - 1)
                                : static_cast<float>(from) / static_cast<float>(to);
    return {from, scale, isAligned, hasHalfPixels};
}

/// The input element that is nearest to an output position.
std::int64_t nearest(const Sampling& axis, std::uint32_t position) {
    const float offset = axis.hasHalfPixels ? 0.5F : 0.0F;
    const float scaled = (static_cast<float>(position) + offset) * axis.scale;
    const auto index =
            static_cast<std::int64_t>(axis.isAligned ? std::round(scaled) : std::floor(scaled));
    return std::clamp<std::int64_t>(index, 0, axis.extent - 1);
}

/// Two neighbors in the input and the position's fraction of the distance between them.
struct Neighbors {
    std::int64_t first;
    std::int64_t second;
    float way;
};

Neighbors neighbors(const Sampling& axis, std::uint32_t position) {
    const float scaled = axis.hasHalfPixels
                                 ? (static_cast<float>(position) + 0.5F) * axis.scale - 0.5F
                                 : static_cast<float>(position) * axis.scale;
    const auto floor = static_cast<std::int64_t>(std::floor(scaled));
    const auto ceiling = static_cast<std::int64_t>(std::ceil(scaled));
    const std::int64_t first = std::clamp<std::int64_t>(floor, 0, axis.extent - 1);
    const std::int64_t second = std::clamp<std::int64_t>(ceiling, 0, axis.extent - 1);
    // Outside of the image both are the same pixel, and the fraction has no effect.
    return {first, second, std::clamp(scaled - static_cast<float>(first), 0.0F, 1.0F)};
}

/// A resize of either kind; an NCHW image counts as images of one channel each.
struct Resize {
    std::uint64_t images = 0;
    std::uint32_t channels = 0;
    Sampling rows{};
    Sampling columns{};
    std::uint32_t outRows = 0;
    std::uint32_t outColumns = 0;
};

template <typename T>
T rounded(float value) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(std::floor(value + 0.5F));  // between its neighbors: in range
    } else {
        return static_cast<T>(value);
    }
}

template <typename T>
void interpolateRow(const Resize& resize, const std::vector<Neighbors>& columns, const T* upper,
                    const T* lower, float down, T* out) {
    const std::uint32_t channels = resize.channels;
    for (const Neighbors& column : columns) {
        const T* const corners[] = {
                upper + column.first * channels, lower + column.first * channels,
                upper + column.second * channels, lower + column.second * channels};
        const float weights[] = {(1.0F - down) * (1.0F - column.way), down * (1.0F - column.way),
                                 (1.0F - down) * column.way, down * column.way};
        for (std::uint32_t c = 0; c < channels; ++c) {
            const float sum = static_cast<float>(corners[0][c]) * weights[0] +
                              static_cast<float>(corners[1][c]) * weights[1] +
                              static_cast<float>(corners[2][c]) * weights[2] +
                              static_cast<float>(corners[3][c]) * weights[3];
            out[c] = rounded<T>(sum);
        }
        out += channels;
    }
}

template <typename T>
void interpolate(OperatorCall& call, const Resize& resize) {
    std::vector<Neighbors> columns(resize.outColumns);
    for (std::uint32_t x = 0; x < resize.outColumns; ++x) {
        columns[x] = neighbors(resize.columns, x);
    }
    const T* in = call.input(0).as<T>();
    T* out = call.write<T>(0);
    const std::int64_t line = resize.columns.extent * resize.channels;
    const std::uint64_t outLine = std::uint64_t{resize.outColumns} * resize.channels;
    const std::uint64_t lines = resize.images * resize.outRows;
    forEachTask(lines, lines * outLine * kOperationsPerPixel, [&](std::size_t task) {
        const Neighbors row =
                neighbors(resize.rows, static_cast<std::uint32_t>(task % resize.outRows));
        const T* image =
                in + static_cast<std::int64_t>(task / resize.outRows) * resize.rows.extent * line;
        interpolateRow(resize, columns, image + row.first * line, image + row.second * line,
                       row.way, out + task * outLine);
    });
}

void copyNearest(OperatorCall& call, const Resize& resize) {
    const std::uint64_t pixel =
            std::uint64_t{resize.channels} * elementBytes(call.input(0).type);  // bytes
    std::vector<std::uint64_t> columns(resize.outColumns);
    for (std::uint32_t x = 0; x < resize.outColumns; ++x) {
        columns[x] = static_cast<std::uint64_t>(nearest(resize.columns, x)) * pixel;
    }
    const std::byte* in = call.input(0).data;
    std::byte* out = call.write<std::byte>(0);
    const auto line = static_cast<std::uint64_t>(resize.columns.extent) * pixel;
    const std::uint64_t lines = resize.images * resize.outRows;
    forEachTask(lines, lines * resize.outColumns * kOperationsPerPixel, [&](std::size_t task) {
        const auto row = static_cast<std::uint64_t>(
                nearest(resize.rows, static_cast<std::uint32_t>(task % resize.outRows)));
        const std::uint64_t image =
                task / resize.outRows * static_cast<std::uint64_t>(resize.rows.extent);
        const std::byte* from = in + (image + row) * line;
        std::byte* to = out + task * resize.outColumns * pixel;
        for (const std::uint64_t column : columns) {
            std::memcpy(to, from + column, pixel);
            to += pixel;
        }
    });
}

/// The output's extent, given by an operand directly or as a scale; refuses operands that give no
/// valid extent.
std::optional<std::uint32_t> extentOf(OperatorCall& call, std::size_t input, std::uint32_t from) {
    const bool isScale = call.input(input).type != TensorType::kInt32Scalar;
    const float extent = isScale ? std::floor(static_cast<float>(from) * call.real(input))
                                 : static_cast<float>(call.int32(input));
    if (!(extent >= 1.0F && extent < 0x1p31F)) {
        return call.refuse(fmt::format("input {} makes {} of {} elements", input, extent, from));
    }
    return static_cast<std::uint32_t>(isScale ? static_cast<std::int32_t>(extent)
                                              : call.int32(input));
}

/// Settles the output and calls resample(resize) if there are elements.
template <typename Resample>
JobStatus runResize(OperatorCall& call, const Resample& resample) {
    if (call.input(kWidthInput).type != call.input(kHeightInput).type) {
        return call.refuse(fmt::format("input {} is {}, expected {}", kHeightInput,
                                       tensorTypeName(call.input(kHeightInput).type),
                                       tensorTypeName(call.input(kWidthInput).type)));
    }
    const bool isNchw = call.flag(kLayoutInput);
    const ImageShape from = ImageShape::of(call.input(0).dimensions, isNchw);
    if (from.rows == 0 || from.columns == 0) {
        return call.refuse(
                fmt::format("images of {} rows and {} columns", from.rows, from.columns));
    }
    VNPU_TRY_ASSIGN(const std::uint32_t outColumns, extentOf(call, kWidthInput, from.columns));
    VNPU_TRY_ASSIGN(const std::uint32_t outRows, extentOf(call, kHeightInput, from.rows));
    const ImageShape to{from.batches, outRows, outColumns, from.channels};
    VNPU_TRY(call.settle(0, to.dimensions(isNchw)));
    const bool isAligned = call.flag(kAlignInput);
    const bool hasHalfPixels = call.flag(kHalfPixelInput);
    if (call.input(0).elements() != 0) {
        resample(Resize{isNchw ? std::uint64_t{from.batches} * from.channels : from.batches,
                        isNchw ? 1 : from.channels,
                        samplingOf(from.rows, outRows, isAligned, hasHalfPixels),
                        samplingOf(from.columns, outColumns, isAligned, hasHalfPixels), outRows,
                        outColumns});
    }
    return JobStatus::kOk;
}

JobStatus resizeBilinear(OperatorCall& call) {
    return runResize(call, [&](const Resize& resize) {
        withElement<kRealTypes>(call.input(0).type, [&](auto element) {
            interpolate<decltype(element)>(call, resize);
        });
    });
}

JobStatus resizeNearestNeighbor(OperatorCall& call) {
    return runResize(call, [&](const Resize& resize) { copyNearest(call, resize); });
}

constexpr OperatorEntry kResizeEntries[] = {
        {Operator::kResizeBilinear, {"T4eeb?b?b?", "T", kRealTypes}, resizeBilinear},
        {Operator::kResizeNearestNeighbor, {"T4eeb?b?b?", "T"}, resizeNearestNeighbor}};

}  // namespace

std::span<const OperatorEntry> resizeOperators() {
    return kResizeEntries;
}

}  // namespace vnpu::hw::kernels
