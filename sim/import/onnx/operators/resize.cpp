// SPDX-License-Identifier: Apache-2.0
// Resizing. Each dimension is resized on its own: nearest elements by GATHER, weighted sums by a
// product with a constant matrix. Images are resized by NNAPI's own operations where these compute
// the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/graph/image.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Clamp;

/// How the elements of one dimension are computed.
struct AxisResize {
    std::uint32_t from = 1, to = 1;
    double scale = 1.0;
    double begin = 0.0, end = 1.0;  // of the region of interest, tf_crop_and_resize
};

struct ResizeOptions {
    std::string mode, coordinates, nearest;
    double cubic = -0.75;
    bool excludesOutside = false;
    double extrapolation = 0.0;
};

/// The place in the input that belongs to an element of the output.
double placeOf(const AxisResize& axis, const ResizeOptions& options, std::uint32_t i) {
    const double at = i;
    const double length = axis.from * axis.scale;  // not always whole
    if (options.coordinates == "align_corners") {
        return length == 1.0 ? 0.0 : at * (axis.from - 1.0) / (length - 1.0);
    }
    if (options.coordinates == "asymmetric") {
        return at / axis.scale;
    }
    if (options.coordinates == "pytorch_half_pixel") {
        return axis.to > 1 ? (at + 0.5) / axis.scale - 0.5 : 0.0;
    }
    if (options.coordinates == "tf_half_pixel_for_nn") {
        return (at + 0.5) / axis.scale;
    }
    if (options.coordinates == "tf_crop_and_resize") {
        return axis.to > 1
                       ? axis.begin * (axis.from - 1.0) +
                                 at * (axis.end - axis.begin) * (axis.from - 1.0) / (axis.to - 1.0)
                       : 0.5 * (axis.begin + axis.end) * (axis.from - 1.0);
    }
    return (at + 0.5) / axis.scale - 0.5;
}

std::uint32_t nearestOf(double place, const AxisResize& axis, const ResizeOptions& options) {
    double whole = std::floor(place);
    if (options.nearest == "ceil") {
        whole = std::ceil(place);
    } else if (options.nearest == "round_prefer_ceil") {
        whole = std::floor(place + 0.5);
    } else if (options.nearest == "round_prefer_floor") {
        whole = std::ceil(place - 0.5);
    }
    return static_cast<std::uint32_t>(std::clamp(whole, 0.0, axis.from - 1.0));
}

/// Weights of the elements around a place: two for linear, four for cubic.
std::vector<double> weightsAt(double fraction, const ResizeOptions& options) {
    if (options.mode == "linear") {
        return {1.0 - fraction, fraction};
    }
    // source: Keys, Cubic Convolution Interpolation for Digital Image Processing, 1981
    const double a = options.cubic;
    const auto inner = [&](double x) { return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0; };
    const auto outer = [&](double x) { return ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a; };
    return {outer(1.0 + fraction), inner(fraction), inner(1.0 - fraction), outer(2.0 - fraction)};
}

/// The matrix output x input that resizes one dimension.
std::vector<float> matrixOf(const AxisResize& axis, const ResizeOptions& options) {
    std::vector<float> matrix(std::size_t{axis.to} * axis.from, 0.0F);
    for (std::uint32_t i = 0; i < axis.to; ++i) {
        const double place = placeOf(axis, options, i);
        const double whole = std::floor(place);
        std::vector<double> weights = weightsAt(place - whole, options);
        const double first = whole - static_cast<double>(weights.size() / 2 - 1);
        double sum = 0.0;
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const double at = first + static_cast<double>(k);
            weights[k] = options.excludesOutside && (at < 0.0 || at > axis.from - 1.0) ? 0.0
                                                                                       : weights[k];
            sum += weights[k];
        }
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const auto column = static_cast<std::size_t>(
                    std::clamp(first + static_cast<double>(k), 0.0, axis.from - 1.0));
            matrix[i * axis.from + column] +=
                    static_cast<float>(options.excludesOutside ? weights[k] / sum : weights[k]);
        }
    }
    return matrix;
}

/// Resizes one dimension.
Value resizeAxis(Context& context, const Value& value, std::uint32_t at, const AxisResize& axis,
                 const ResizeOptions& options) {
    graph::Emitter& emitter = context.emitter();
    if (options.mode == "nearest") {
        std::vector<std::int32_t> places(axis.to);
        for (std::uint32_t i = 0; i < axis.to; ++i) {
            places[i] =
                    static_cast<std::int32_t>(nearestOf(placeOf(axis, options, i), axis, options));
        }
        return graph::gather(emitter, value, graph::integerConstant({axis.to}, places), at);
    }
    std::vector<std::uint32_t> order(value.rank());
    std::iota(order.begin(), order.end(), 0U);
    std::swap(order[at], order.back());
    const Value moved = graph::transpose(emitter, graph::toReal(emitter, value), order);
    const Value rows = graph::reshape(
            emitter, moved, {static_cast<std::uint32_t>(moved.count() / axis.from), axis.from});
    const Value matrix = graph::realConstant({axis.to, axis.from}, matrixOf(axis, options));
    Dims dims = moved.dims;
    dims.back() = axis.to;
    const Value result =
            graph::fullyConnected(emitter, rows, matrix, std::nullopt, Clamp::kNone, graph::kReal);
    return graph::transpose(emitter, graph::reshape(emitter, result, dims), order);
}

/// NNAPI's own operation for pictures, where it computes the same.
std::optional<Value> resizePicture(Context& context, const std::vector<AxisResize>& axes,
                                   const ResizeOptions& options) {
    if (axes.size() != 4 || axes[0].from != axes[0].to || axes[1].from != axes[1].to ||
        !isRealType(context.type(0))) {
        return std::nullopt;
    }
    graph::Resize resize{axes[2].to, axes[3].to, options.mode == "linear",
                         options.coordinates == "align_corners",
                         options.coordinates == "half_pixel"};
    for (std::size_t i = 2; i < 4; ++i) {
        if (std::abs(axes[i].scale * axes[i].from - axes[i].to) > 1e-6 * axes[i].to) {
            return std::nullopt;
        }
    }
    const bool isLinear =
            options.mode == "linear" && !options.excludesOutside &&
            (resize.alignCorners || resize.halfPixelCenters || options.coordinates == "asymmetric");
    const bool isNearest = options.mode == "nearest" && options.coordinates == "asymmetric" &&
                           options.nearest == "floor";
    if (!isLinear && !isNearest) {
        return std::nullopt;
    }
    return graph::resize2d(context.emitter(), context.last(0), resize, context.target().form);
}

void resizeWith(Context& context, const std::vector<AxisResize>& axes,
                const ResizeOptions& options) {
    const ElementType type = context.type(0);
    if (options.mode != "nearest" && options.mode != "linear" && options.mode != "cubic") {
        context.refuse(fmt::format("mode {}", options.mode));
    }
    if (const auto picture = resizePicture(context, axes, options)) {
        context.outTo(context.target(), *picture, type, true);
        return;
    }
    graph::Emitter& emitter = context.emitter();
    Value value = options.mode == "nearest" ? context.in(0) : context.real(0);
    for (std::uint32_t i = 0; i < axes.size(); ++i) {
        const bool isCrop = options.coordinates == "tf_crop_and_resize";
        if (axes[i].from == axes[i].to && axes[i].scale == 1.0 &&
            (!isCrop || (axes[i].begin == 0.0 && axes[i].end == 1.0))) {
            continue;
        }
        value = resizeAxis(context, value, i, axes[i], options);
        if (!isCrop) {
            continue;
        }
        std::vector<std::uint8_t> isInside(axes[i].to);
        for (std::uint32_t k = 0; k < axes[i].to; ++k) {
            const double place = placeOf(axes[i], options, k);
            isInside[k] = place >= 0.0 && place <= axes[i].from - 1.0 ? 1 : 0;
        }
        if (std::count(isInside.begin(), isInside.end(), 0) > 0) {
            Dims line(axes.size() - i, 1);
            line[0] = axes[i].to;
            value = graph::select(emitter, graph::truthConstant(line, isInside), value,
                                  graph::filled(value.form, {}, options.extrapolation), value.form);
        }
    }
    context.outNumber(0, value, type);
}

std::uint32_t extentOf(Context& context, double extent) {
    if (!(extent >= 1.0 && extent <= 1 << 20)) {
        context.refuse(fmt::format("an extent of {}", extent));
    }
    return static_cast<std::uint32_t>(extent);
}

std::vector<AxisResize> axesFromScales(Context& context, const Dims& dims,
                                       const std::vector<double>& scales) {
    if (scales.size() != dims.size()) {
        context.refuse(fmt::format("{} scales for {} dimensions", scales.size(), dims.size()));
    }
    std::vector<AxisResize> axes(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        axes[i] = {dims[i], extentOf(context, std::floor(dims[i] * scales[i])), scales[i]};
    }
    return axes;
}

void importUpsample(Context& context) {
    std::vector<double> scales;
    if (context.has(1)) {
        scales = context.reals(1, "the scales");
    } else if (const auto found = context.node().attributes.find("scales");
               found != context.node().attributes.end()) {
        scales.assign(found->second.numbers.begin(), found->second.numbers.end());
    } else {
        scales = {1.0, 1.0, context.numberOf("height_scale", 1.0F),
                  context.numberOf("width_scale", 1.0F)};
    }
    const std::string mode = context.text("mode", "nearest");
    resizeWith(context, axesFromScales(context, context.dims(0), scales),
               {mode == "bilinear" ? "linear" : mode, "asymmetric", "floor"});
}

void importResize(Context& context) {
    const Dims dims = context.dims(0);
    const bool isFirst = context.opset() < 11;
    const std::size_t scalesAt = isFirst ? 1 : 2;
    ResizeOptions options{
            context.text("mode", "nearest"),
            context.text("coordinate_transformation_mode", isFirst ? "asymmetric" : "half_pixel"),
            context.text("nearest_mode", isFirst ? "floor" : "round_prefer_floor"),
            context.numberOf("cubic_coeff_a", -0.75F),
            context.integer("exclude_outside", 0) != 0,
            context.numberOf("extrapolation_value", 0.0F)};
    if (context.hasAttribute("axes") || context.integer("antialias", 0) != 0) {
        context.refuse("axes or antialias, which are newer than version 17");
    }
    std::vector<AxisResize> axes;
    if (context.has(3)) {
        const auto sizes = context.integers(3, "the sizes");
        if (sizes.size() != dims.size()) {
            context.refuse(fmt::format("{} sizes for {} dimensions", sizes.size(), dims.size()));
        }
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const std::uint32_t to = extentOf(context, static_cast<double>(sizes[i]));
            axes.push_back({dims[i], to, static_cast<double>(to) / dims[i]});
        }
    } else {
        axes = axesFromScales(context, dims, context.reals(scalesAt, "the scales"));
    }
    if (options.coordinates == "tf_crop_and_resize") {
        const std::vector<double> region = context.reals(1, "the region");
        if (region.size() != dims.size() * 2) {
            context.refuse(fmt::format("a region of {} numbers", region.size()));
        }
        for (std::size_t i = 0; i < dims.size(); ++i) {
            axes[i].begin = region[i];
            axes[i].end = region[i + dims.size()];
        }
    }
    resizeWith(context, axes, options);
}

constexpr Operator kResize[] = {
        {"Resize", 10, Status::kImported,
         "RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR; GATHER or FULLY_CONNECTED for other modes",
         importResize},
        {"Upsample", 1, Status::kImported, "RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR",
         importUpsample},
};

}  // namespace

std::span<const Operator> resizeOperators() {
    return kResize;
}

}  // namespace vnpu::sim::onnx
