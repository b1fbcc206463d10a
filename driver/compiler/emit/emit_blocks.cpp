// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <variant>

#include "driver/compiler/emit/emission.h"
#include "driver/compiler/emit/transfer.h"

namespace vnpu::driver {
namespace {

/// Element offset of a block's first element in an operand's tensor.
std::uint64_t blockOffset(const BlockOperand& operand, const Shape4& origin) {
    std::uint64_t offset = operand.offset;
    for (std::size_t d = 0; d < 4; ++d) {
        offset += origin[d] * operand.strides[d];
    }
    return offset;
}

/// The copy between the tensor and a dense buffer. Dimensions that the operand does not depend on
/// count once.
CopyAxes blockAxes(const BlockOperand& operand, const Shape4& block, std::uint64_t element,
                   bool isStore) {
    CopyAxes axes(4);
    std::uint64_t packed = element;
    for (std::size_t i = 4; i-- > 0;) {
        const std::size_t d = operand.order[i];
        const std::uint32_t extent = operand.extent(d, block);
        if (operand.strides[d] == 0) {
            continue;
        }
        axes[i] = {extent, operand.strides[d] * element, packed};
        packed *= extent;
        if (isStore) {
            std::swap(axes[i].inputStride, axes[i].outputStride);
        }
    }
    return axes;
}

class BlockEmitter {
  public:
    BlockEmitter(EmissionContext& context, const BlockNode& node, const BlockPlan& plan)
        : context_(context), node_(node), plan_(plan) {
        for (const SlotSet& set : plan.operands) {
            caches_.emplace_back(set);
        }
    }

    void run() {
        std::uint32_t table = 0;
        if (node_.table != kNoStorage) {
            table = plan_.table.addresses.front();
            addTransfer(context_.list, hw::Engine::kDma1, context_.places.memory[node_.table],
                        sramRef(table), context_.graph.storages[node_.table].sizeBytes);
        }
        Shape4 origin{};
        while (true) {
            Shape4 block{};
            for (std::size_t d = 0; d < 4; ++d) {
                block[d] = std::min(plan_.block[d], node_.dims[d] - origin[d]);
            }
            runBlock(origin, block, table);
            std::size_t d = 4;
            while (d > 0 && (origin[d - 1] += plan_.block[d - 1]) >= node_.dims[d - 1]) {
                origin[--d] = 0;
            }
            if (d == 0) {
                return;
            }
        }
    }

  private:
    void runBlock(const Shape4& origin, const Shape4& block, std::uint32_t table) {
        std::vector<std::uint32_t> addresses;
        for (std::size_t k = 0; k < node_.operands.size(); ++k) {
            const BlockOperand& operand = node_.operands[k];
            const std::uint64_t element = elementOf(operand);
            const std::uint64_t offset = blockOffset(operand, origin);
            if (const auto resident = context_.sramOf(operand.tensor)) {
                addresses.push_back(static_cast<std::uint32_t>(*resident + offset * element));
                continue;
            }
            const SlotCache::Slot slot = caches_[k].find(offset);
            addresses.push_back(slot.address);
            if (!node_.isOutput(k) && slot.isFresh) {
                addTransfers(context_.list, hw::Engine::kDma0,
                             context_.home(operand.tensor) + offset * element,
                             sramRef(slot.address), blockAxes(operand, block, element, false),
                             static_cast<std::uint32_t>(element));
            }
        }
        std::visit([this](const auto& work) { context_.list.add(hw::Engine::kVector, work); },
                   fillBlock(node_, block, addresses, table));
        for (std::size_t k = node_.operands.size() - node_.outputCount; k < addresses.size(); ++k) {
            const BlockOperand& written = node_.operands[k];
            if (context_.sramOf(written.tensor)) {
                continue;
            }
            const std::uint64_t element = elementOf(written);
            addTransfers(context_.list, hw::Engine::kDma2, sramRef(addresses[k]),
                         context_.home(written.tensor) + blockOffset(written, origin) * element,
                         blockAxes(written, block, element, true),
                         static_cast<std::uint32_t>(element));
        }
        context_.list.nextTile();
    }

    std::uint64_t elementOf(const BlockOperand& operand) const {
        return context_.graph.tensors[operand.tensor].elementBytes();
    }

    EmissionContext& context_;
    const BlockNode& node_;
    const BlockPlan& plan_;
    std::vector<SlotCache> caches_;
};

}  // namespace

void emit(EmissionContext& context, const BlockNode& node, const NodePlan& plan) {
    BlockEmitter(context, node, planAs<BlockPlan>(plan)).run();
}

void emit(EmissionContext& context, const CopyNode& node, const NodePlan& /*plan*/) {
    const Tensor& input = context.graph.tensors[node.input];
    const Storage& output = context.graph.storageOf(node.output);
    hw::Engine engine = hw::Engine::kDma3;
    if (output.kind == StorageKind::kSramCopy) {
        if (!context.places.sram[context.graph.tensors[node.output].storage]) {
            return;
        }
        if (!context.sramOf(node.input)) {  // a load like others
            engine = context.graph.isConstant(node.input) ? hw::Engine::kDma1 : hw::Engine::kDma0;
        }
        const std::uint64_t elements = elementsOf(node.axes);
        const FilterTile whole{node.inputOffset, 1, elements, elements};
        if (context.coded.find(context.graph, node.input, whole)) {
            context.loadConstant(node.input, whole,
                                 context.home(node.output).offset + node.outputOffset);
            return;
        }
    }
    const std::uint64_t element = input.elementBytes();
    CopyAxes axes = node.axes;
    for (CopyAxis& axis : axes) {
        axis.inputStride *= element;
        axis.outputStride *= element;
    }
    addTransfers(context.list, engine, context.home(node.input) + node.inputOffset * element,
                 context.home(node.output) + node.outputOffset * element, std::move(axes),
                 static_cast<std::uint32_t>(element), context.longestRow(node.input));
}

void emit(EmissionContext& context, const FillNode& node, const NodePlan& /*plan*/) {
    const Tensor& tensor = context.graph.tensors[node.output];
    const std::uint32_t element = tensor.elementBytes();
    const std::uint32_t low = node.pattern & 0xFF;
    const std::uint32_t high = node.pattern >> 8 & 0xFF;
    const auto add = [&](std::uint64_t offset, std::uint64_t sizeBytes, std::uint32_t patternBytes,
                         std::uint32_t pattern) {
        hw::DmaFill fill{};
        fill.destination = context.home(node.output) + offset;
        fill.rowBytes = static_cast<std::uint32_t>(sizeBytes);
        std::fill(std::begin(fill.counts), std::end(fill.counts), 1U);
        fill.patternBytes = patternBytes;
        fill.pattern = pattern;
        context.list.add(hw::Engine::kDma3, fill);
    };
    if (element != 2) {
        return add(0, tensor.sizeBytes(), element, element == 1 ? low : node.pattern);
    }
    if (low == high) {
        return add(0, tensor.sizeBytes(), 1, low);
    }
    // The engine knows patterns of one and of four bytes: pairs of elements, then the bytes of an
    // odd one.
    const std::uint64_t pairBytes = tensor.sizeBytes() / 4 * 4;
    if (pairBytes != 0) {
        add(0, pairBytes, 4, high << 24 | low << 16 | high << 8 | low);
    }
    if (pairBytes != tensor.sizeBytes()) {
        add(pairBytes, 1, 1, low);
        add(pairBytes + 1, 1, 1, high);
    }
}

}  // namespace vnpu::driver
