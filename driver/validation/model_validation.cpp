// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/model_validation.h"

#include <algorithm>
#include <set>
#include <string>

#include "driver/validation/broken_rule.h"
#include "driver/validation/graph_rules.h"
#include "driver/validation/operand_rules.h"
#include "driver/validation/operand_types.h"
#include "driver/validation/operation_rules.h"
#include "driver/validation/pool_names.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::Model;
using android::hardware::neuralnetworks::V1_3::Operand;
using android::hardware::neuralnetworks::V1_3::Subgraph;

namespace {

/// Before 1.2, a tensor's rank is known, if not its dimensions.
Result<void> checkRankIsKnown(const Operand& operand, HalVersion version) {
    const auto facts = factsOf(operand.type);
    if (version < HalVersion::k12 && facts && !facts->isScalar && operand.dimensions.size() == 0) {
        return broken("{} has no rank, which needs HAL 1.2", toString(operand.type));
    }
    return {};
}

Result<void> checkStructure(const Subgraph& subgraph, const Model& model, HalVersion version) {
    for (std::size_t i = 0; i < subgraph.operands.size(); ++i) {
        VNPU_TRY(within(checkOperand(subgraph.operands[i], model), "operand {}", i));
        VNPU_TRY(within(checkRankIsKnown(subgraph.operands[i], version), "operand {}", i));
    }
    return checkGraph(subgraph);
}

Result<void> checkOperations(const Subgraph& subgraph, const Model& model, HalVersion version) {
    for (std::size_t i = 0; i < subgraph.operations.size(); ++i) {
        const auto& operation = subgraph.operations[i];
        VNPU_TRY(within(checkOperation(operation, subgraph, model, version), "operation {} ({})", i,
                        toString(operation.type)));
    }
    return {};
}

/// Runs a check over all subgraphs, the main one first.
template <typename Check>
Result<void> forEachSubgraph(const Model& model, const Check& check) {
    VNPU_TRY(check(model.main));
    for (std::size_t i = 0; i < model.referenced.size(); ++i) {
        VNPU_TRY(within(check(model.referenced[i]), "referenced subgraph {}", i));
    }
    return {};
}

Result<void> checkExtensions(const Model& model) {
    std::set<std::string> names;
    std::set<std::uint16_t> prefixes;
    for (const auto& extension : model.extensionNameToPrefix) {
        if (extension.prefix == 0 || !prefixes.insert(extension.prefix).second) {
            return broken("extension prefix {} is 0 or occurs twice", extension.prefix);
        }
        if (extension.name.empty() || !names.insert(extension.name).second) {
            return broken("name of the extension with prefix {} is empty or occurs twice",
                          extension.prefix);
        }
    }
    return {};
}

}  // namespace

Result<void> validateModel(const Model& model, HalVersion version) {
    if (model.main.operands.size() == 0 || model.main.operations.size() == 0) {
        return broken("model has {} operands and {} operations, expected one of each at least",
                      model.main.operands.size(), model.main.operations.size());
    }
    for (std::size_t i = 0; i < model.pools.size(); ++i) {
        VNPU_TRY(checkPoolName(model.pools[i], i));
    }
    VNPU_TRY(checkExtensions(model));
    VNPU_TRY(forEachSubgraph(model, [&](const Subgraph& subgraph) {
        return checkStructure(subgraph, model, version);
    }));
    VNPU_TRY(checkSubgraphNesting(model));
    return forEachSubgraph(model, [&](const Subgraph& subgraph) {
        return checkOperations(subgraph, model, version);
    });
}

}  // namespace vnpu::driver
