// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/validate/nvdla_networks.h"

namespace vnpu::sim {

/// The channels of one pixel, and the kernels, that the convolution array multiplies in a cycle.
struct NvdlaArray {
    std::uint32_t channels, kernels;
};

/// A column of NVDLA's published performance table.
struct NvdlaPoint {
    std::uint32_t macs;       // int8, per cycle
    std::uint32_t bufferKib;  // convolution buffer
    double dramGBps;          // at 1 GHz: bytes per cycle
    NvdlaArray array;
};

inline constexpr double kNvdlaHz = 1e9;  // source: nvdla.org primer, all columns at 1 GHz

/// source: nvdla.org primer, performance table; arrays: MAC_ATOMIC_C and MAC_ATOMIC_K of
/// NVDLA's hardware specifications nv_large, nv_medium_1024_full, nv_medium_512, nv_small_256 and
/// nv_small; there is none for 128 MACs (chosen: between its neighbors) and 32 (chosen: half of the
/// kernels of nv_small)
inline constexpr std::array<NvdlaPoint, 7> kNvdlaPoints = {{{2048, 512, 20.0, {64, 32}},
                                                            {1024, 256, 15.0, {64, 16}},
                                                            {512, 256, 10.0, {32, 16}},
                                                            {256, 256, 5.0, {32, 8}},
                                                            {128, 256, 2.0, {16, 8}},
                                                            {64, 128, 1.0, {8, 8}},
                                                            {32, 128, 0.5, {8, 4}}}};

/// The computation and the traffic of one frame of a layer by the sheet's rules.
struct NvdlaLayerWork {
    double products = 0.0;  // one per cycle and MAC
    double results = 0.0;   // of the convolution
    double inputBytes = 0.0, filterBytes = 0.0, outputBytes = 0.0;
    double pooledBytes = 0.0;  // read first, for a pool
};
NvdlaLayerWork nvdlaLayerWork(const NvdlaLayer& layer, const NvdlaPoint& point);

/// Cycles of one layer and frame in the sheet's model: it takes the longer of the two.
struct NvdlaLayerCycles {
    double mac = 0.0;
    double dram = 0.0;
    double poolDram = 0.0;  // before both
};
NvdlaLayerCycles nvdlaLayerCycles(const NvdlaLayer& layer, const NvdlaPoint& point);

double nvdlaFramesPerSecond(const std::vector<NvdlaLayer>& layers, const NvdlaPoint& point);

}  // namespace vnpu::sim
