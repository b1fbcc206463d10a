// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"
#include "driver/result.h"

namespace vnpu::sim {

/// A layer of which only the amount of work is known: what a device computes and moves according to
/// a reference, without a compiler.
struct SyntheticLayer {
    std::uint64_t macCycles = 0;    // of the array
    std::uint64_t results = 0;      // that the array makes in them
    std::uint64_t inputBytes = 0;   // read from memory, on the channel of activations
    std::uint64_t filterBytes = 0;  // read, on the channel of weights
    std::uint64_t outputBytes = 0;  // written
    std::uint64_t pooledBytes = 0;  // read before, while nothing is computed

    bool operator==(const SyntheticLayer&) const = default;
};

/// Layers that run one after the other.
struct SyntheticWork {
    std::vector<SyntheticLayer> layers;
    /// Uses as few tiles as the SRAM allows, even if engines are idle; else the number of tiles
    /// with the shortest time.
    bool inLargestTiles = false;
};

/// Puts commands that do `work` in the place of those of `model`, whatever that computes.
///
/// Each layer comes in tiles of equal work, of which two lie in SRAM side by side, two fifths of it
/// for input, two for filters, one for results: a tile's input and filters are loaded while the one
/// before is computed and the results of the one before that are stored. Filters run ahead into the
/// layer before; input does not, which is its result. The array's commands read and write what the
/// transfers bring and take; their own shape (a column of pixels and a filter of as many rows) is
/// only a way to take a number of cycles.
///
/// RESOURCE_EXHAUSTED_PERSISTENT for what the SRAM can't hold. INVALID_ARGUMENT on devices whose
/// array loads a stationary tile while another streams: how long a command takes is not so simple
/// there.
driver::Result<driver::CompiledModel> withSyntheticWork(driver::CompiledModel model,
                                                        const SyntheticWork& work,
                                                        const driver::DeviceInfo& device);

}  // namespace vnpu::sim
