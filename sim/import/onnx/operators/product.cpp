// SPDX-License-Identifier: Apache-2.0
// Matrix products.
#include <fmt/format.h>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/operators/weights.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Clamp;

/// The matrix with its two dimensions exchanged.
Value turned(Context& context, const Value& matrix) {
    return moveWeights(context, matrix, {1, 0});
}

/// alpha A' B' + beta C: a fully connected layer, with C as its bias where it is a row.
void importGemm(Context& context) {
    graph::Emitter& emitter = context.emitter();
    Value a = context.in(0), b = context.in(1);
    if (a.rank() != 2 || b.rank() != 2) {
        context.refuse("operands that are no matrices");
    }
    a = context.integer("transA", 0) != 0 ? turned(context, a) : a;
    b = context.integer("transB", 0) != 0 ? b : turned(context, b);  // units x inputs
    if (a.dims[1] != b.dims[1]) {
        context.refuse(fmt::format("{} columns times {} rows", a.dims[1], b.dims[1]));
    }
    const double alpha = context.numberOf("alpha", 1.0F), beta = context.numberOf("beta", 1.0F);
    const ElementType type = context.type(0);
    if (alpha != 1.0) {
        Value& scaled = b.isConstant() ? b : a;
        scaled = (Real(emitter, graph::toReal(emitter, scaled)) * alpha).value();
    }
    std::optional<Value> c;
    if (context.has(2) && beta != 0.0) {
        c = (Real(emitter, context.real(2)) * beta).value();
    }
    const bool isRow =
            c && c->count() == b.dims[0] && c->isConstant() && (c->rank() < 2 || c->dims[0] == 1);
    const bool mayClamp = !c || isRow;
    Target target = context.target(0, mayClamp);
    if (isRow) {
        c = graph::reshape(emitter, *c, {b.dims[0]});
        c = b.channelScales.empty() ? biasFor(a, b, c, target.form) : c;
    }
    Value result = graph::fullyConnected(emitter, a, b, isRow ? c : std::nullopt, target.clamp,
                                         mayClamp ? target.form : graph::kReal);
    if (!mayClamp) {
        result = graph::binary(emitter, Binary::kAdd, result, *c, target.form);
    }
    context.outTo(target, result, isRealType(type) ? type : ElementType::kFloat);
}

/// As numpy.matmul: vectors become matrices, the leading dimensions broadcast.
Value matrixProduct(Context& context, Value a, Value b, const Form& form, Clamp clamp) {
    graph::Emitter& emitter = context.emitter();
    const bool isRow = a.rank() == 1, isColumn = b.rank() == 1;
    if (a.rank() == 0 || b.rank() == 0) {
        context.refuse("a scalar operand");
    }
    a = isRow ? graph::reshape(emitter, a, {1, a.dims[0]}) : a;
    b = isColumn ? graph::reshape(emitter, b, {b.dims[0], 1}) : b;
    Value result;
    if (b.rank() == 2 && b.isConstant() && a.count() != 0 && a.dims.back() == b.dims[0]) {
        Dims dims = a.dims;
        dims.back() = b.dims[1];
        const Value rows = graph::reshape(
                emitter, a, {static_cast<std::uint32_t>(a.count() / a.dims.back()), a.dims.back()});
        result = graph::reshape(
                emitter,
                graph::fullyConnected(emitter, rows, turned(context, b), std::nullopt, clamp, form),
                dims);
    } else {
        result =
                graph::clamp(emitter, graph::batchMatmul(emitter, a, b, false, false, form), clamp);
    }
    Dims dims = result.dims;
    if (isColumn) {
        dims.pop_back();
    }
    if (isRow) {
        dims.erase(dims.end() - (isColumn ? 1 : 2));
    }
    return graph::reshape(emitter, result, dims);
}

void importMatMul(Context& context) {
    const ElementType type = context.type(0);
    const bool isReal = isRealType(type);
    const Target target = context.target(0, isReal);
    const Value product = matrixProduct(context, isReal ? context.in(0) : context.real(0),
                                        isReal ? context.in(1) : context.real(1),
                                        isReal ? target.form : graph::kReal, target.clamp);
    context.outTo(target, isReal ? product : graph::cast(context.emitter(), product, formOf(type)),
                  type);
}

/// Input `i` less its zero point, one for all or one per row of a (or column of b).
Value centeredReal(Context& context, std::size_t i, std::size_t zero, bool isPerRow) {
    graph::Emitter& emitter = context.emitter();
    const Real number(emitter, context.real(i));
    if (!context.has(zero)) {
        return number.value();
    }
    Value point = context.real(zero);
    if (isPerRow && point.rank() == 1 && point.count() != 1) {
        point = graph::reshape(emitter, point, {point.dims[0], 1});
    } else if (point.count() == 1) {
        point = graph::reshape(emitter, point, {});
    }
    return (number - Real(emitter, point)).value();
}

void importMatMulInteger(Context& context) {
    context.note("integer sums of products are computed in float32, exactly up to 2^24");
    const Value product =
            matrixProduct(context, centeredReal(context, 0, 2, true),
                          centeredReal(context, 1, 3, false), graph::kReal, Clamp::kNone);
    context.out(0, graph::cast(context.emitter(), product, graph::kInteger), ElementType::kInt32);
}

/// In float32 with one rounding at the end.
void importQLinearMatMul(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Real a(emitter, centeredReal(context, 0, 2, true)),
            b(emitter, centeredReal(context, 3, 5, false));
    const Real product(emitter,
                       matrixProduct(context, a.value(), b.value(), graph::kReal, Clamp::kNone));
    const double scale = context.scalar(1, "a scale") * context.scalar(4, "a scale") /
                         context.scalar(6, "a scale");
    const ElementType type = context.type(7);
    const double zero = context.scalar(7, "the zero point");
    const Real rounded = (product * scale).of(graph::Unary::kRound) + zero;
    const bool isSigned = type == ElementType::kInt8;
    const Value limited = graph::clipTo(emitter, rounded.value(), isSigned ? -128.0 : 0.0,
                                        isSigned ? 127.0 : 255.0, graph::kReal);
    context.outNumber(0, limited, type);
}

constexpr Operator kProduct[] = {
        {"Gemm", 1, Status::kImported, "FULLY_CONNECTED", importGemm},
        {"MatMul", 1, Status::kImported, "FULLY_CONNECTED, or products of slices", importMatMul},
        {"MatMulInteger", 10, Status::kComposed, "SUB, FULLY_CONNECTED in float32, CAST",
         importMatMulInteger},
        {"QLinearMatMul", 10, Status::kComposed, "SUB, FULLY_CONNECTED in float32, CAST",
         importQLinearMatMul},
};

}  // namespace

std::span<const Operator> productOperators() {
    return kProduct;
}

}  // namespace vnpu::sim::onnx
