// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operation_rules.h"

#include <algorithm>
#include <string>

#include "driver/validation/broken_rule.h"
#include "driver/validation/operand_types.h"
#include "driver/validation/operation_table.h"
#include "driver/validation/signature_matcher.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Model;
using nn::V1_3::Operand;
using nn::V1_3::Operation;
using nn::V1_3::OperationType;
using nn::V1_3::Subgraph;

namespace {

std::string listTypes(const std::vector<const Operand*>& operands) {
    std::string text;
    for (const Operand* operand : operands) {
        text += (text.empty() ? "" : ", ") + toString(operand->type);
    }
    return text;
}

OperationView viewOf(const Operation& operation, const Subgraph& subgraph, const Model& model,
                     HalVersion version) {
    OperationView view;
    view.model = &model;
    view.version = version;
    for (const std::uint32_t index : operation.inputs) {
        view.inputs.push_back(&subgraph.operands[index]);
    }
    for (const std::uint32_t index : operation.outputs) {
        view.outputs.push_back(&subgraph.operands[index]);
    }
    return view;
}

Result<void> checkSignature(const OperationSignature& signature, const OperationView& view) {
    if (const auto misfit = findMisfit(signature, view)) {
        return broken("({}) -> ({}) fits none of its signatures: {}", listTypes(view.inputs),
                      listTypes(view.outputs), *misfit);
    }
    for (const OperandRelation relation : signature.relations) {
        VNPU_TRY(relation(view));
    }
    return {};
}

}  // namespace

Result<void> checkOperation(const Operation& operation, const Subgraph& subgraph,
                            const Model& model, HalVersion version) {
    if (isExtension(operation.type)) {
        const std::uint16_t prefix = extensionPrefix(operation.type);
        return hasExtension(model, prefix) ? Result<void>{}
                                           : broken("prefix {} is no extension's", prefix);
    }
    if (operation.type == OperationType::OEM_OPERATION) {
        return {};  // takes any operands, as in Android's validator
    }
    const OperationSignature* signature = findSignature(operation.type);
    if (signature == nullptr) {
        return broken("type is {}, which HAL 1.3 does not have",
                      static_cast<std::int32_t>(operation.type));
    }
    return checkSignature(*signature, viewOf(operation, subgraph, model, version));
}

}  // namespace vnpu::driver
