// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {

/// 8 x 6 x 4 -> 3 x 3 convolution -> 8 x 6 x 8 -> 3 x 3 pool, stride 2, padded below -> 4 x 3 x 8.
inline Graph convolutionAndPool() {
    Graph graph;
    ConvNode conv;
    conv.input = addTensor(graph, StorageKind::kInput, {1, 8, 6, 4});
    conv.filter = addTensor(graph, StorageKind::kPool, {8, 3, 3, 4});
    conv.output = addTensor(graph, StorageKind::kScratch, {1, 8, 6, 8});
    conv.geometry = {.inputHeight = 8,
                     .inputWidth = 6,
                     .inputChannels = 4,
                     .outputHeight = 8,
                     .outputWidth = 6,
                     .outputChannels = 8,
                     .filterHeight = 3,
                     .filterWidth = 3,
                     .padTop = 1,
                     .padLeft = 1};
    PoolNode pool;
    pool.input = conv.output;
    pool.output = addTensor(graph, StorageKind::kOutput, {1, 4, 3, 8});
    pool.geometry = {.inputHeight = 8,
                     .inputWidth = 6,
                     .inputChannels = 8,
                     .outputHeight = 4,
                     .outputWidth = 3,
                     .outputChannels = 8,
                     .filterHeight = 3,
                     .filterWidth = 3,
                     .strideHeight = 2,
                     .strideWidth = 2};
    graph.outputs = {pool.output};
    graph.nodes.push_back({0, conv});
    graph.nodes.push_back({1, pool});
    return graph;
}

inline constexpr std::size_t kBoth[] = {0, 1};  // its nodes

}  // namespace vnpu::driver::test
