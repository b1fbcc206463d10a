// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac_conv.h"

#include <cstdint>

#include "hw_model/kernels/kernels.h"

namespace vnpu::hw::kernels {

bool overwritesInput(const MacConv& work) {
    const std::uint64_t inputEnd =
            work.inputSram + std::uint64_t{work.inputHeight} * work.inputRowBytes;
    const std::uint64_t outputEnd =
            work.outputSram + std::uint64_t{work.outputHeight} * work.outputRowBytes;
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
