// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "hw_model/timing/mac_timing.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// One convolution without padding, or one matrix product: a row of a systolic table.
struct LayerShape {
    std::uint32_t inputHeight = 1, inputWidth = 1;
    std::uint32_t filterHeight = 1, filterWidth = 1;
    std::uint32_t channels = 1;  // a matrix product's K
    std::uint32_t filters = 1;   // its N
    std::uint32_t stride = 1;
    std::uint32_t rows = 0;  // M of a matrix product; 0: a convolution

    bool isProduct() const { return rows != 0; }
    /// For a convolution: windows start at every multiple of the stride until one reaches the
    /// border.
    std::uint32_t outputHeight() const;
    std::uint32_t outputWidth() const;
    /// The equivalent matrix product.
    hw::GemmShape gemm() const;

    // NOLINTNEXTLINE(modernize-use-nullptr): version 14 takes the default's 0 for a pointer
    auto operator<=>(const LayerShape&) const = default;
};

/// A model of this one layer, int8, weights zero.
Network layerNetwork(const LayerShape& shape);

}  // namespace vnpu::sim
