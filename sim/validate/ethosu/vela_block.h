// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/validate/ethosu/vela_accelerator.h"
#include "sim/validate/ethosu/vela_layer.h"

namespace vnpu::sim {

/// The unit of work of an accelerator within a layer.
struct VelaBlock {
    VelaExtent output{}, input{};
    /// A step has four taps of 8 channels instead of one tap of 32.
    bool takesTapsTogether = false;
};

/// The longest filter side that is applied in one pass; a larger filter is applied in parts.
inline constexpr std::uint64_t kVelaFilterSide = 8;  // source: Vela, sub_kernel_limits

// source: Vela, part kernel first: a step of four taps of 8 channels
inline constexpr std::uint64_t kVelaTapsTogether = 4, kVelaChannelsTogether = 8;
/// Output channels of a block, or of a slice of weights, are in groups of this size if more follow.
inline constexpr std::uint64_t kVelaSplitChannels = 16;  // source: Vela, OFMSplitDepth

/// Whether four taps of few channels use the array better than one tap of many.
bool velaTakesTapsTogether(const VelaLayer& layer);

/// Whether a block's input and accumulators, each twice, fit into the shared buffer beside the two
/// banks of the output and the two that are reserved.
bool velaFits(const VelaBlock& block, const VelaLayer& layer, const VelaAccelerator& accelerator);

/// The block that fits and needs the fewest fetches per result, of up to 32 x 64 pixels and 128
/// channels.
VelaBlock velaBlockOf(const VelaLayer& layer, const VelaAccelerator& accelerator);

}  // namespace vnpu::sim
