// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/window/image_buffer.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/scratch.h"

namespace vnpu::hw::kernels {
namespace {

/// Collects the elements of a window one by one and returns their output.
struct MaxOfFloats {
    using Element = float;
    using Sum = float;
    static constexpr Sum kStart = -std::numeric_limits<float>::infinity();
    FloatClamp clamp;

    static Sum add(Sum most, Element x) { return std::max(most, x); }
    Element finish(Sum most, std::int64_t) const { return clamp(most); }
};

struct AverageOfFloats {
    using Element = float;
    using Sum = float;
    static constexpr Sum kStart = 0.0F;
    FloatClamp clamp;

    static Sum add(Sum sum, Element x) { return sum + x; }
    Element finish(Sum sum, std::int64_t count) const {
        return clamp(sum / static_cast<float>(count));
    }
};

struct NormOfFloats {
    using Element = float;
    using Sum = float;
    static constexpr Sum kStart = 0.0F;
    FloatClamp clamp;

    static Sum add(Sum sum, Element x) { return sum + x * x; }
    Element finish(Sum sum, std::int64_t count) const {
        return clamp(std::sqrt(sum / static_cast<float>(count)));
    }
};

template <typename T>
struct MaxOfLevels {
    using Element = T;
    using Sum = T;
    static constexpr Sum kStart = std::numeric_limits<T>::lowest();
    LevelRange range;

    static Sum add(Sum most, Element x) { return std::max(most, x); }
    Element finish(Sum most, std::int64_t) const {
        return static_cast<T>(std::min(std::max<std::int32_t>(most, range.min), range.max));
    }
};

template <typename T, typename SumType>
struct AverageOfLevels {
    using Element = T;
    using Sum = SumType;
    static constexpr Sum kStart = 0;
    LevelRange range;

    static Sum add(Sum sum, Element x) { return sum + x; }
    Element finish(Sum sum, std::int64_t count) const {
        const std::int64_t level = roundingDivide(sum, count);
        return static_cast<T>(
                std::min<std::int64_t>(std::max<std::int64_t>(level, range.min), range.max));
    }
};

/// The inputs [first, end) of an axis in the window of output `at`.
struct Reach {
    std::int64_t first, end;
};

Reach reachOf(const WindowAxis& axis, std::int64_t at) {
    const std::int64_t first = at * axis.stride - axis.padHead;
    return {.first = std::max<std::int64_t>(first, 0),
            .end = std::min(first + axis.window, axis.input)};
}

struct PoolShape {
    ImageShape input, output;
    WindowAxis rows, columns;

    /// Elements in the largest window.
    std::int64_t mostElements() const {
        return std::min(rows.window, rows.input) * std::min(columns.window, columns.input);
    }
};

/// Computes one row of outputs on NHWC elements.
template <typename Rule>
void poolRow(const PoolShape& shape, const Rule& rule, std::size_t row,
             const typename Rule::Element* input, typename Rule::Element* output) {
    using Sum = typename Rule::Sum;
    thread_local Scratch<Sum> scratch;
    const std::size_t channels = shape.output.channels;
    Sum* const sums = scratch.reserve(channels);
    const std::size_t batch = row / shape.output.rows;
    const Reach rows = reachOf(shape.rows, static_cast<std::int64_t>(row % shape.output.rows));
    for (std::uint32_t x = 0; x < shape.output.columns; ++x) {
        const Reach columns = reachOf(shape.columns, x);
        std::fill_n(sums, channels, Rule::kStart);
        for (std::int64_t iy = rows.first; iy < rows.end; ++iy) {
            const std::size_t inputRow = batch * shape.input.rows + static_cast<std::size_t>(iy);
            const auto* source = input + (inputRow * shape.input.columns +
                                          static_cast<std::size_t>(columns.first)) *
                                                 channels;
            for (std::int64_t ix = columns.first; ix < columns.end; ++ix, source += channels) {
                for (std::size_t c = 0; c < channels; ++c) {
                    sums[c] = Rule::add(sums[c], source[c]);
                }
            }
        }
        const std::int64_t count = (rows.end - rows.first) * (columns.end - columns.first);
        auto* destination = output + (row * shape.output.columns + x) * channels;
        for (std::size_t c = 0; c < channels; ++c) {
            destination[c] = rule.finish(sums[c], count);
        }
    }
}

template <typename Rule>
void pool(const PoolShape& shape, const Rule& rule, const std::byte* input, std::byte* output) {
    using Element = typename Rule::Element;
    const std::size_t rows = std::size_t{shape.output.batches} * shape.output.rows;
    const std::uint64_t operations =
            shape.output.elements() * static_cast<std::uint64_t>(shape.mostElements());
    forEachTask(rows, operations, [&](std::size_t row) {
        poolRow(shape, rule, row, reinterpret_cast<const Element*>(input),
                reinterpret_cast<Element*>(output));
    });
}

enum class PoolKind : std::uint8_t { kAverage, kMax, kNorm };

void poolFloats(PoolKind kind, const PoolShape& shape, FusedActivation activation,
                const std::byte* input, std::byte* output) {
    const RealRange range = activationRange(activation);
    const FloatClamp clamp(std::bit_cast<std::int32_t>(range.low),
                           std::bit_cast<std::int32_t>(range.high));
    switch (kind) {
        case PoolKind::kAverage:
            return pool(shape, AverageOfFloats{clamp}, input, output);
        case PoolKind::kMax:
            return pool(shape, MaxOfFloats{clamp}, input, output);
        case PoolKind::kNorm:
            return pool(shape, NormOfFloats{clamp}, input, output);
    }
}

template <typename T>
void poolLevels(PoolKind kind, const PoolShape& shape, LevelRange range, const std::byte* input,
                std::byte* output) {
    constexpr std::int64_t kMostIn32Bits = 1 << 23;  // 255 times that is below 2^31
    if (kind == PoolKind::kMax) {
        pool(shape, MaxOfLevels<T>{range}, input, output);
    } else if (shape.mostElements() <= kMostIn32Bits) {
        pool(shape, AverageOfLevels<T, std::int32_t>{range}, input, output);
    } else {
        pool(shape, AverageOfLevels<T, std::int64_t>{range}, input, output);
    }
}

/// Refuses windows that lie entirely in the padding, which have nothing to average.
JobStatus settlePoolAxis(OperatorCall& call, PaddingScheme scheme, WindowAxis& axis) {
    VNPU_TRY(settleAxis(call, scheme, axis));
    if (axis.padHead >= axis.window ||
        (axis.output - 1) * axis.stride - axis.padHead >= axis.input) {
        return call.refuse(fmt::format("a window of {} elements lies in the padding of {} and {}",
                                       axis.window, axis.padHead, axis.padTail));
    }
    return JobStatus::kOk;
}

JobStatus settleShape(OperatorCall& call, WindowArguments& arguments, PoolShape& shape) {
    VNPU_TRY(readImageShape(call, 0, arguments.isNchw, shape.input));
    shape.rows = arguments.rows;
    shape.rows.input = shape.input.rows;
    shape.rows.window = arguments.own[1];
    shape.columns = arguments.columns;
    shape.columns.input = shape.input.columns;
    shape.columns.window = arguments.own[0];
    for (WindowAxis* axis : {&shape.rows, &shape.columns}) {
        VNPU_TRY(settlePoolAxis(call, arguments.scheme, *axis));
    }
    shape.output = {.batches = shape.input.batches,
                    .rows = static_cast<std::uint32_t>(shape.rows.output),
                    .columns = static_cast<std::uint32_t>(shape.columns.output),
                    .channels = shape.input.channels};
    return call.settle(0, shape.output.dimensions(arguments.isNchw));
}

template <PoolKind kind>
JobStatus pool2d(OperatorCall& call) {
    constexpr std::array<std::string_view, 2> kNames = {"filter width", "filter height"};
    WindowArguments arguments;
    PoolShape shape;
    VNPU_TRY(requireInputsQuantization(call));
    VNPU_TRY(readWindowArguments(call, {.first = 1, .ownNames = kNames}, arguments));
    VNPU_TRY(settleShape(call, arguments, shape));
    const Tensor& input = call.input(0);
    const WorkingImage image(input, shape.input, arguments.isNchw);
    ResultImage result(input.type, shape.output, arguments.isNchw, call.write<std::byte>(0));
    switch (workingType(input.type)) {
        case ElementType::kUint8:
            poolLevels<std::uint8_t>(kind, shape, activationLevels(arguments.activation, input),
                                     image.data(), result.data());
            break;
        case ElementType::kInt8:
            poolLevels<std::int8_t>(kind, shape, activationLevels(arguments.activation, input),
                                    image.data(), result.data());
            break;
        default:
            poolFloats(kind, shape, arguments.activation, image.data(), result.data());
    }
    result.finish();
    return JobStatus::kOk;
}

constexpr OperatorEntry kPoolEntries[] = {
        {Operator::kAveragePool2d, {"T4X*", "T", kRealTypes}, pool2d<PoolKind::kAverage>},
        {Operator::kMaxPool2d, {"T4X*", "T", kRealTypes}, pool2d<PoolKind::kMax>},
        {Operator::kL2Pool2d, {"T4X*", "T", kFloatTypes}, pool2d<PoolKind::kNorm>}};

}  // namespace

std::span<const OperatorEntry> poolOperators() {
    return kPoolEntries;
}

}  // namespace vnpu::hw::kernels
