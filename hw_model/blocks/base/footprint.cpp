// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/footprint.h"

#include <algorithm>

#include "hw_model/timing/mac_timing.h"

namespace vnpu::hw {

namespace {

struct Span {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

// The input positions along one axis that the windows of `outputs` results cover.
Span reachedInputs(std::int64_t inputs, std::int64_t outputs, std::int64_t stride, std::int64_t pad,
                   std::int64_t windowExtent) {
    const std::int64_t first = std::max<std::int64_t>(0, -pad);
    const std::int64_t last = std::min(inputs - 1, (outputs - 1) * stride - pad + windowExtent - 1);
    if (last < first) {
        return {};
    }
    return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last - first + 1)};
}

StridedRange dense(std::uint64_t base, std::uint64_t elements, ElementType type) {
    return {base, elements * elementBytes(type)};
}

StridedRange macInput(const MacConv& work) {
    const Span rows =
            reachedInputs(work.inputHeight, work.outputHeight, work.strideHeight, work.padTop,
                          std::int64_t{work.filterHeight - 1} * work.dilationHeight + 1);
    const Span columns =
            reachedInputs(work.inputWidth, work.outputWidth, work.strideWidth, work.padLeft,
                          std::int64_t{work.filterWidth - 1} * work.dilationWidth + 1);
    StridedRange range(
            work.inputSram + rows.first * work.inputRowBytes + columns.first * work.inputPixelBytes,
            std::uint64_t{work.inputChannels} * elementBytes(work.inputType));
    range.repeat(columns.count, work.inputPixelBytes);
    range.repeat(rows.count, work.inputRowBytes);
    return range;
}

StridedRange macOutput(const MacConv& work) {
    StridedRange range(work.outputSram,
                       std::uint64_t{work.outputChannels} * elementBytes(work.outputType));
    range.repeat(work.outputWidth, work.outputPixelBytes);
    range.repeat(work.outputHeight, work.outputRowBytes);
    return range;
}

// The blocks of a command alternate between the two halves, so the command uses all accumulators.
StridedRange macAccumulators(const MacConfig& config, const MacConv& work) {
    constexpr std::uint64_t kAccumulatorBytes = 4;
    if (blocksOf(work).count() > 1) {
        return {0, std::uint64_t{config.accumulatorKib} * 1024};
    }
    return {work.accumulatorOffset,
            kAccumulatorBytes * work.outputHeight * work.outputWidth * work.outputChannels};
}

void addOutputStage(Footprint& footprint, const OutputStage& stage, std::uint64_t channels) {
    if ((stage.flags & kOutputHasBias) != 0) {
        footprint.read({stage.biasSram, channels * kOutputBiasBytes}, channels * kOutputBiasBytes);
    }
    if ((stage.flags & kOutputPerChannel) != 0) {
        footprint.read({stage.scaleSram, channels * kOutputScaleBytes},
                       channels * kOutputScaleBytes);
    }
}

void readDense(Footprint& footprint, std::uint64_t base, std::uint64_t elements, ElementType type) {
    footprint.read(dense(base, elements, type), elements * elementBytes(type));
}

void writeDense(Footprint& footprint, std::uint64_t base, std::uint64_t elements,
                ElementType type) {
    footprint.write(dense(base, elements, type), elements * elementBytes(type));
}

}  // namespace

std::uint64_t Footprint::trafficBytes() const {
    std::uint64_t sum = residentBytes_;
    for (const SramAccess& access : accesses()) {
        sum += access.trafficBytes;
    }
    return sum;
}

void Footprint::scrambleWrites(std::byte* sram, std::byte* accumulators, std::byte mask) const {
    const auto scramble = [mask](const SramAccess& access, std::byte* memory) {
        if (!access.isWrite) {
            return;
        }
        access.range.forEachRow([&](std::uint64_t begin, std::uint64_t bytes) {
            for (std::uint64_t i = 0; i < bytes; ++i) {
                memory[begin + i] ^= mask;
            }
        });
    };
    for (const SramAccess& access : accesses()) {
        scramble(access, sram);
    }
    scramble(accumulators_, accumulators);
}

Footprint footprintOf(const MacConfig& config, const MacConv& work) {
    const MacTraffic traffic = macConvTraffic(config, work);
    const bool isDepthwise = (work.flags & kMacDepthwise) != 0;
    const std::uint64_t filterElements = std::uint64_t{work.filterHeight} * work.filterWidth *
                                         work.outputChannels *
                                         (isDepthwise ? 1 : work.inputChannels);
    Footprint footprint;
    footprint.read(macInput(work), traffic.inputBytes);
    footprint.read(dense(work.filterSram, filterElements, work.filterType), traffic.filterBytes);
    if ((work.flags & kMacDrain) != 0) {
        addOutputStage(footprint, work.outputStage, work.outputChannels);
        footprint.write(macOutput(work), traffic.outputBytes);
    }
    footprint.useAccumulators(macAccumulators(config, work), true);
    return footprint;
}

Footprint footprintOf(const VecPool& work) {
    const Span rows = reachedInputs(work.inputHeight, work.outputHeight, work.strideHeight,
                                    work.padTop, work.windowHeight);
    const Span columns = reachedInputs(work.inputWidth, work.outputWidth, work.strideWidth,
                                       work.padLeft, work.windowWidth);
    const std::uint64_t pixelBytes = std::uint64_t{work.channels} * elementBytes(work.type);
    StridedRange input(work.inputSram + (rows.first * work.inputWidth + columns.first) * pixelBytes,
                       pixelBytes);
    input.repeat(columns.count, pixelBytes);
    input.repeat(rows.count, work.inputWidth * pixelBytes);
    Footprint footprint;
    footprint.read(input, rows.count * columns.count * pixelBytes);
    writeDense(footprint, work.outputSram,
               std::uint64_t{work.outputHeight} * work.outputWidth * work.channels, work.type);
    return footprint;
}

Footprint footprintOf(const VecEltwise& work) {
    const std::uint64_t bytes = elementBytes(work.type);
    const std::uint64_t elements =
            std::uint64_t{work.dims[0]} * work.dims[1] * work.dims[2] * work.dims[3];
    Footprint footprint;
    for (std::size_t operand = 0; operand < 2; ++operand) {
        StridedRange range(work.inputSram[operand], bytes);
        for (std::size_t d = 4; d-- > 0;) {
            range.repeat(work.dims[d], work.strides[operand][d] * bytes);
        }
        footprint.read(range, elements * bytes);
    }
    writeDense(footprint, work.outputSram, elements, work.type);
    return footprint;
}

Footprint footprintOf(const VecUnary& work) {
    constexpr std::uint64_t kTableBytes = 256;
    Footprint footprint;
    readDense(footprint, work.inputSram, work.count, work.inputType);
    if (work.kind == UnaryKind::kLut) {
        footprint.read({work.tableSram, kTableBytes}, kTableBytes);
    }
    writeDense(footprint, work.outputSram, work.count, work.outputType);
    return footprint;
}

Footprint footprintOf(const VecSoftmax& work) {
    const std::uint64_t elements = std::uint64_t{work.outer} * work.axis * work.inner;
    Footprint footprint;
    readDense(footprint, work.inputSram, elements, work.type);
    writeDense(footprint, work.outputSram, elements, work.type);
    return footprint;
}

Footprint footprintOf(const VecReduce& work) {
    std::uint64_t elements = 1;
    std::uint64_t kept = 1;
    for (unsigned d = 0; d < 4; ++d) {
        elements *= work.dims[d];
        kept *= (work.reduceMask >> d & 1U) != 0 ? 1 : work.dims[d];
    }
    Footprint footprint;
    readDense(footprint, work.inputSram, elements, work.type);
    writeDense(footprint, work.outputSram, kept, work.type);
    return footprint;
}

Footprint footprintOf(const VecOperator& work) {
    Footprint footprint;
    for (std::uint32_t i = 0; i < std::uint32_t{work.inputCount} + work.outputCount; ++i) {
        const VecOperand& operand = work.operands[i];
        if (operand.flags != 0) {
            continue;
        }
        const std::uint64_t bytes =
                Dimensions(std::span(operand.words).first(operand.rank)).elements() *
                elementBytes(operand.type);
        const StridedRange range(operand.sram, bytes);
        if (i < work.inputCount) {
            footprint.read(range, bytes);
        } else {
            footprint.write(range, bytes);
        }
    }
    return footprint;
}

}  // namespace vnpu::hw
