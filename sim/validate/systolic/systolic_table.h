// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"
#include "sim/validate/layer_shape.h"
#include "sim/validate/reference_table.h"

namespace vnpu::sim {

/// A layer of a network on a plain systolic array, as SCALE-Sim counts it.
struct SystolicLayer {
    std::string name;
    LayerShape shape;
    std::uint64_t repeat = 1;     // in the network
    std::uint64_t macCycles = 0;  // of one, without waiting for memory
    // Only with limited bandwidth: from the first read of memory to the last write, and words
    // moved.
    std::uint64_t totalCycles = 0;
    std::uint64_t inputWords = 0, filterWords = 0, outputWords = 0;
};

struct SystolicTable {
    std::string network;
    std::uint32_t size = 0;  // of the square array
    hw::Dataflow dataflow = hw::Dataflow::kWeightStationary;
    bool isLimited = false;  // by 16 words a cycle at each of three interfaces
    std::vector<SystolicLayer> layers;

    std::string configName() const;  // "ws32"
};

/// Reads a table of results per layer; throws InputError for contradictory rows.
std::vector<SystolicLayer> systolicLayers(const ReferenceTable& table, bool isLimited);

/// Rows computed by hand from the published closed forms, for use without tables.
std::vector<SystolicTable> builtInSystolicTables();

/// Every table scalesim_<network>_<R>x<R>_<ws|os>[_user16].csv of the folder, by name.
std::vector<SystolicTable> loadSystolicTables(const std::filesystem::path& folder);

}  // namespace vnpu::sim
