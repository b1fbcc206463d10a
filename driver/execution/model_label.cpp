// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/model_label.h"

#include <fmt/format.h>

#include <cstdint>

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

std::string shapeText(const nn::V1_3::Operand& operand) {
    std::string text;
    for (const std::uint32_t dimension : operand.dimensions) {
        text += text.empty() ? "" : "x";
        text += dimension == 0 ? "?" : fmt::format("{}", dimension);
    }
    return text.empty() ? "?" : text;
}

std::string sideText(const nn::V1_3::Subgraph& graph,
                     const android::hardware::hidl_vec<std::uint32_t>& operands, const char* what) {
    return operands.size() == 1 ? shapeText(graph.operands[operands[0]])
                                : fmt::format("{} {}", operands.size(), what);
}

}  // namespace

std::string modelLabel(const nn::V1_3::Model& model) {
    const nn::V1_3::Subgraph& main = model.main;
    const std::size_t count = main.operations.size();
    return fmt::format("{} to {}, {} operation{}", sideText(main, main.inputIndexes, "inputs"),
                       sideText(main, main.outputIndexes, "outputs"), count, count == 1 ? "" : "s");
}

}  // namespace vnpu::driver
