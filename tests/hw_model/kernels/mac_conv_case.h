// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "hw_model/regs/command_stream.h"
#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/support/reference_ops.h"

namespace vnpu::test {

/// Limits of a random convolution.
struct ConvOptions {
    bool isFloat = false;
    bool isDepthwise = false;
    std::int64_t maxSide = 9;
    std::int64_t maxChannels = 40;
};

/// A convolution command with its memories filled, and the references of its accumulators and
/// outputs.
struct ConvCase {
    hw::MacConv work{};
    std::vector<std::byte> sram;
    std::vector<std::byte> accumulators;
    Image in, out;
    Window window;

    bool isFloat() const { return work.inputType == hw::ElementType::kFloat32; }

    /// Sums of products from the double-precision reference, without the accumulators' old values.
    Values products() const;
    /// The same sums of magnitudes, for the error bound of float results.
    Values magnitudes() const;
    /// The accumulators' values before the command; zeros unless it accumulates.
    Values before() const;
    /// The 8-bit output of one channel's final accumulator, by the wide-integer definition.
    std::int64_t expectedLevel(std::size_t channel, double accumulator) const;
    /// The offset of output element (y, x, c) in SRAM.
    std::size_t outputOffset(std::int64_t y, std::int64_t x, std::int64_t c) const;
    /// The number of terms in one sum.
    std::size_t depth() const;

  private:
    Values inputs(bool magnitudes) const;
    Values filters(bool magnitudes) const;
    Values convolved(bool magnitudes) const;
};

/// The case for a seed; equal arguments give equal cases.
ConvCase makeConvCase(std::uint32_t seed, const ConvOptions& options);

}  // namespace vnpu::test
