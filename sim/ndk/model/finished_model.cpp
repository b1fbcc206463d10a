// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/model/finished_model.h"

#include <map>
#include <utility>

namespace vnpu::sim::ndk {

using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;

namespace {

/// Graph by graph, so that deep nesting needs no deep stack.
class Join {
  public:
    FinishedModel run(const ModelGraph& graph) {
        model_.hal.main = place(graph);
        std::vector<nn::V1_3::Subgraph> referenced;
        // Placing a graph finds those below it.
        for (std::size_t next = 0; next < found_.size(); ++next) {
            referenced.push_back(place(*found_[next]));
        }
        model_.hal.referenced = referenced;
        model_.hal.operandValues = values_;
        std::vector<android::hardware::hidl_memory> pools;
        for (const SharedMemory& pool : model_.pools) {
            pools.push_back(pool->borrow());
        }
        // A copy of the handles would duplicate their descriptors.
        model_.hal.pools.resize(pools.size());
        std::move(pools.begin(), pools.end(), model_.hal.pools.begin());
        return std::move(model_);
    }

  private:
    nn::V1_3::Subgraph place(const ModelGraph& graph) {
        const auto firstValue = static_cast<std::uint32_t>(values_.size());
        const auto firstPool = static_cast<std::uint32_t>(model_.pools.size());
        values_.insert(values_.end(), graph.values.begin(), graph.values.end());
        model_.pools.insert(model_.pools.end(), graph.pools.begin(), graph.pools.end());
        nn::V1_3::Subgraph placed = graph.subgraph;
        for (Operand& operand : placed.operands) {
            if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
                operand.location.offset += firstValue;
            } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
                operand.location.poolIndex += firstPool;
            } else if (operand.lifetime == OperandLifeTime::SUBGRAPH) {
                operand.location.offset = indexOf(*graph.children[operand.location.offset]);
            }
        }
        return placed;
    }

    std::uint32_t indexOf(const ModelGraph& graph) {
        const auto [entry, isNew] =
                indexes_.try_emplace(&graph, static_cast<std::uint32_t>(found_.size()));
        if (isNew) {
            found_.push_back(&graph);
        }
        return entry->second;
    }

    FinishedModel model_;
    std::vector<std::uint8_t> values_;
    std::vector<const ModelGraph*> found_;
    std::map<const ModelGraph*, std::uint32_t> indexes_;  // looked up only
};

}  // namespace

FinishedModel joinGraphs(const ModelGraph& graph) {
    return Join().run(graph);
}

}  // namespace vnpu::sim::ndk
