// SPDX-License-Identifier: Apache-2.0
// The end of a model's building: its operations in order, its values in place, its validation.
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "driver/validation/model_validation.h"
#include "hw_model/regs/rounding.h"
#include "sim/ndk/model/model.h"
#include "sim/ndk/model/operation_order.h"

namespace vnpu::sim::ndk {

using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;

namespace {

constexpr std::uint64_t kValueAlignment = 64;  // chosen: a cache line, for in-place constants

/// NNAPI's constants in operandValues are aligned to their elements, at most 4 bytes.
void alignTo4(std::vector<std::uint8_t>& values) {
    values.resize(hw::roundUp(values.size(), std::size_t{4}));
}

}  // namespace

Result<void> Model::placeInPlaceValues(ModelGraph& graph, std::vector<Operand>& operands) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!values_[i].inPlace.empty()) {
            bytes = hw::roundUp(bytes, kValueAlignment);
            if (bytes > std::numeric_limits<std::uint32_t>::max()) {
                return badData("constants of the model take 4 GiB or more");
            }
            operands[i].location = {static_cast<std::uint32_t>(graph.pools.size()),
                                    static_cast<std::uint32_t>(bytes),
                                    static_cast<std::uint32_t>(values_[i].inPlace.size())};
            bytes += values_[i].inPlace.size();
        }
    }
    if (bytes == 0) {
        return {};
    }
    VNPU_TRY_ASSIGN(SharedMemory pool, Memory::ofHost(bytes));
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!values_[i].inPlace.empty()) {
            std::memcpy(pool->bytes() + operands[i].location.offset, values_[i].inPlace.data(),
                        values_[i].inPlace.size());
        }
    }
    graph.pools.push_back(std::move(pool));
    return {};
}

Result<void> Model::placeValues(ModelGraph& graph, std::vector<Operand>& operands) const {
    std::map<std::uint64_t, std::uint32_t> poolOf;
    std::map<const ModelGraph*, std::uint32_t> childOf;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Value& value = values_[i];
        nn::V1_0::DataLocation& location = operands[i].location;
        if (operands[i].lifetime == OperandLifeTime::CONSTANT_COPY) {
            alignTo4(graph.values);
            location = {0, static_cast<std::uint32_t>(graph.values.size()),
                        static_cast<std::uint32_t>(value.copy.size())};
            graph.values.insert(graph.values.end(), value.copy.begin(), value.copy.end());
        } else if (value.memory != nullptr) {
            const auto [entry, isNew] = poolOf.try_emplace(
                    value.memory->id(), static_cast<std::uint32_t>(graph.pools.size()));
            if (isNew) {
                graph.pools.push_back(value.memory);
            }
            location.poolIndex = entry->second;
            location.offset = static_cast<std::uint32_t>(value.memoryOffset);
        } else if (value.graph != nullptr) {
            const auto [entry, isNew] = childOf.try_emplace(
                    value.graph.get(), static_cast<std::uint32_t>(graph.children.size()));
            if (isNew) {
                graph.children.push_back(value.graph);
                graph.depth = std::max(graph.depth, value.graph->depth + 1);
            }
            location.offset = entry->second;
        }
    }
    alignTo4(graph.values);
    return {};
}

Result<std::vector<std::uint32_t>> Model::runOrder() const {
    std::vector<bool> isGiven(operands_.size());
    for (std::size_t i = 0; i < operands_.size(); ++i) {
        isGiven[i] = operands_[i].lifetime != OperandLifeTime::TEMPORARY_VARIABLE &&
                     operands_[i].lifetime != OperandLifeTime::SUBGRAPH_OUTPUT;
    }
    return orderOperations(operations_, isGiven);
}

Result<void> Model::build() {
    if (outputs_.empty()) {
        return badData("model has no outputs: identifyInputsAndOutputs was not called");
    }
    VNPU_TRY_ASSIGN(std::vector<std::uint32_t> order, runOrder());
    const auto graph = std::make_shared<ModelGraph>();
    std::vector<Operand> operands = operands_;
    VNPU_TRY(placeValues(*graph, operands));
    VNPU_TRY(placeInPlaceValues(*graph, operands));
    graph->subgraph.operations.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        graph->subgraph.operations[i] = operations_[order[i]];
        for (const std::uint32_t input : operations_[order[i]].inputs) {
            ++operands[input].numberOfConsumers;
        }
    }
    graph->subgraph.operands = operands;
    graph->subgraph.inputIndexes = inputs_;
    graph->subgraph.outputIndexes = outputs_;
    auto model = std::make_shared<FinishedModel>(joinGraphs(*graph));
    model->hal.relaxComputationFloat32toFloat16 = isRelaxed_;
    model->hal.extensionNameToPrefix = extensionsOnly().extensionNameToPrefix;
    model->addedAs = std::move(order);
    VNPU_TRY(asBadData(driver::validateModel(model->hal), "model"));
    graph_ = graph;
    finished_ = std::move(model);
    return {};
}

Result<void> Model::finish() {
    VNPU_TRY(checkIsOpen());
    auto built = build();
    state_ = built ? State::kFinished : State::kInvalid;
    return built;
}

}  // namespace vnpu::sim::ndk
