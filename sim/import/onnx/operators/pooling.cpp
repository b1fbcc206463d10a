// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/pooling.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/operators/windows.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Clamp;
using graph::Pool;
using graph::Reduction;
using graph::Unary;

/// With ceil_mode a last window may reach beyond the padded input, unless it would begin behind it.
void extendForCeiling(Context& context, Kernel& kernel, const Dims& spatial) {
    if (context.integer("ceil_mode", 0) == 0) {
        return;
    }
    for (std::size_t i = 0; i < kernel.rank(); ++i) {
        const std::int64_t room = spatial[i] + kernel.before[i] + kernel.after[i] - kernel.reach(i);
        if (room < 0) {
            continue;
        }
        const std::int64_t rest = room % kernel.stride[i];
        const std::int64_t begin = room - rest + kernel.stride[i];  // of one window more
        if (rest != 0 && begin < spatial[i] + kernel.before[i]) {
            kernel.after[i] += kernel.stride[i] - rest;
        }
    }
}

Kernel poolKernel(Context& context, const Value& input) {
    const Dims spatial(input.dims.begin() + 1, input.dims.end() - 1);
    Kernel kernel = kernelOf(context, {}, spatial);
    extendForCeiling(context, kernel, spatial);
    return kernel;
}

Value padSpatial(Context& context, const Value& value, Kernel& kernel, double fill) {
    std::vector<std::int64_t> before(value.rank(), 0), after(value.rank(), 0);
    std::copy(kernel.before.begin(), kernel.before.end(), before.begin() + 1);
    std::copy(kernel.after.begin(), kernel.after.end(), after.begin() + 1);
    kernel.before.assign(kernel.rank(), 0);
    kernel.after.assign(kernel.rank(), 0);
    return graph::pad(context.emitter(), value, before, after, fill);
}

double leastOf(const Form& form) {
    return form.isQuantized()
                   ? (form.type == nn::OperandType::TENSOR_QUANT8_ASYMM ? 0 - form.zeroPoint
                                                                        : -128 - form.zeroPoint) *
                             double{form.scale}
                   : double{std::numeric_limits<float>::lowest()};
}

/// The greatest of slices, one for each element of the window: for dilated windows, which NNAPI's
/// pools do not have.
Value maxOfSlices(Context& context, Value value, Kernel kernel) {
    graph::Emitter& emitter = context.emitter();
    value = padSpatial(context, value, kernel, leastOf(value.form));
    for (std::size_t i = 0; i < kernel.rank(); ++i) {
        const std::uint32_t places = placesOf(kernel, i, value.dims[i + 1]);
        std::optional<Value> most;
        for (std::int64_t k = 0; k < kernel.size[i]; ++k) {
            graph::SliceSpec spec{std::vector<std::int64_t>(value.rank(), 0),
                                  std::vector<std::int64_t>(value.rank(), 1), value.dims};
            spec.begin[i + 1] = k * kernel.dilation[i];
            spec.step[i + 1] = kernel.stride[i];
            spec.count[i + 1] = places;
            const Value part = graph::slice(emitter, value, spec);
            most = most ? graph::binary(emitter, Binary::kMaximum, *most, part, value.form) : part;
        }
        value = *most;
    }
    return value;
}

/// Two dimensions, or one seen as two.
Value poolFlat(Context& context, Pool op, const Value& input, const Kernel& kernel,
               const Form& form) {
    graph::Emitter& emitter = context.emitter();
    std::array<std::int64_t, 2> size = {1, kernel.size.back()};
    if (kernel.rank() == 2) {
        size[0] = kernel.size[0];
    }
    const Value result = graph::pool2d(emitter, op, asImage(context, input), size, windowOf(kernel),
                                       Clamp::kNone, form);
    return input.rank() == 4 ? result
                             : graph::reshape(emitter, result,
                                              {result.dims[0], result.dims[2], result.dims[3]});
}

/// Three dimensions: over height and width, then over the depth.
Value poolDeep(Context& context, Pool op, const Value& input, const Kernel& kernel) {
    graph::Emitter& emitter = context.emitter();
    Kernel flat = kernel, deep;
    for (auto [from, to] :
         {std::pair(&flat.size, &deep.size), std::pair(&flat.stride, &deep.stride),
          std::pair(&flat.dilation, &deep.dilation), std::pair(&flat.before, &deep.before),
          std::pair(&flat.after, &deep.after)}) {
        *to = {(*from)[0]};
        from->erase(from->begin());
    }
    Value planes = poolFlat(context, op, depthSlices(context, input, 0, 1, input.dims[1]), flat,
                            graph::kReal);
    const Dims size = planes.dims;
    const std::uint32_t pixels = size[1] * size[2] * size[3];
    planes = graph::reshape(emitter, planes, {input.dims[0], input.dims[1], pixels});
    const Value result = poolFlat(context, op, planes, deep, graph::kReal);
    return graph::reshape(emitter, result,
                          {input.dims[0], result.dims[1], size[1], size[2], size[3]});
}

Value poolOf(Context& context, Pool op, const Value& input, const Kernel& kernel,
             const Form& form) {
    return input.rank() == 5
                   ? poolDeep(context, op, graph::toReal(context.emitter(), input), kernel)
                   : poolFlat(context, op, input, kernel, form);
}

bool isDilated(const Kernel& kernel) {
    return std::any_of(kernel.dilation.begin(), kernel.dilation.end(),
                       [](std::int64_t step) { return step != 1; });
}

void importMaxPool(Context& context) {
    if (context.wants(1)) {
        const auto users = context.graph().users(context.node().outputs[1]);
        if (!users || !users->empty()) {
            context.refuse("the places of the greatest elements, which NNAPI does not compute");
        }
    }
    const Value input = context.last(0);
    const Kernel kernel = poolKernel(context, input);
    const ElementType type = context.type(0);
    const Target target = context.target();
    const Form form = isRealType(type) ? target.form : input.form;
    const Value result =
            isDilated(kernel)
                    ? maxOfSlices(context, input, kernel)
                    : poolOf(context, Pool::kMax, input, kernel,
                             form == target.form || !isRealType(type) ? form : target.form);
    context.outTo(target, result, type, true);
}

bool isPadded(const Kernel& kernel) {
    const auto isSome = [](std::int64_t pad) { return pad != 0; };
    return std::any_of(kernel.before.begin(), kernel.before.end(), isSome) ||
           std::any_of(kernel.after.begin(), kernel.after.end(), isSome);
}

/// The sums over windows with zeros around.
Value sumsOf(Context& context, const Value& value, Kernel kernel) {
    const Value padded = padSpatial(context, value, kernel, 0.0);
    const double count = static_cast<double>(std::accumulate(kernel.size.begin(), kernel.size.end(),
                                                             std::int64_t{1}, std::multiplies<>()));
    return (Real(context.emitter(), poolOf(context, Pool::kAverage, padded, kernel, graph::kReal)) *
            count)
            .value();
}

void importAveragePool(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Value input = context.last(0);
    const Dims spatial(input.dims.begin() + 1, input.dims.end() - 1);
    Kernel kernel = kernelOf(context, {}, spatial);
    if (isDilated(kernel)) {
        context.refuse("a dilated window, which NNAPI's average pools do not have");
    }
    const bool countsPads = context.integer("count_include_pad", 0) != 0;
    Kernel extended = kernel;
    extendForCeiling(context, extended, spatial);
    const bool isExtended = extended.after != kernel.after;
    const Target target = context.target();
    if (countsPads && isPadded(kernel)) {
        if (isExtended) {
            context.refuse("count_include_pad with a window beyond the pads");
        }
        const Value padded = padSpatial(context, input, kernel, 0.0);
        context.outTo(target, poolOf(context, Pool::kAverage, padded, kernel, target.form),
                      context.type(0), true);
    } else if (input.rank() == 5 && (isPadded(kernel) || isExtended)) {
        // The number of elements under a window is not a product of two pools' numbers of elements.
        const Value ones = graph::filled(graph::kReal, input.dims, 1.0);
        const Real sums(emitter, sumsOf(context, graph::toReal(emitter, input), extended));
        context.outTo(target, (sums / Real(emitter, sumsOf(context, ones, extended))).value(),
                      context.type(0), true);
    } else {
        context.outTo(target, poolOf(context, Pool::kAverage, input, extended, target.form),
                      context.type(0), true);
    }
}

void importLpPool(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Real x(emitter, graph::toReal(emitter, context.last(0)));
    const std::int64_t p = context.integer("p", 2);
    const Kernel kernel = poolKernel(context, x.value());
    if ((p != 1 && p != 2) || isDilated(kernel)) {
        context.refuse(fmt::format("p is {}, expected 1 or 2 without dilation", p));
    }
    const Real sums(emitter, sumsOf(context, (p == 1 ? x.of(Unary::kAbs) : x * x).value(), kernel));
    context.outLast(0, (p == 1 ? sums : sums.of(Unary::kSqrt)).value(), context.type(0));
}

/// Over all spatial dimensions, which stay with one element.
Value reduceSpatial(Context& context, Reduction op, const Value& value, const Form& form) {
    std::vector<std::uint32_t> axes(value.rank() - 2);
    std::iota(axes.begin(), axes.end(), 1U);
    return graph::reduce(context.emitter(), op, value, axes, true, form);
}

void importGlobalAverage(Context& context) {
    const Target target = context.target();
    context.outTo(target, reduceSpatial(context, Reduction::kMean, context.last(0), target.form),
                  context.type(0), true);
}

void importGlobalMax(Context& context) {
    const Value value = context.last(0);
    context.outLast(0, reduceSpatial(context, Reduction::kMax, value, value.form), context.type(0));
}

void importGlobalLp(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Real x(emitter, graph::toReal(emitter, context.last(0)));
    const std::int64_t p = context.integer("p", 2);
    if (p != 1 && p != 2) {
        context.refuse(fmt::format("p is {}, expected 1 or 2", p));
    }
    const Real sum(emitter,
                   reduceSpatial(context, Reduction::kSum,
                                 (p == 1 ? x.of(Unary::kAbs) : x * x).value(), graph::kReal));
    context.outLast(0, (p == 1 ? sum : sum.of(Unary::kSqrt)).value(), context.type(0));
}

constexpr Operator kPooling[] = {
        {"AveragePool", 1, Status::kImported, "AVERAGE_POOL_2D; PAD before it where pads count",
         importAveragePool},
        {"GlobalAveragePool", 1, Status::kImported, "MEAN", importGlobalAverage},
        {"GlobalLpPool", 1, Status::kComposed, "MUL, REDUCE_SUM, SQRT", importGlobalLp},
        {"GlobalMaxPool", 1, Status::kImported, "REDUCE_MAX", importGlobalMax},
        {"LpPool", 1, Status::kComposed, "MUL, AVERAGE_POOL_2D, SQRT", importLpPool},
        {"MaxPool", 1, Status::kImported,
         "MAX_POOL_2D; STRIDED_SLICE and MAXIMUM for dilated windows", importMaxPool},
};

}  // namespace

std::span<const Operator> poolingOperators() {
    return kPooling;
}

}  // namespace vnpu::sim::onnx
