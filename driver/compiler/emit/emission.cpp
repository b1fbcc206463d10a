// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/emit/emission.h"

#include <algorithm>
#include <iterator>

#include "driver/compiler/emit/transfer.h"
#include "hw_model/regs/check.h"

namespace vnpu::driver {

std::optional<std::uint32_t> EmissionContext::sramOf(TensorId tensor) const {
    const Tensor& wanted = graph.tensors[tensor];
    auto address = places.sram[wanted.storage];
    const TensorId original = graph.originalOf(tensor);
    if (!address && original != tensor) {
        address = sramOf(original);
    }
    if (!address) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(*address + wanted.byteOffset);
}

hw::MemoryRef EmissionContext::home(TensorId tensor) const {
    if (const auto address = sramOf(tensor)) {
        return {hw::kSpaceSram, 0, 0, *address};
    }
    const Tensor& wanted = graph.tensors[tensor];
    const TensorId original = graph.originalOf(tensor);
    hw::MemoryRef ref = original != tensor ? home(original) : places.memory[wanted.storage];
    ref.offset += wanted.byteOffset;
    return ref;
}

std::uint32_t EmissionContext::longestRow(TensorId tensor) const {
    const std::uint32_t pixelBytes = sramOf(tensor) ? 0 : graph.pixelBytesOf(tensor);
    return pixelBytes != 0 ? pixelBytes : kLongestRow;
}

void EmissionContext::loadConstant(TensorId constant, const FilterTile& tile,
                                   std::uint64_t address) {
    const std::uint32_t element = graph.tensors[constant].elementBytes();
    const auto block = coded.find(graph, constant, tile);
    if (!block) {
        addTransfers(list, hw::Engine::kDma1, home(constant) + tile.first * element,
                     sramRef(address), tile.axes(element), element);
        return;
    }
    hw::DmaTransfer transfer{};
    transfer.source = places.constants + block->offset;
    transfer.destination = sramRef(address);
    transfer.rowBytes = static_cast<std::uint32_t>(tile.elements());
    transfer.codedBytes = block->sizeBytes;
    std::fill(std::begin(transfer.counts), std::end(transfer.counts), 1U);
    list.add(hw::Engine::kDma1, transfer);
}

SlotCache::Slot SlotCache::find(std::uint64_t key) {
    VNPU_CHECK(!keys_.empty(), "a stream that is used has buffers");
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
        if (keys_[slot] == key) {
            return {set_.addresses[slot], false};
        }
    }
    const std::size_t slot = oldest_;
    oldest_ = (oldest_ + 1) % keys_.size();
    keys_[slot] = key;
    return {set_.addresses[slot], true};
}

}  // namespace vnpu::driver
