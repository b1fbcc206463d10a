// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// Sends accumulators through the output stage of one command. The tables are read from SRAM at
/// construction into the constructing thread's scratch memory; it must make no other Drain while
/// this one is used.
class Drain {
  public:
    Drain(const MacConv& work, std::byte* sram, const MacBackend& backend);

    /// Sums as they lie in the accumulators: of output pixels [first, first + count), all channels.
    /// Any thread; nothing if the command does not drain.
    void run(const std::byte* sums, std::size_t first, std::size_t count) const {
        run({.sums = sums,
             .step = work_.outputChannels,
             .firstChannel = 0,
             .channels = work_.outputChannels},
            first, count);
    }

    /// Sums of some channels, from the first pixel's first one on.
    struct Channels {
        const std::byte* sums;
        std::size_t step;  // elements between pixels
        std::size_t firstChannel;
        std::size_t channels;
    };
    void run(Channels part, std::size_t first, std::size_t count) const;

  private:
    void readTables(const std::byte* sram);
    void runPixels(const Channels& part, std::size_t count, std::byte* output,
                   std::size_t outputStep) const;

    const MacConv& work_;
    std::byte* output_;
    void (*kernel_)(const DrainRun&);
    std::int32_t* tables_ =
            nullptr;  // bias, multiplier, left shift, right shift, a value per channel each
};

}  // namespace vnpu::hw::kernels
