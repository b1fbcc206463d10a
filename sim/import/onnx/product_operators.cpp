// SPDX-License-Identifier: Apache-2.0
// Matrix products.
#include "sim/import/graph/products.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Clamp;

/// The bias of a fully connected layer in 8 bits: integers with the scale of the products.
std::optional<Value> integerBiasFor(const Value& input, const Value& weights,
                                    const std::optional<Value>& bias, const Form& form) {
    if (!bias || !input.form.isQuantized() || !weights.form.isQuantized() || !form.isQuantized() ||
        !bias->form.isReal() || !bias->isConstant() || !weights.channelScales.empty()) {
        return bias;
    }
    std::vector<double> numbers = graph::realsOf(*bias);
    for (double& number : numbers) {
        number = std::nearbyint(number / (double{input.form.scale} * weights.form.scale));
    }
    return graph::constantFrom(graph::kInteger, bias->dims, numbers);
}

/// The matrix with its two dimensions exchanged; scales per channel stay with their dimension.
Value turned(Context& context, const Value& matrix) {
    const std::uint32_t order[] = {1, 0};
    Value result = graph::transpose(context.emitter(), matrix, order);
    result.channelScales = matrix.channelScales;
    result.channelDimension = 1 - matrix.channelDimension;
    return result;
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
        c = integerBiasFor(a, b, c, target.form);
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

// Einsum: letters name dimensions; the result has the sums over all that it does not name.

struct Labeled {
    Value value;
    std::string labels;
};

std::string without(const std::string& labels, const std::string& removed) {
    std::string rest;
    std::copy_if(labels.begin(), labels.end(), std::back_inserter(rest),
                 [&](char c) { return removed.find(c) == removed.npos; });
    return rest;
}

std::string common(const std::string& a, const std::string& b) {
    return without(a, without(a, b));
}

class Einsum {
  public:
    explicit Einsum(Context& context) : context_(context), emitter_(context.emitter()) {}

    Value run() {
        std::string equation = context_.text("equation", "");
        equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
        const std::size_t arrow = equation.find("->");
        const std::string left = equation.substr(0, arrow);
        std::vector<std::string> terms(1);
        for (const char c : left) {
            if (c == ',') {
                terms.emplace_back();
            } else {
                terms.back() += c;
            }
        }
        if (terms.size() != context_.inputCount()) {
            context_.refuse(
                    fmt::format("{} terms for {} inputs", terms.size(), context_.inputCount()));
        }
        std::vector<Labeled> operands;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            operands.push_back(diagonal({context_.real(i), expand(terms[i], context_.rank(i))}));
        }
        output_ = arrow == equation.npos ? implicitOutput(operands)
                                         : expand(equation.substr(arrow + 2),
                                                  ellipsis_ + letters(equation.substr(arrow + 2)));
        Labeled total = operands[0];
        for (std::size_t i = 1; i < operands.size(); ++i) {
            std::string later = output_;
            for (std::size_t k = i + 1; k < operands.size(); ++k) {
                later += operands[k].labels;
            }
            total = product(total, operands[i], later);
        }
        total = reduced(total, output_);
        if (total.labels.size() != output_.size()) {
            context_.refuse("the result names dimensions that no input has");
        }
        return ordered(total, output_);
    }

  private:
    static std::size_t letters(const std::string& term) {
        return static_cast<std::size_t>(
                std::count_if(term.begin(), term.end(), [](char c) { return c != '.'; }));
    }

    /// The ellipsis becomes the digits of as many dimensions, aligned at the end.
    std::string expand(const std::string& term, std::size_t rank) {
        const std::size_t dots = term.find("...");
        const std::size_t named = letters(term);
        if (named > rank || (dots == term.npos && named != rank) || rank > named + 8) {
            context_.refuse(fmt::format("term {} for {} dimensions", term, rank));
        }
        if (dots == term.npos) {
            return term;
        }
        const std::size_t hidden = rank - named;
        ellipsis_ = std::max(ellipsis_, hidden);
        std::string digits;
        for (std::size_t i = hidden; i > 0; --i) {
            digits += static_cast<char>('0' + i);
        }
        return term.substr(0, dots) + digits + term.substr(dots + 3);
    }

    std::string implicitOutput(const std::vector<Labeled>& operands) const {
        std::map<char, int> uses;
        for (const Labeled& operand : operands) {
            for (const char c : operand.labels) {
                ++uses[c];
            }
        }
        std::string digits, named;
        for (const auto& [label, count] : uses) {
            const bool isHidden = label >= '0' && label <= '9';
            if (isHidden) {
                digits.insert(digits.begin(), label);
            } else if (count == 1) {
                named += label;
            }
        }
        return digits + named;
    }

    /// Equal labels of one operand: only their diagonal counts.
    Labeled diagonal(Labeled operand) {
        for (std::size_t i = 0; i < operand.labels.size(); ++i) {
            const std::size_t other = operand.labels.find(operand.labels[i], i + 1);
            if (other == std::string::npos) {
                continue;
            }
            const std::uint32_t size = operand.value.dims[i];
            if (operand.value.dims[other] != size) {
                context_.refuse("equal labels of different extents");
            }
            std::string order = without(operand.labels, std::string(1, operand.labels[i]));
            const std::string rest = order;
            std::vector<std::uint32_t> axes;
            for (std::uint32_t k = 0; k < operand.labels.size(); ++k) {
                if (operand.labels[k] != operand.labels[i]) {
                    axes.push_back(k);
                }
            }
            axes.push_back(static_cast<std::uint32_t>(i));
            axes.push_back(static_cast<std::uint32_t>(other));
            if (axes.size() != operand.labels.size()) {
                context_.refuse("a label three times in a term");
            }
            const Value moved = graph::transpose(emitter_, operand.value, axes);
            Dims dims(moved.dims.begin(), moved.dims.end() - 2);
            dims.push_back(size * size);
            std::vector<std::int32_t> places(size);
            for (std::uint32_t k = 0; k < size; ++k) {
                places[k] = static_cast<std::int32_t>(k * (size + 1));
            }
            operand.value = graph::gather(emitter_, graph::reshape(emitter_, moved, dims),
                                          graph::integerConstant({size}, places),
                                          static_cast<std::uint32_t>(dims.size() - 1));
            operand.labels = rest + operand.labels[i];
            return diagonal(operand);
        }
        return operand;
    }

    /// Sums over the labels that are not in `kept`.
    Labeled reduced(const Labeled& operand, const std::string& kept) {
        std::vector<std::uint32_t> axes;
        for (std::uint32_t i = 0; i < operand.labels.size(); ++i) {
            if (kept.find(operand.labels[i]) == kept.npos) {
                axes.push_back(i);
            }
        }
        if (axes.empty()) {
            return operand;
        }
        return {graph::reduce(emitter_, graph::Reduction::kSum, operand.value, axes, false,
                              graph::kReal),
                common(operand.labels, kept)};
    }

    Value ordered(const Labeled& operand, const std::string& order) {
        std::vector<std::uint32_t> axes;
        for (const char label : order) {
            axes.push_back(static_cast<std::uint32_t>(operand.labels.find(label)));
        }
        return graph::transpose(emitter_, operand.value, axes);
    }

    static std::uint32_t extentOf(const Labeled& operand, const std::string& labels) {
        std::uint32_t product = 1;
        for (const char label : labels) {
            product *= operand.value.dims[operand.labels.find(label)];
        }
        return product;
    }

    /// A product of matrices, one per element of what both operands and the rest share.
    Labeled product(const Labeled& first, const Labeled& second, const std::string& later) {
        const Labeled a = reduced(first, later + second.labels),
                      b = reduced(second, later + first.labels);
        const std::string shared = common(a.labels, b.labels);
        const std::string batch = common(shared, later), summed = without(shared, later);
        const std::string rows = without(a.labels, shared), columns = without(b.labels, shared);
        for (const char label : shared) {
            if (a.value.dims[a.labels.find(label)] != b.value.dims[b.labels.find(label)]) {
                context_.refuse(fmt::format("label {} has different extents", label));
            }
        }
        const std::uint32_t batches = extentOf(a, batch), inner = extentOf(a, summed);
        const Value left = graph::reshape(emitter_, ordered(a, batch + rows + summed),
                                          {batches, extentOf(a, rows), inner});
        const Value right = graph::reshape(emitter_, ordered(b, batch + summed + columns),
                                           {batches, inner, extentOf(b, columns)});
        Labeled result{graph::batchMatmul(emitter_, left, right, false, false, graph::kReal),
                       batch + rows + columns};
        Dims dims;
        for (const char label : result.labels) {
            const Labeled& from = a.labels.find(label) != std::string::npos ? a : b;
            dims.push_back(from.value.dims[from.labels.find(label)]);
        }
        result.value = graph::reshape(emitter_, result.value, dims);
        return result;
    }

    Context& context_;
    graph::Emitter& emitter_;
    std::string output_;
    std::size_t ellipsis_ = 0;
};

void importEinsum(Context& context) {
    context.outNumber(0, Einsum(context).run(), context.type(0));
}

constexpr Operator kProduct[] = {
        {"Einsum", 12, Status::kComposed, "REDUCE_SUM, TRANSPOSE, BATCH_MATMUL", importEinsum},
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
