// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac_conv.h"

#include <cstdint>

#include "hw_model/kernels/kernels.h"

namespace vnpu::hw::kernels {

namespace {

// Rows and pixels may lie apart: nothing of the tensor is behind its last pixel.
std::uint64_t extentBytes(std::uint64_t height, std::uint64_t rowBytes, std::uint64_t width,
                          std::uint64_t pixelBytes, std::uint64_t channels, ElementType type) {
    return (height - 1) * rowBytes + (width - 1) * pixelBytes + channels * elementBytes(type);
}

}  // namespace

bool overwritesInput(const MacConv& work) {
    const std::uint64_t inputEnd =
            work.inputSram + extentBytes(work.inputHeight, work.inputRowBytes, work.inputWidth,
                                         work.inputPixelBytes, work.inputChannels, work.inputType);
    const std::uint64_t outputEnd =
            work.outputSram + extentBytes(work.outputHeight, work.outputRowBytes, work.outputWidth,
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
