// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/regs/command_stream.h"

namespace vnpu::bench {

/// MobileNetV1 1.0 at 224 x 224, int8, as bare kernel calls on whole layers: what its arithmetic
/// costs on this processor without tiles, data movement, simulation or driver. The baseline of the
/// simulated inference. One thread calls.
class BareMobileNet {
  public:
    BareMobileNet();

    /// One inference: 13 pairs of depthwise and pointwise convolutions behind a first one, pooling,
    /// classifier, softmax.
    void run();

    /// Multiply-accumulates of the convolutions and the classifier.
    std::uint64_t macs() const { return macs_; }

  private:
    void addConvolution(std::uint32_t size, std::uint32_t inputs, std::uint32_t outputs,
                        std::uint32_t filter, std::uint32_t stride, bool isDepthwise);

    std::vector<hw::MacConv> convolutions_;
    std::vector<std::byte> memory_;
    std::vector<std::byte> accumulators_;
    std::uint64_t macs_ = 0;
};

}  // namespace vnpu::bench
