// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/operator_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace vnpu::sim::onnx {

namespace {

constexpr std::array kFamilies = {activationOperators,
                                  binaryOperators,
                                  controlOperators,
                                  convolutionOperators,
                                  einsumOperators,
                                  indexingOperators,
                                  joiningOperators,
                                  lossOperators,
                                  normalizationOperators,
                                  paddingOperators,
                                  poolingOperators,
                                  productOperators,
                                  quantizationOperators,
                                  recurrentOperators,
                                  reductionOperators,
                                  refusedOperators,
                                  reshapeOperators,
                                  resizeOperators,
                                  scatterOperators,
                                  sequenceOperators,
                                  shapeOperators,
                                  sliceOperators,
                                  transposedConvolutionOperators,
                                  unaryOperators};

}  // namespace

const std::vector<Operator>& allOperators() {
    static const std::vector<Operator> kAll = [] {
        std::vector<Operator> all;
        for (const auto family : kFamilies) {
            const std::span<const Operator> operators = family();
            all.insert(all.end(), operators.begin(), operators.end());
        }
        std::sort(all.begin(), all.end(), [](const Operator& a, const Operator& b) {
            const int domains = std::strcmp(a.domain, b.domain);
            return domains != 0 ? domains < 0 : std::strcmp(a.name, b.name) < 0;
        });
        return all;
    }();
    return kAll;
}

void runOperator(Context& context) {
    const Node& node = context.node();
    for (const Operator& entry : allOperators()) {
        if (node.type == entry.name && node.domain == entry.domain) {
            if (entry.run == nullptr) {
                throw Refusal(entry.how);
            }
            entry.run(context);
            return;
        }
    }
    throw Refusal(
            node.domain.empty()
                    ? "not an operator of ONNX's versions 1 to 17"
                    : fmt::format(
                              "an operator of {}, expected ONNX's own or a function of the file",
                              node.domain));
}

}  // namespace vnpu::sim::onnx
