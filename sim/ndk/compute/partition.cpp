// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/partition.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace vnpu::sim::ndk {

using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::Operation;

namespace {

constexpr std::size_t kNone = SIZE_MAX;

bool isProduced(const Operand& operand) {
    return operand.lifetime == OperandLifeTime::TEMPORARY_VARIABLE ||
           operand.lifetime == OperandLifeTime::SUBGRAPH_OUTPUT;
}

/// The part of each operation. Operations are in an order of execution, so one pass per part finds
/// everything that can follow on its device.
std::vector<std::size_t> partOfEach(const nn::V1_3::Subgraph& graph,
                                    const std::vector<std::size_t>& deviceOf) {
    std::vector<std::size_t> partOf(graph.operations.size(), kNone);
    std::vector<bool> isThere(graph.operands.size());
    for (std::size_t i = 0; i < isThere.size(); ++i) {
        isThere[i] = !isProduced(graph.operands[i]);
    }
    const auto isReady = [&](const Operation& operation) {
        return std::all_of(operation.inputs.begin(), operation.inputs.end(),
                           [&](std::uint32_t input) { return isThere[input]; });
    };
    for (std::size_t part = 0, placed = 0; placed < partOf.size(); ++part) {
        std::optional<std::size_t> device;
        for (std::size_t i = 0; i < partOf.size(); ++i) {
            if (partOf[i] != kNone || (device && deviceOf[i] != *device) ||
                !isReady(graph.operations[i])) {
                continue;
            }
            device = deviceOf[i];
            partOf[i] = part;
            ++placed;
            for (const std::uint32_t output : graph.operations[i].outputs) {
                isThere[output] = true;
            }
        }
    }
    return partOf;
}

/// Takes the operations of one part out of a model.
class Extraction {
  public:
    Extraction(const FinishedModel& whole, const std::vector<std::size_t>& partOf, std::size_t part)
        : whole_(whole), partOf_(partOf), part_(part) {
        const auto& operations = whole_.hal.main.operations;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            for (const std::uint32_t output : operations[i].outputs) {
                (partOf_[i] == part_ ? writtenHere_ : writtenElsewhere_).insert(output);
            }
            for (const std::uint32_t input : operations[i].inputs) {
                if (partOf_[i] != part_) {
                    readElsewhere_.insert(input);
                }
            }
        }
    }

    ModelPart run(std::size_t device) {
        auto model = std::make_shared<FinishedModel>();
        std::vector<Operation> operations;
        const auto& all = whole_.hal.main.operations;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (partOf_[i] == part_) {
                model->addedAs.push_back(whole_.addedAs[i]);
                operations.push_back(renumber(all[i]));
            }
        }
        model->hal.main.operations = operations;
        model->hal.main.operands = operands_;
        model->hal.main.inputIndexes = inputIndexes_;
        model->hal.main.outputIndexes = outputIndexes_;
        model->hal.referenced = whole_.hal.referenced;
        model->hal.operandValues = whole_.hal.operandValues;
        model->hal.relaxComputationFloat32toFloat16 = whole_.hal.relaxComputationFloat32toFloat16;
        model->hal.extensionNameToPrefix = whole_.hal.extensionNameToPrefix;
        model->pools = whole_.pools;
        model->hal.pools.resize(model->pools.size());
        for (std::size_t i = 0; i < model->pools.size(); ++i) {
            model->hal.pools[i] = model->pools[i]->borrow();
        }
        return {device, std::move(model), std::move(inputs_), std::move(outputs_)};
    }

  private:
    Operation renumber(Operation operation) {
        for (std::uint32_t& input : operation.inputs) {
            input = numberOf(input);
            ++operands_[input].numberOfConsumers;
        }
        for (std::uint32_t& output : operation.outputs) {
            output = numberOf(output);
        }
        return operation;
    }

    std::uint32_t numberOf(std::uint32_t operand) {
        const auto number = static_cast<std::uint32_t>(operands_.size());
        const auto [entry, isNew] = numbers_.try_emplace(operand, number);
        if (isNew) {
            add(operand, number);
        }
        return entry->second;
    }

    void add(std::uint32_t operand, std::uint32_t number) {
        Operand added = whole_.hal.main.operands[operand];
        added.numberOfConsumers = 0;
        const bool isOutput = added.lifetime == OperandLifeTime::SUBGRAPH_OUTPUT;
        if (added.lifetime == OperandLifeTime::SUBGRAPH_INPUT ||
            writtenElsewhere_.contains(operand)) {
            added.lifetime = OperandLifeTime::SUBGRAPH_INPUT;
            inputIndexes_.push_back(number);
            inputs_.push_back(operand);
        } else if (writtenHere_.contains(operand) &&
                   (isOutput || readElsewhere_.contains(operand))) {
            added.lifetime = OperandLifeTime::SUBGRAPH_OUTPUT;
            outputIndexes_.push_back(number);
            outputs_.push_back(operand);
        }
        operands_.push_back(std::move(added));
    }

    const FinishedModel& whole_;
    const std::vector<std::size_t>& partOf_;
    const std::size_t part_;
    std::set<std::uint32_t> writtenHere_;
    std::set<std::uint32_t> writtenElsewhere_;
    std::set<std::uint32_t> readElsewhere_;
    std::map<std::uint32_t, std::uint32_t> numbers_;
    std::vector<Operand> operands_;
    std::vector<std::uint32_t> inputIndexes_;
    std::vector<std::uint32_t> outputIndexes_;
    std::vector<std::uint32_t> inputs_;
    std::vector<std::uint32_t> outputs_;
};

}  // namespace

std::vector<ModelPart> partition(const std::shared_ptr<const FinishedModel>& model,
                                 const std::vector<std::size_t>& deviceOf) {
    const nn::V1_3::Subgraph& graph = model->hal.main;
    if (std::adjacent_find(deviceOf.begin(), deviceOf.end(), std::not_equal_to<>()) ==
        deviceOf.end()) {
        return {{deviceOf.empty() ? 0 : deviceOf.front(), model, graph.inputIndexes,
                 graph.outputIndexes}};
    }
    const std::vector<std::size_t> partOf = partOfEach(graph, deviceOf);
    std::vector<ModelPart> parts;
    for (std::size_t part = 0; part <= *std::max_element(partOf.begin(), partOf.end()); ++part) {
        const auto first = static_cast<std::size_t>(std::find(partOf.begin(), partOf.end(), part) -
                                                    partOf.begin());
        parts.push_back(Extraction(*model, partOf, part).run(deviceOf[first]));
    }
    return parts;
}

}  // namespace vnpu::sim::ndk
