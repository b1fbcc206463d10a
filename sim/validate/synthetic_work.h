// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"
#include "driver/result.h"

namespace vnpu::sim {

/// A layer of which only the amount of work is known: the computation and the traffic of a device
/// according to a reference, without a compiler.
struct SyntheticLayer {
    std::uint64_t macCycles = 0;    // of the array
    std::uint64_t results = 0;      // of the array in these cycles
    std::uint64_t inputBytes = 0;   // read from memory, on the channel of activations
    std::uint64_t filterBytes = 0;  // read, on the channel of weights
    std::uint64_t outputBytes = 0;  // written
    std::uint64_t pooledBytes = 0;  // read first, while nothing is computed

    bool operator==(const SyntheticLayer&) const = default;
};

/// Layers that run one after the other.
struct SyntheticWork {
    std::vector<SyntheticLayer> layers;
    /// Uses as few tiles as the SRAM allows, even if engines are idle; else the number of tiles
    /// with the shortest time.
    bool inLargestTiles = false;
};

/// Replaces the commands of `model` by commands that do `work`.
///
/// Each layer is divided into tiles of equal work. Two tiles are in SRAM at the same time; two
/// fifths of a tile are for input, two for filters, one for results. The input and the filters of a
/// tile are loaded while the previous tile is computed and the results of the one before that are
/// stored. Filters may be loaded while the previous layer runs; input may not, because it is the
/// result of that layer. The array's commands read the loaded bytes and write the stored ones;
/// their own shape (a column of pixels and a filter of as many rows) only determines their cycles.
///
/// RESOURCE_EXHAUSTED_PERSISTENT if the SRAM is too small. INVALID_ARGUMENT on devices whose array
/// loads a stationary tile while another one streams, because the cycles of a command are not so
/// simple there.
driver::Result<driver::CompiledModel> withSyntheticWork(driver::CompiledModel model,
                                                        const SyntheticWork& work,
                                                        const driver::DeviceInfo& device);

}  // namespace vnpu::sim
