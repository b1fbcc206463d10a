// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/channel_slice.h"

#include <utility>

namespace vnpu::driver {

bool hasIndependentChannels(const ConvNode& conv) {
    return !conv.isDepthwise() && conv.groups == 1 && conv.outputRowStride == 0 &&
           conv.outputImageStride == 0;
}

TensorId addSlice(Graph& graph, TensorId whole, std::size_t dimension, const Channels& channels) {
    Tensor slice = graph.tensors[whole];
    slice.shape[dimension] = channels.count;
    std::uint64_t inner = 1;
    for (std::size_t d = dimension + 1; d < slice.shape.size(); ++d) {
        inner *= slice.shape[d];
    }
    slice.byteOffset += channels.first * inner * slice.elementBytes();
    graph.tensors.push_back(std::move(slice));
    return static_cast<TensorId>(graph.tensors.size() - 1);
}

void keepChannels(Graph& graph, ConvNode& conv, const Channels& channels) {
    conv.bias = conv.bias == kNoTensor ? kNoTensor : addSlice(graph, conv.bias, 0, channels);
    conv.firstScale += channels.first;
    conv.geometry.outputChannels = channels.count;
}

}  // namespace vnpu::driver
