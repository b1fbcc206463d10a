// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/validate/ethosu/vela_accelerator.h"
#include "sim/validate/ethosu/vela_layer.h"

namespace vnpu::sim {

/// The unit in which an accelerator works through a layer.
struct VelaBlock {
    VelaExtent output{}, input{};
    /// Four taps of 8 channels in a step, where otherwise it is one tap of 32.
    bool takesTapsTogether = false;
};

/// The longest filter that is applied in one go, either way; a larger one comes in parts.
inline constexpr std::uint64_t kVelaFilterSide = 8;  // source: Vela, sub_kernel_limits

// source: Vela, part kernel first: a step of four taps of 8 channels
inline constexpr std::uint64_t kVelaTapsTogether = 4, kVelaChannelsTogether = 8;
/// Output channels of a block, or of a slice of weights, come in such groups where more follow.
inline constexpr std::uint64_t kVelaSplitChannels = 16;  // source: Vela, OFMSplitDepth

/// Whether four taps of few channels use the array better than one tap of many.
bool velaTakesTapsTogether(const VelaLayer& layer);

/// Whether a block's input and accumulators, each twice, fit into the shared buffer beside the two
/// banks of the output and the two that are reserved.
bool velaFits(const VelaBlock& block, const VelaLayer& layer, const VelaAccelerator& accelerator);

/// The block that fits and fetches the least for a result, of up to 32 x 64 pixels and 128
/// channels.
VelaBlock velaBlockOf(const VelaLayer& layer, const VelaAccelerator& accelerator);

}  // namespace vnpu::sim
