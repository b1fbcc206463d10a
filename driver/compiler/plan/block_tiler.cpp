// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "driver/compiler/plan/vector_plan.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

constexpr std::uint64_t kTableBytes = 256;

std::uint64_t blockCount(const BlockNode& node, const Shape4& block) {
    std::uint64_t count = 1;
    for (std::size_t d = 0; d < 4; ++d) {
        count *= hw::divideUp(node.dims[d], block[d]);
    }
    return count;
}

/// Rows of a transfer between an operand's place in its tensor and a dense buffer: contiguous runs.
std::uint64_t transferRows(const BlockOperand& operand, const Shape4& block) {
    std::uint64_t run = 1;
    for (std::size_t i = 4; i-- > 0;) {
        const std::size_t d = operand.order[i];
        const std::uint32_t extent = operand.extent(d, block);
        if (extent != 1) {
            if (operand.strides[d] != run) {
                break;
            }
            run *= extent;
        }
    }
    return operandElements(operand, block) / run;
}

/// The transfers of one block.
struct Load {
    double loads = 0, stores = 0;  // cycles
    double busBytes = 0;

    void add(const CostModel& costs, double bytes, bool isStore) {
        (isStore ? stores : loads) += costs.dmaCycles(bytes);
        busBytes += bytes;
    }
};

class BlockTiler {
  public:
    BlockTiler(const BlockNode& node, const Graph& graph, const CostModel& costs,
               const Workspace& workspace, const std::vector<bool>& isResident)
        : node_(node),
          graph_(graph),
          costs_(costs),
          workspace_(workspace),
          isResident_(isResident),
          freeBytes_(workspace.freeBytes()),
          nowhere_(node.operands.size(), 0) {
        trial_.table.slots = node.table == kNoStorage ? 0 : 1;
        trial_.table.slotBytes = kTableBytes;
    }

    /// Shrinks dimensions from the outermost to the innermost, so that a block has complete inner
    /// dimensions as long as that fits.
    std::optional<BlockPlan> run() {
        Shape4 block = node_.dims;
        for (std::size_t d = 0; d < 4; ++d) {
            if (node_.isWhole[d] || node_.dims[d] == 1) {
                continue;
            }
            for (const std::uint32_t extent : dividedExtents(node_.dims[d], 1)) {
                block[d] = extent;
                tryBlock(block);
                if (best_ && movesNothing()) {
                    return best_;  // smaller blocks only take more commands
                }
            }
            if (hasRoom_) {
                return best_;
            }
            block[d] = 1;
        }
        tryBlock(block);
        return best_;
    }

  private:
    bool movesNothing() const {
        return std::all_of(isResident_.begin(), isResident_.end(),
                           [](bool resident) { return resident; });
    }

    std::uint64_t elementBytes(const BlockOperand& operand) const {
        return graph_.tensors[operand.tensor].elementBytes();
    }

    void tryBlock(const Shape4& block) {
        const std::uint64_t blocks = blockCount(node_, block);
        trial_.block = block;
        trial_.operands.resize(node_.operands.size());
        for (std::size_t k = 0; k < node_.operands.size(); ++k) {
            SlotSet& set = trial_.operands[k];
            set.slotBytes =
                    operandElements(node_.operands[k], block) * elementBytes(node_.operands[k]);
            set.slots = isResident_[k]
                                ? 0
                                : static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, 2));
        }
        if (leastBytes() > freeBytes_) {
            return;
        }
        Load load;
        for (std::size_t k = 0; k < node_.operands.size(); ++k) {
            const std::uint64_t rows = transferRows(node_.operands[k], block);
            if (!isResident_[k]) {
                load.add(costs_, CostModel::busBytes(rows, trial_.operands[k].slotBytes / rows),
                         node_.isOutput(k));
            } else if (rows != 1) {  // commands take a resident tensor's block as one run
                return;
            }
        }
        const double compute =
                std::visit([this](const auto& work) { return costs_.vectorCycles(work); },
                           fillBlock(node_, block, nowhere_, 0));
        trial_.commands = blocks * (node_.operands.size() + 1) + 1;
        for (const bool isDoubled : {true, false}) {
            if (!isDoubled) {
                for (SlotSet& set : trial_.operands) {
                    set.slots = std::min(set.slots, 1U);
                }
            }
            const double dispatch =
                    static_cast<double>(node_.operands.size() + 1) * CostModel::kDispatchCycles;
            const double together = std::max(
                    {compute, load.loads, load.stores, costs_.dramCycles(load.busBytes), dispatch});
            const double each =
                    isDoubled && blocks > 1 ? together : compute + load.loads + load.stores;
            isDoubled_ = isDoubled || blocks == 1;
            trial_.cycles = each * static_cast<double>(blocks) +
                            CostModel::kExposedShare * (load.loads + load.stores) +
                            static_cast<double>(trial_.commands) * CostModel::kCommandPenaltyCycles;
            consider();
        }
    }

    /// Of the trial with one buffer for each operand.
    std::uint64_t leastBytes() const {
        std::uint64_t bytes = trial_.table.totalBytes();
        for (const SlotSet& set : trial_.operands) {
            bytes += std::min(set.slots, 1U) * set.slotBytes;
        }
        return bytes;
    }

    void consider() {
        if (best_ && trial_.cycles >= best_->cycles) {
            return;
        }
        sets_ = {&trial_.table};
        for (SlotSet& set : trial_.operands) {
            sets_.push_back(&set);
        }
        if (workspace_.place(sets_)) {
            best_ = trial_;
            hasRoom_ = hasRoom_ || isDoubled_;
        }
    }

    const BlockNode& node_;
    const Graph& graph_;
    const CostModel& costs_;
    const Workspace& workspace_;
    const std::vector<bool>& isResident_;
    const std::uint64_t freeBytes_;
    const std::vector<std::uint32_t> nowhere_;  // an address for each operand
    BlockPlan trial_;
    std::vector<SlotSet*> sets_;  // of the trial
    std::optional<BlockPlan> best_;
    bool isDoubled_ = false;  // the plan being tried has all the buffers that help
    bool hasRoom_ = false;    // for such a plan
};

void fill(hw::VecEltwise& work, const BlockNode& node, const Shape4& block,
          const std::vector<std::uint32_t>& addresses) {
    for (std::size_t i = 0; i < 2; ++i) {
        work.inputSram[i] = addresses[i];
        std::uint32_t stride = 1;
        for (std::size_t d = 4; d-- > 0;) {
            const bool depends = node.operands[i].strides[d] != 0;
            work.strides[i][d] = depends ? stride : 0;
            stride *= depends ? block[d] : 1;
        }
    }
    work.outputSram = addresses[2];
    std::copy(block.begin(), block.end(), work.dims);
}

void fill(hw::VecUnary& work, const Shape4& block, const std::vector<std::uint32_t>& addresses,
          std::uint32_t table) {
    work.inputSram = addresses[0];
    work.outputSram = addresses[1];
    work.tableSram = work.kind == hw::UnaryKind::kLut ? table : 0;
    work.count = static_cast<std::uint32_t>(elementCount(block));
}

void fill(hw::VecOperator& work, const BlockNode& node, const Shape4& block,
          const std::vector<std::uint32_t>& addresses) {
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const BlockOperand& operand = node.operands[k];
        hw::VecOperand& tile = work.operands[operand.slot];
        tile.sram = addresses[k];
        tile.rank = 0;
        for (const std::uint8_t d : operand.order) {
            if ((operand.droppedDimensions >> d & 1U) == 0) {
                tile.words[tile.rank++] = operand.extent(d, block);
            }
        }
    }
}

}  // namespace

std::uint64_t operandElements(const BlockOperand& operand, const Shape4& block) {
    std::uint64_t elements = 1;
    for (std::size_t d = 0; d < 4; ++d) {
        elements *= operand.extent(d, block);
    }
    return elements;
}

VectorPayload fillBlock(const BlockNode& node, const Shape4& block,
                        const std::vector<std::uint32_t>& addresses, std::uint32_t table) {
    VectorPayload payload = node.prototype;
    if (auto* eltwise = std::get_if<hw::VecEltwise>(&payload)) {
        fill(*eltwise, node, block, addresses);
    } else if (auto* unary = std::get_if<hw::VecUnary>(&payload)) {
        fill(*unary, block, addresses, table);
    } else if (auto* softmax = std::get_if<hw::VecSoftmax>(&payload)) {
        softmax->inputSram = addresses[0];
        softmax->outputSram = addresses[1];
        softmax->outer = block[1];
        softmax->axis = block[2];
        softmax->inner = block[3];
    } else if (auto* reduce = std::get_if<hw::VecReduce>(&payload)) {
        reduce->inputSram = addresses[0];
        reduce->outputSram = addresses[1];
        std::copy(block.begin(), block.end(), reduce->dims);
    } else if (auto* whole = std::get_if<hw::VecOperator>(&payload)) {
        fill(*whole, node, block, addresses);
    }
    return payload;
}

std::optional<BlockPlan> planBlocks(const BlockNode& node, const Graph& graph,
                                    const CostModel& costs, const Workspace& workspace,
                                    const std::vector<bool>& isResident) {
    return BlockTiler(node, graph, costs, workspace, isResident).run();
}

}  // namespace vnpu::driver
