// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

enum class VelaKind : std::uint8_t { kConvolution, kDepthwise, kFullyConnected, kPool, kSum };

/// The extent of a feature map, a block of one, or a filter (whose channels are 1).
struct VelaExtent {
    std::uint64_t rows = 1, columns = 1, channels = 1;

    std::uint64_t pixels() const { return rows * columns; }
    std::uint64_t elements() const { return pixels() * channels; }
    bool operator==(const VelaExtent&) const = default;
};

/// A layer of an 8-bit network, as Vela rewrites it.
struct VelaLayer {
    VelaKind kind = VelaKind::kConvolution;
    VelaExtent input{}, output{}, filter{};
    std::uint64_t rowStride = 1, columnStride = 1;
    bool readsImage = false;    // the network's input: row by row, not in bricks of 16 channels
    bool writesResult = false;  // the network's output, likewise
    std::size_t operation = 0;  // of the network's main graph

    bool hasWeights() const { return kind != VelaKind::kPool && kind != VelaKind::kSum; }
    /// Bytes before coding.
    std::uint64_t weightBytes() const;
};

/// Convolutions, matrix products, average pools and sums of a network with same padding, in order.
/// Layers that Vela turns into passes over few elements (softmax, reshape) are left out.
std::vector<VelaLayer> velaLayersOf(const Network& network);

/// The first convolution of a network at stride 2 over few channels reads pairs of columns as one
/// column with twice the channels, at stride 1. Zeros in its filter keep the padding unchanged.
VelaLayer withPairedColumns(VelaLayer layer);

}  // namespace vnpu::sim
