// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/conv_parts.h"

#include <algorithm>

#include "hw_model/kernels/mac/mac_conv.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::hw {

namespace {

// chosen: some 10 us of one core, worth the hand-over
constexpr std::uint64_t kPartOperations = 2'000'000;
// chosen: at 10 us a part, the hand-over to more threads would take as long as their work
constexpr std::uint64_t kMostParts = 8;
// chosen: each part packs its filter again, at the cost of the products of a few pixels
constexpr std::uint64_t kPartPixels = 112;
constexpr std::uint32_t kChannelUnit = 64;  // chosen: whole cache lines of outputs

struct Range {
    std::uint32_t first;
    std::uint32_t end;
};

// Part `index` of `count` equal parts; each but the last is a multiple of `unit`.
Range evenPart(std::uint32_t extent, std::uint32_t unit, std::uint32_t count, std::uint32_t index) {
    const std::uint64_t units = divideUp(extent, unit);
    const auto edge = [&](std::uint64_t part) {
        return static_cast<std::uint32_t>(
                std::min<std::uint64_t>(part * units / count * unit, extent));
    };
    return {edge(index), edge(std::uint64_t{index} + 1)};
}

void cutRows(MacConv& work, const Range& rows) {
    work.padTop -= static_cast<std::int32_t>(rows.first * work.strideHeight);
    work.outputSram += rows.first * work.outputRowBytes;
    work.outputHeight = rows.end - rows.first;
}

void cutChannels(MacConv& work, const Range& channels) {
    const std::uint32_t filterBytes = std::uint32_t{work.filterHeight} * work.filterWidth *
                                      work.inputChannels *
                                      static_cast<std::uint32_t>(elementBytes(work.filterType));
    OutputStage& stage = work.outputStage;
    work.filterSram += channels.first * filterBytes;
    work.outputSram += channels.first * static_cast<std::uint32_t>(elementBytes(work.outputType));
    stage.biasSram += channels.first * kOutputBiasBytes;
    if ((stage.flags & kOutputPerChannel) != 0) {
        stage.scaleSram += channels.first * kOutputScaleBytes;
    }
    work.outputChannels = channels.end - channels.first;
}

}  // namespace

ConvParts partsOf(const MacConv& work, std::uint64_t operations, std::size_t threads) {
    if (operations < 2 * kPartOperations || keepsSums(work) || kernels::overwritesInput(work)) {
        return {};
    }
    const std::uint64_t wanted = std::min<std::uint64_t>(
            {operations / kPartOperations, std::max<std::size_t>(threads, 1), kMostParts});
    const bool isDepthwise = (work.flags & kMacDepthwise) != 0;
    const std::uint64_t pixels = std::uint64_t{work.outputHeight} * work.outputWidth;
    const std::uint64_t mostRows =
            std::min<std::uint64_t>(isDepthwise ? wanted : pixels / kPartPixels, work.outputHeight);
    const std::uint64_t rows = std::clamp<std::uint64_t>(mostRows, 1, wanted);
    const std::uint64_t mostChannels = isDepthwise ? 1 : work.outputChannels / kChannelUnit;
    const std::uint64_t channels =
            std::clamp<std::uint64_t>(mostChannels, 1, divideUp(wanted, rows));
    return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(channels)};
}

MacConv partOf(const MacConv& work, const ConvParts& parts, std::uint32_t index) {
    MacConv part = work;
    if (parts.rows > 1) {
        cutRows(part, evenPart(work.outputHeight, 1, parts.rows, index / parts.channels));
    }
    if (parts.channels > 1) {
        cutChannels(part, evenPart(work.outputChannels, kChannelUnit, parts.channels,
                                   index % parts.channels));
    }
    return part;
}

}  // namespace vnpu::hw
