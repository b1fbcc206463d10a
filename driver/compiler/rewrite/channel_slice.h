// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// The channels [first, first + count).
struct Channels {
    std::uint32_t first = 0, count = 0;
};

/// Adds a tensor that is these channels of `whole`, in place; they are its `dimension`.
TensorId addSlice(Graph& graph, TensorId whole, std::size_t dimension, const Channels& channels);

/// Whether a convolution can make some of its output channels without the others.
bool hasIndependentChannels(const ConvNode& conv);

/// Lets it make only these, with their biases and scales; its filter and output stay as they are.
void keepChannels(Graph& graph, ConvNode& conv, const Channels& channels);

}  // namespace vnpu::driver
