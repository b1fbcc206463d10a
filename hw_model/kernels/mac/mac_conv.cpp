// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_conv.h"

#include <cstdint>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/mac/convolution.h"
#include "hw_model/regs/row_extent.h"

namespace vnpu::hw::kernels {
namespace {

// Rows and pixels may have gaps between them: the tensor ends after its last pixel.
std::uint64_t tensorExtent(std::uint32_t height, std::uint32_t rowBytes, std::uint32_t width,
                           std::uint32_t pixelBytes, std::uint32_t channels, ElementType type) {
    const std::uint32_t counts[3] = {height, width, 1};
    const std::uint32_t strides[3] = {rowBytes, pixelBytes, 0};
    return rowExtent(channels * static_cast<std::uint32_t>(elementBytes(type)), counts, strides);
}

}  // namespace

bool overwritesInput(const MacConv& work) {
    const std::uint64_t inputEnd =
            work.inputSram + tensorExtent(work.inputHeight, work.inputRowBytes, work.inputWidth,
                                          work.inputPixelBytes, work.inputChannels, work.inputType);
    const std::uint64_t outputEnd =
            work.outputSram + tensorExtent(work.outputHeight, work.outputRowBytes, work.outputWidth,
                                           work.outputPixelBytes, work.outputChannels,
                                           work.outputType);
    return (work.flags & kMacDrain) != 0 && work.outputSram < inputEnd &&
           work.inputSram < outputEnd;
}

void macConvOn(const MacBackend& backend, const MacConv& work, std::byte* sram,
               std::byte* accumulators) {
    const OutputStage& stage = work.outputStage;
    const bool isDrained = (work.flags & kMacDrain) != 0;
    convolve(backend,
             {.types = {.inputType = work.inputType,
                        .inputZeroPoint = work.inputZeroPoint,
                        .filterType = work.filterType,
                        .filterZeroPoint = work.filterZeroPoint},
              .rows = {.input = work.inputHeight,
                       .taps = work.filterHeight,
                       .output = work.outputHeight,
                       .stride = work.strideHeight,
                       .dilation = work.dilationHeight,
                       .padding = work.padTop},
              .columns = {.input = work.inputWidth,
                          .taps = work.filterWidth,
                          .output = work.outputWidth,
                          .stride = work.strideWidth,
                          .dilation = work.dilationWidth,
                          .padding = work.padLeft},
              .inputChannels = work.inputChannels,
              .outputChannels = work.outputChannels,
              .isDepthwise = (work.flags & kMacDepthwise) != 0,
              .depthMultiplier = work.depthMultiplier,
              .input = sram + work.inputSram,
              .inputStrides = {.row = work.inputRowBytes, .pixel = work.inputPixelBytes},
              .filter = sram + work.filterSram,
              .output = isDrained ? sram + work.outputSram : nullptr,
              .outputStrides = {.row = work.outputRowBytes, .pixel = work.outputPixelBytes},
              .stage = stage,
              .bias = (stage.flags & kOutputHasBias) != 0 ? sram + stage.biasSram : nullptr,
              .scales = (stage.flags & kOutputPerChannel) != 0 ? sram + stage.scaleSram : nullptr,
              .sums = keepsSums(work) ? accumulators + work.accumulatorOffset : nullptr,
              .accumulate = (work.flags & kMacAccumulate) != 0,
              .overwritesInput = overwritesInput(work)});
}

void macConv(const MacConv& work, std::byte* sram, std::byte* accumulators) {
    macConvOn(macBackend(), work, sram, accumulators);
}

}  // namespace vnpu::hw::kernels
