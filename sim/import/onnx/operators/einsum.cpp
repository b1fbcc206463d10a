// SPDX-License-Identifier: Apache-2.0
// Einsum: letters name dimensions; the result has the sums over all that it does not name.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "sim/import/graph/gathering.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

namespace {

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

constexpr Operator kEinsum[] = {
        {"Einsum", 12, Status::kComposed, "REDUCE_SUM, TRANSPOSE, BATCH_MATMUL", importEinsum},
};

}  // namespace

std::span<const Operator> einsumOperators() {
    return kEinsum;
}

}  // namespace vnpu::sim::onnx
