// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear gives its result a form with scale and zero point, and DequantizeLinear makes the
// same bytes real values again; so operators between the two run in 8 bits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Reduction;
using graph::Unary;

/// A scale or zero point in the shape that broadcasts along the axis.
Real alongAxis(Context& context, std::size_t i, std::size_t rank) {
    const Value value = context.real(i);
    Dims dims;
    if (value.count() != 1) {
        const std::uint32_t axis = context.axis(1, rank);
        dims.assign(rank - axis, 1);
        dims[0] = static_cast<std::uint32_t>(value.count());
    }
    return {context.emitter(), graph::reshape(context.emitter(), value, dims)};
}

Value limited(Context& context, const Real& x, ElementType type) {
    const bool isSigned = type == ElementType::kInt8;
    return graph::clipTo(context.emitter(), x.value(), isSigned ? -128.0 : 0.0,
                         isSigned ? 127.0 : 255.0, graph::kReal);
}

void importQuantize(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Held held = context.held(0);
    const ElementType type = context.has(2) ? context.type(2) : ElementType::kUint8;
    if (!isByteType(type)) {
        context.refuse(fmt::format("to {}, expected 8 bits", nameOf(type)));
    }
    const std::optional<Form> form = context.quantization(context.node());
    if (form && isRealType(held.type) && held.value.form == *form) {
        context.outHeld(0, {held.value, type, held.isChannelsLast});
        return;
    }
    if (form && isRealType(held.type) && !held.value.isConstant()) {
        context.outHeld(0, {graph::convert(emitter, held.value, *form), type, held.isChannelsLast});
        return;
    }
    const Value value = context.real(0);
    Real result = (Real(emitter, value) / alongAxis(context, 1, value.rank())).of(Unary::kRound);
    if (context.has(2)) {
        result = result + alongAxis(context, 2, value.rank());
    }
    const Value bytes = graph::cast(emitter, limited(context, result, type), formOf(type));
    context.out(0, form ? graph::cast(emitter, bytes, *form) : bytes, type);
}

/// Constant int8 weights with a scale per channel around zero, as NNAPI's convolutions take them.
std::optional<Value> perChannelWeights(Context& context) {
    const Held& held = context.held(0);
    const Held& scale = context.held(1);
    if (!held.value.isConstant() || held.type != ElementType::kInt8 || !scale.value.isConstant() ||
        scale.value.rank() != 1) {
        return std::nullopt;
    }
    if (context.has(2)) {
        const Held& zero = context.held(2);
        if (!zero.value.isConstant()) {
            return std::nullopt;
        }
        for (const std::int64_t number : graph::integersOf(zero.value, "zero points")) {
            if (number != 0) {
                return std::nullopt;
            }
        }
    }
    Value value = held.value;
    const std::uint32_t axis = context.axis(1, value.rank());
    const std::vector<double> scales = graph::realsOf(scale.value);
    if (scales.size() != value.dims[axis] ||
        *std::min_element(scales.begin(), scales.end()) <= 0.0) {
        return std::nullopt;
    }
    value.channelScales.assign(scales.begin(), scales.end());
    value.channelDimension = axis;
    return value;
}

void importDequantize(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Held held = context.held(0);
    const std::optional<Form> form =
            isByteType(held.type) && (!context.has(2) || context.type(2) == held.type)
                    ? context.quantization(context.node())
                    : std::nullopt;
    if (form) {
        Form wanted = *form;
        wanted.type = formOf(held.type).type;
        // Numbers of an input of the model are computed at once: another form would take two
        // operations.
        if (held.value.isConstant() || held.value.form == wanted) {
            context.outHeld(0, {graph::cast(emitter, held.value, wanted), ElementType::kFloat,
                                held.isChannelsLast});
            return;
        }
    }
    if (const auto weights = perChannelWeights(context)) {
        context.out(0, *weights, ElementType::kFloat);
        return;
    }
    const Value value = context.real(0);
    Real number(emitter, value);
    if (context.has(2)) {
        number = number - alongAxis(context, 2, value.rank());
    }
    context.out(0, (number * alongAxis(context, 1, value.rank())).value(), ElementType::kFloat);
}

/// Scale and zero point from the values at run time, so that the numbers are computed in float32.
void importDynamicQuantize(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Real x(emitter, context.real(0));
    std::vector<std::uint32_t> axes(x.value().rank());
    for (std::uint32_t i = 0; i < axes.size(); ++i) {
        axes[i] = i;
    }
    const auto extreme = [&](Reduction op, Binary with0) {
        return Real(emitter, graph::reduce(emitter, op, x.value(), axes, false, graph::kReal))
                .with(with0, 0.0);
    };
    const Real most = extreme(Reduction::kMax, Binary::kMaximum),
               least = extreme(Reduction::kMin, Binary::kMinimum);
    const Real scale = (most - least) / 255.0;
    const Real zero(emitter,
                    limited(context, (0.0 - least / scale).of(Unary::kRound), ElementType::kUint8));
    const Value number =
            limited(context, (x / scale).of(Unary::kRound) + zero, ElementType::kUint8);
    context.outNumber(0, number, ElementType::kUint8);
    context.out(1, graph::reshape(emitter, scale.value(), {}), ElementType::kFloat);
    context.outNumber(2, graph::reshape(emitter, zero.value(), {}), ElementType::kUint8);
}

constexpr Operator kQuantization[] = {
        {"DequantizeLinear", 10, Status::kImported,
         "DEQUANTIZE, or nothing before an operation in 8 bits", importDequantize},
        {"DynamicQuantizeLinear", 11, Status::kComposed, "REDUCE_MAX, REDUCE_MIN, DIV, CAST",
         importDynamicQuantize},
        {"QuantizeLinear", 10, Status::kImported,
         "QUANTIZE, or nothing behind an operation in 8 bits", importQuantize},
};

}  // namespace

std::span<const Operator> quantizationOperators() {
    return kQuantization;
}

}  // namespace vnpu::sim::onnx
