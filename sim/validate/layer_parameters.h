// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

/// An operation of a network for closed forms. Its parameters as a convolution or matrix product
/// are all 0 for another operation.
struct LayerParameters {
    std::uint64_t rows = 0, columns = 0, kernels = 0;  // of the output of one image
    std::uint64_t inputRows = 0;
    std::uint64_t channels = 0;  // of the input that contribute to one result; depthwise: 1
    std::uint64_t filterRows = 0, filterColumns = 0;
    std::uint64_t groups = 1;  // of kernels, which see as many channels each
    bool isDepthwise = false;
    std::uint64_t constantBytes = 0;  // of weights, biases and other tensors of the model
    std::uint64_t mapBytes = 0;       // of the tensors that it reads and writes, each once

    std::uint64_t taps() const { return filterRows * filterColumns; }
    std::uint64_t results() const { return rows * columns * kernels; }
    /// Whether the output has about as many rows as the input, apart from rows that a missing
    /// padding removes.
    bool hasUnitStride() const { return rows * 2 > inputRows + filterRows; }
};

/// By operation of the network's main graph.
std::vector<LayerParameters> layerParametersOf(const Network& network);

/// Bytes of memory that a network moves if nothing but its constants, its input and its output has
/// to leave the chip; and if every operand of every operation is moved once.
struct TrafficBounds {
    double leastBytes = 0.0, mostBytes = 0.0;
};
TrafficBounds trafficBoundsOf(const Network& network, const std::vector<LayerParameters>& layers);

}  // namespace vnpu::sim
