// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/emit/transfer.h"

#include <algorithm>

namespace vnpu::driver {
namespace {

/// Divides the last axis where it is one row that is longer than `longestRow`.
void divideRow(CopyAxes& axes, std::uint32_t elementBytes, std::uint32_t longestRow) {
    const std::uint64_t part = longestRow / elementBytes;
    const bool isDivided = !axes.empty() && axes.back().inputStride == elementBytes &&
                           axes.back().outputStride == elementBytes && part > 0 &&
                           axes.back().extent > part && axes.back().extent % part == 0;
    if (isDivided) {
        const CopyAxis parts{axes.back().extent / part, part * elementBytes, part * elementBytes};
        axes.back().extent = part;
        axes.insert(axes.end() - 1, parts);
    }
}

}  // namespace

std::vector<hw::DmaTransfer> makeTransfers(const hw::MemoryRef& source,
                                           const hw::MemoryRef& destination, CopyAxes axes,
                                           std::uint32_t elementBytes, std::uint32_t longestRow) {
    axes = joined(axes);
    divideRow(axes, elementBytes, longestRow);
    hw::DmaTransfer transfer{};
    transfer.rowBytes = elementBytes;
    const bool endsInRow = !axes.empty() && axes.back().inputStride == elementBytes &&
                           axes.back().outputStride == elementBytes &&
                           axes.back().extent * elementBytes <= kLongestRow;
    if (endsInRow) {
        transfer.rowBytes = static_cast<std::uint32_t>(axes.back().extent * elementBytes);
        axes.pop_back();
    }
    std::fill(std::begin(transfer.counts), std::end(transfer.counts), 1U);
    const std::size_t looped = axes.size() > kCopyCounts ? axes.size() - kCopyCounts : 0;
    for (std::size_t i = 0; i + looped < axes.size(); ++i) {
        const CopyAxis& axis = axes[looped + i];
        transfer.counts[i] = static_cast<std::uint32_t>(axis.extent);
        transfer.sourceStrides[i] = static_cast<std::uint32_t>(axis.inputStride);
        transfer.destinationStrides[i] = static_cast<std::uint32_t>(axis.outputStride);
    }
    std::vector<hw::DmaTransfer> transfers;
    std::vector<std::uint64_t> index(looped, 0);
    while (true) {
        transfer.source = source;
        transfer.destination = destination;
        for (std::size_t i = 0; i < looped; ++i) {
            transfer.source.offset += index[i] * axes[i].inputStride;
            transfer.destination.offset += index[i] * axes[i].outputStride;
        }
        transfers.push_back(transfer);
        std::size_t i = looped;
        while (i > 0 && ++index[i - 1] == axes[i - 1].extent) {
            index[--i] = 0;
        }
        if (i == 0) {
            return transfers;
        }
    }
}

void addTransfers(CommandList& list, hw::Engine engine, const hw::MemoryRef& source,
                  const hw::MemoryRef& destination, CopyAxes axes, std::uint32_t elementBytes,
                  std::uint32_t longestRow) {
    for (const hw::DmaTransfer& transfer :
         makeTransfers(source, destination, std::move(axes), elementBytes, longestRow)) {
        list.add(engine, transfer);
    }
}

void addTransfer(CommandList& list, hw::Engine engine, const hw::MemoryRef& source,
                 const hw::MemoryRef& destination, std::uint64_t sizeBytes) {
    addTransfers(list, engine, source, destination, {{sizeBytes, 1, 1}}, 1);
}

}  // namespace vnpu::driver
