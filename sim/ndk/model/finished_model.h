// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/ndk/memory/memory.h"

namespace vnpu::sim::ndk {

/// One graph with its constants, without the graphs that it refers to. Constant.
struct ModelGraph {
    nn::V1_3::Subgraph subgraph;  // locations are relative to this graph's values, pools, children
    std::vector<std::uint8_t> values;
    std::vector<SharedMemory> pools;
    std::vector<std::shared_ptr<const ModelGraph>> children;  // of SUBGRAPH operands
    std::uint32_t depth = 1;                                  // graphs inside each other
};

/// A model in the form of the HAL, valid and with its operations in an order of execution.
/// Constant.
struct FinishedModel {
    nn::V1_3::Model hal;              // borrows the handles of `pools`
    std::vector<SharedMemory> pools;  // behind hal.pools
    /// By operation of hal.main, its number in the order of addOperation.
    std::vector<std::uint32_t> addedAs;
};

/// Joins a graph and all graphs below it.
FinishedModel joinGraphs(const ModelGraph& graph);

}  // namespace vnpu::sim::ndk
