// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac_conv.h"

#include <cstdint>

#include "hw_model/kernels/kernels.h"

namespace vnpu::hw::kernels {

namespace {

struct Extent {
    std::uint64_t first;
    std::uint64_t end;  // one past the last byte
};

// Rows and pixels may lie apart: nothing of the tensor is behind its last pixel.
Extent inputOf(const MacConv& work) {
    return {work.inputSram, work.inputSram +
                                    (work.inputHeight - std::uint64_t{1}) * work.inputRowBytes +
                                    (work.inputWidth - std::uint64_t{1}) * work.inputPixelBytes +
                                    work.inputChannels * elementBytes(work.inputType)};
}

Extent outputOf(const MacConv& work) {
    return {work.outputSram, work.outputSram +
                                     (work.outputHeight - std::uint64_t{1}) * work.outputRowBytes +
                                     (work.outputWidth - std::uint64_t{1}) * work.outputPixelBytes +
                                     work.outputChannels * elementBytes(work.outputType)};
}

}  // namespace

bool overwritesInput(const MacConv& work) {
    const Extent input = inputOf(work);
    const Extent output = outputOf(work);
    return (work.flags & kMacDrain) != 0 && output.first < input.end && input.first < output.end;
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
