// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

/// A convolution or matrix product of a network; all 0: another operation.
struct LayerParameters {
    std::uint64_t rows = 0, columns = 0, kernels = 0;  // of the output
    std::uint64_t inputRows = 0;
    std::uint64_t channels = 0;  // of the input that contribute to one result; depthwise: 1
    std::uint64_t filterRows = 0, filterColumns = 0;
    bool isDepthwise = false;

    std::uint64_t taps() const { return filterRows * filterColumns; }
    /// Bytes of 8-bit networks.
    std::uint64_t weightBytes() const { return kernels * channels * taps(); }
    /// Whether the output has about as many rows as the input, apart from rows that a missing
    /// padding removes.
    bool hasUnitStride() const { return rows * 2 > inputRows + filterRows; }
};

/// By operation of the network's main graph.
std::vector<LayerParameters> layerParametersOf(const Network& network);

}  // namespace vnpu::sim
