// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/graph_rules.h"

#include <cstdint>
#include <vector>

#include "driver/validation/broken_rule.h"
#include "driver/validation/operand_types.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Model;
using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::Operation;
using nn::V1_3::Subgraph;
using Indexes = android::hardware::hidl_vec<std::uint32_t>;

namespace {

Result<void> checkBorder(const Subgraph& subgraph, const Indexes& indexes,
                         OperandLifeTime lifetime) {
    std::vector<bool> isListed(subgraph.operands.size(), false);
    for (const std::uint32_t index : indexes) {
        if (index >= subgraph.operands.size()) {
            return broken("list of {}s names operand {} of {}", toString(lifetime), index,
                          subgraph.operands.size());
        }
        if (subgraph.operands[index].lifetime != lifetime) {
            return broken("operand {} is listed as {}, but has lifetime {}", index,
                          toString(lifetime), toString(subgraph.operands[index].lifetime));
        }
        if (isListed[index]) {
            return broken("operand {} is listed twice as {}", index, toString(lifetime));
        }
        isListed[index] = true;
    }
    for (std::size_t i = 0; i < isListed.size(); ++i) {
        if (subgraph.operands[i].lifetime == lifetime && !isListed[i]) {
            return broken("operand {} has lifetime {}, but is not listed", i, toString(lifetime));
        }
    }
    return {};
}

bool isWrittenByOperation(OperandLifeTime lifetime) {
    return lifetime == OperandLifeTime::TEMPORARY_VARIABLE ||
           lifetime == OperandLifeTime::SUBGRAPH_OUTPUT;
}

/// Goes through the operations in order of execution.
class DataFlow {
  public:
    explicit DataFlow(const Subgraph& subgraph)
        : operands_(subgraph.operands),
          isWritten_(operands_.size(), false),
          consumers_(operands_.size(), 0) {}

    Result<void> visit(const Operation& operation) {
        if (operation.inputs.size() == 0 || operation.outputs.size() == 0) {
            return broken("{} inputs and {} outputs, expected one of each at least",
                          operation.inputs.size(), operation.outputs.size());
        }
        for (const std::uint32_t index : operation.inputs) {
            VNPU_TRY(read(index));
        }
        for (const std::uint32_t index : operation.outputs) {
            VNPU_TRY(write(index));
        }
        return {};
    }

    /// After the last operation.
    Result<void> finish() const {
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            if (isWrittenByOperation(operands_[i].lifetime) && !isWritten_[i]) {
                return broken("operand {} is never written", i);
            }
            if (operands_[i].numberOfConsumers != consumers_[i]) {
                return broken("operand {} says that it has {} consumers, but has {}", i,
                              operands_[i].numberOfConsumers, consumers_[i]);
            }
        }
        return {};
    }

  private:
    Result<void> checkIndex(std::uint32_t index) const {
        if (index >= operands_.size()) {
            return broken("names operand {} of {}", index, operands_.size());
        }
        return {};
    }

    Result<void> read(std::uint32_t index) {
        VNPU_TRY(checkIndex(index));
        if (isWrittenByOperation(operands_[index].lifetime) && !isWritten_[index]) {
            return broken("reads operand {} before it is written", index);
        }
        ++consumers_[index];
        return {};
    }

    Result<void> write(std::uint32_t index) {
        VNPU_TRY(checkIndex(index));
        if (!isWrittenByOperation(operands_[index].lifetime)) {
            return broken("writes operand {}, which has lifetime {}", index,
                          toString(operands_[index].lifetime));
        }
        if (isWritten_[index]) {
            return broken("writes operand {}, which was written before", index);
        }
        isWritten_[index] = true;
        return {};
    }

    const android::hardware::hidl_vec<Operand>& operands_;
    std::vector<bool> isWritten_;
    std::vector<std::uint32_t> consumers_;
};

enum class Visit : std::uint8_t { kNew, kOpen, kDone };

/// Depth first over the subgraphs that subgraph `start` uses, with a stack of its own: nesting is
/// the client's choice.
Result<void> checkNestingFrom(const Model& model, std::size_t start, std::vector<Visit>& visits) {
    struct Frame {
        std::size_t subgraph;
        std::size_t nextOperand;
    };
    std::vector<Frame> stack;
    const auto open = [&](std::size_t index) {
        visits[index] = Visit::kOpen;
        stack.push_back({index, 0});
    };
    open(start);
    while (!stack.empty()) {
        Frame& frame = stack.back();
        const auto& operands = model.referenced[frame.subgraph].operands;
        if (frame.nextOperand == operands.size()) {
            visits[frame.subgraph] = Visit::kDone;
            stack.pop_back();
            continue;
        }
        const Operand& operand = operands[frame.nextOperand++];
        if (operand.lifetime != OperandLifeTime::SUBGRAPH) {
            continue;
        }
        const std::size_t inner = operand.location.offset;
        if (visits[inner] == Visit::kOpen) {
            return broken("referenced subgraph {} contains itself", inner);
        }
        if (visits[inner] == Visit::kNew) {
            open(inner);
        }
    }
    return {};
}

}  // namespace

Result<void> checkGraph(const Subgraph& subgraph) {
    VNPU_TRY(checkBorder(subgraph, subgraph.inputIndexes, OperandLifeTime::SUBGRAPH_INPUT));
    VNPU_TRY(checkBorder(subgraph, subgraph.outputIndexes, OperandLifeTime::SUBGRAPH_OUTPUT));
    DataFlow flow(subgraph);
    for (std::size_t i = 0; i < subgraph.operations.size(); ++i) {
        const Operation& operation = subgraph.operations[i];
        VNPU_TRY(within(flow.visit(operation), "operation {} ({})", i, toString(operation.type)));
    }
    return flow.finish();
}

Result<void> checkSubgraphNesting(const Model& model) {
    std::vector<Visit> visits(model.referenced.size(), Visit::kNew);
    for (std::size_t i = 0; i < visits.size(); ++i) {
        if (visits[i] == Visit::kNew) {
            VNPU_TRY(checkNestingFrom(model, i, visits));
        }
    }
    return {};
}

}  // namespace vnpu::driver
