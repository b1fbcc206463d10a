// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/accesses.h"

#include "hw_model/regs/row_extent.h"

namespace vnpu::driver {
namespace {

Access sram(std::uint64_t address, std::uint64_t sizeBytes, bool isWrite) {
    return {hw::kSpaceSram, isWrite, address, address + sizeBytes};
}

Access rows(const hw::MemoryRef& ref, std::uint32_t rowBytes, const std::uint32_t* counts,
            const std::uint32_t* strides, bool isWrite) {
    return {ref.space, isWrite, ref.offset, ref.offset + hw::rowExtent(rowBytes, counts, strides)};
}

std::uint64_t tileBytes(std::uint32_t height, std::uint32_t width, std::uint64_t channelBytes,
                        std::uint32_t rowBytes, std::uint32_t pixelBytes) {
    return std::uint64_t{height - 1} * rowBytes + std::uint64_t{width - 1} * pixelBytes +
           channelBytes;
}

std::uint64_t product(const std::uint32_t* dims) {
    return std::uint64_t{dims[0]} * dims[1] * dims[2] * dims[3];
}

}  // namespace

AccessList accessesOf(const hw::DmaTransfer& work) {
    const std::uint32_t sourceBytes = hw::isCoded(work) ? work.codedBytes : work.rowBytes;
    return {rows(work.source, sourceBytes, work.counts, work.sourceStrides, false),
            rows(work.destination, work.rowBytes, work.counts, work.destinationStrides, true)};
}

AccessList accessesOf(const hw::DmaFill& work) {
    return {rows(work.destination, work.rowBytes, work.counts, work.destinationStrides, true)};
}

AccessList accessesOf(const hw::MacConv& work) {
    const std::uint32_t inputElement = hw::elementBytes(work.inputType);
    const std::uint64_t depth = (work.flags & hw::kMacDepthwise) != 0 ? 1 : work.inputChannels;
    const std::uint64_t taps = std::uint64_t{work.filterHeight} * work.filterWidth;
    AccessList list;
    list.push_back(sram(work.inputSram,
                        tileBytes(work.inputHeight, work.inputWidth,
                                  std::uint64_t{work.inputChannels} * inputElement,
                                  work.inputRowBytes, work.inputPixelBytes),
                        false));
    list.push_back(sram(work.filterSram,
                        taps * depth * work.outputChannels * hw::elementBytes(work.filterType),
                        false));
    if ((work.flags & hw::kMacDrain) == 0) {
        return list;
    }
    list.push_back(
            sram(work.outputSram,
                 tileBytes(work.outputHeight, work.outputWidth,
                           std::uint64_t{work.outputChannels} * hw::elementBytes(work.outputType),
                           work.outputRowBytes, work.outputPixelBytes),
                 true));
    if ((work.outputStage.flags & hw::kOutputHasBias) != 0) {
        list.push_back(sram(work.outputStage.biasSram, 4ULL * work.outputChannels, false));
    }
    if ((work.outputStage.flags & hw::kOutputPerChannel) != 0) {
        list.push_back(sram(work.outputStage.scaleSram, 8ULL * work.outputChannels, false));
    }
    return list;
}

AccessList accessesOf(const hw::VecPool& work) {
    const std::uint64_t element = std::uint64_t{work.channels} * hw::elementBytes(work.type);
    return {sram(work.inputSram, element * work.inputHeight * work.inputWidth, false),
            sram(work.outputSram, element * work.outputHeight * work.outputWidth, true)};
}

AccessList accessesOf(const hw::VecEltwise& work) {
    const std::uint32_t element = hw::elementBytes(work.type);
    AccessList list;
    for (int i = 0; i < 2; ++i) {
        std::uint64_t reach = 1;
        for (int d = 0; d < 4; ++d) {
            reach += std::uint64_t{work.dims[d] - 1} * work.strides[i][d];
        }
        list.push_back(sram(work.inputSram[i], reach * element, false));
    }
    list.push_back(sram(work.outputSram, product(work.dims) * element, true));
    return list;
}

AccessList accessesOf(const hw::VecUnary& work) {
    AccessList list{sram(work.inputSram,
                         std::uint64_t{work.count} * hw::elementBytes(work.inputType), false),
                    sram(work.outputSram,
                         std::uint64_t{work.count} * hw::elementBytes(work.outputType), true)};
    if (work.kind == hw::UnaryKind::kLut) {
        list.push_back(sram(work.tableSram, 256, false));
    }
    return list;
}

AccessList accessesOf(const hw::VecSoftmax& work) {
    const std::uint64_t bytes =
            std::uint64_t{work.outer} * work.axis * work.inner * hw::elementBytes(work.type);
    return {sram(work.inputSram, bytes, false), sram(work.outputSram, bytes, true)};
}

AccessList accessesOf(const hw::VecReduce& work) {
    const std::uint32_t element = hw::elementBytes(work.type);
    std::uint32_t kept[4];
    for (unsigned d = 0; d < 4; ++d) {
        kept[d] = (work.reduceMask & (1U << d)) != 0 ? 1 : work.dims[d];
    }
    return {sram(work.inputSram, product(work.dims) * element, false),
            sram(work.outputSram, product(kept) * element, true)};
}

AccessList accessesOf(const hw::VecOperator& work) {
    AccessList list;
    for (std::uint32_t i = 0; i < std::uint32_t{work.inputCount} + work.outputCount; ++i) {
        const hw::VecOperand& operand = work.operands[i];
        if (operand.flags != 0) {
            continue;
        }
        std::uint64_t bytes = hw::elementBytes(operand.type);
        for (std::uint8_t d = 0; d < operand.rank; ++d) {
            bytes *= operand.words[d];
        }
        list.push_back(sram(operand.sram, bytes, i >= work.inputCount));
    }
    return list;
}

}  // namespace vnpu::driver
