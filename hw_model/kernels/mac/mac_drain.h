// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac/convolution.h"

namespace vnpu::hw::kernels {

/// Passes the sums of a convolution through its output stage. The constructor copies the stage's
/// tables into the thread's scratch memory, so a thread can have only one Drain at a time.
class Drain {
  public:
    Drain(const Convolution& convolution, const MacBackend& backend);

    /// Drains sums of all channels, [pixels][channels], of output pixels [first, first + count).
    /// Does nothing if the convolution has no output. Any thread.
    void run(const std::byte* sums, std::size_t first, std::size_t count) const {
        run({.sums = sums,
             .step = conv_.outputChannels,
             .firstChannel = 0,
             .channels = conv_.outputChannels},
            first, count);
    }

    /// Sums of some of the channels; `step` separates pixels.
    struct Channels {
        const std::byte* sums;
        std::size_t step;  // elements between pixels
        std::size_t firstChannel;
        std::size_t channels;
    };
    void run(Channels part, std::size_t first, std::size_t count) const;

  private:
    void readTables();
    void runPixels(const Channels& part, std::size_t count, std::byte* output,
                   std::size_t outputStep) const;

    const Convolution& conv_;
    void (*kernel_)(const DrainRun&);
    std::size_t evenStep_;  // bytes between output pixels, 0 if they are not evenly spaced
    /// Bias, multiplier, left shift, right shift: each a value per channel.
    std::int32_t* tables_ = nullptr;
};

}  // namespace vnpu::hw::kernels
