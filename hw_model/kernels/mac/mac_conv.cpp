// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_conv.h"

#include <cstdint>

#include "hw_model/kernels/kernels.h"
#include "hw_model/regs/row_extent.h"

namespace vnpu::hw::kernels {

namespace {

// Rows and pixels may lie apart: nothing of the tensor is behind its last pixel.
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
    if ((work.flags & kMacDepthwise) != 0) {
        depthwiseConvolution(backend, work, sram, accumulators);
    } else {
        normalConvolution(backend, work, sram, accumulators);
    }
}

void macConv(const MacConv& work, std::byte* sram, std::byte* accumulators) {
    static const MacBackend& best = *supportedBackends().back();
    macConvOn(best, work, sram, accumulators);
}

}  // namespace vnpu::hw::kernels
