// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/model_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "driver/validation/graph_rules.h"
#include "driver/validation/operand_rules.h"
#include "driver/validation/operand_types.h"
#include "driver/validation/operation_rules.h"
#include "driver/validation/pool_names.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::Model;
using android::hardware::neuralnetworks::V1_3::Subgraph;

namespace {

Result<void> checkSubgraph(const Subgraph& subgraph, const Model& model) {
    for (std::size_t i = 0; i < subgraph.operands.size(); ++i) {
        if (auto checked = checkOperand(subgraph.operands[i], model); !checked) {
            return invalidArgument(fmt::format("operand {}: {}", i, checked.error().reason));
        }
    }
    VNPU_TRY(checkGraph(subgraph));
    for (std::size_t i = 0; i < subgraph.operations.size(); ++i) {
        if (auto checked = checkOperation(subgraph.operations[i], subgraph, model); !checked) {
            return invalidArgument(fmt::format("operation {} ({}): {}", i,
                                               nameOf(subgraph.operations[i].type),
                                               checked.error().reason));
        }
    }
    return {};
}

Result<void> checkExtensions(const Model& model) {
    std::set<std::string> names;
    std::set<std::uint16_t> prefixes;
    for (const auto& extension : model.extensionNameToPrefix) {
        if (extension.prefix == 0 || !prefixes.insert(extension.prefix).second) {
            return invalidArgument(
                    fmt::format("extension prefix {} is 0 or occurs twice", extension.prefix));
        }
        if (extension.name.empty() || !names.insert(extension.name).second) {
            return invalidArgument(
                    fmt::format("name of the extension with prefix {} is empty or occurs twice",
                                extension.prefix));
        }
    }
    return {};
}

}  // namespace

Result<void> validateModel(const Model& model) {
    if (model.main.operands.size() == 0 || model.main.operations.size() == 0) {
        return invalidArgument(fmt::format(
                "model has {} operands and {} operations, expected one of each at least",
                model.main.operands.size(), model.main.operations.size()));
    }
    for (std::size_t i = 0; i < model.pools.size(); ++i) {
        VNPU_TRY(checkPoolName(model.pools[i], i));
    }
    VNPU_TRY(checkExtensions(model));
    VNPU_TRY(checkSubgraph(model.main, model));
    for (std::size_t i = 0; i < model.referenced.size(); ++i) {
        if (auto checked = checkSubgraph(model.referenced[i], model); !checked) {
            return invalidArgument(
                    fmt::format("referenced subgraph {}: {}", i, checked.error().reason));
        }
    }
    return checkSubgraphNesting(model);
}

}  // namespace vnpu::driver
