// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/validate/layer_parameters.h"

namespace vnpu::sim {

/// A network on one core of ONNXim: a weight-stationary array of `size` x `size`, 1-byte elements,
/// one channel of HBM2.
struct OnnximRow {
    std::string network;  // "gemm512", "resnet50"
    std::uint32_t size = 0;
    std::uint64_t cycles = 0;
    std::uint64_t bytes = 0;  // of memory, both ways; too few for networks with 3 x 3 filters
};

/// The rows own_<R>x<R>_c1 of onnxim_totals.csv; empty if the folder has no such file. Throws
/// InputError for mistakes in it.
std::vector<OnnximRow> loadOnnximRows(const std::filesystem::path& folder);

inline constexpr double kOnnximBytesPerCycle = 38.4;  // source: one channel of HBM2 at 1 GHz

/// Cycles of the array for an untiled layer by ONNXim's rules: channels of one tap at a time are on
/// the rows, and the next stationary tile is loaded while the present one streams.
double onnximArrayCycles(const LayerParameters& layer, std::uint32_t size);

}  // namespace vnpu::sim
