// SPDX-License-Identifier: Apache-2.0
// Architectures: He et al., "Deep Residual Learning" (2015), version 1.5 with the stride in the 3 x
// 3 convolution; MLPerf Tiny reference model.
#include <fmt/format.h>

#include <array>

#include "sim/models/zoo.h"

namespace vnpu::sim::zoo {

namespace {

using Activation = LayerBuilder::Activation;

constexpr WindowSpec::Padding kBordered = WindowSpec::Padding::kExplicit;

/// A block of ResNet-8: two 3 x 3 convolutions; the shortcut is a 1 x 1 convolution where the shape
/// changes.
Layer basicBlock(LayerBuilder& net, const std::string& name, const Layer& in,
                 std::uint32_t channels, std::uint32_t stride) {
    Layer x = net.conv(name + "_conv0", in, channels, {3, 3, stride}, Activation::RELU);
    x = net.conv(name + "_conv1", x, channels, {3, 3}, Activation::NONE);
    const Layer shortcut = stride == 1 ? in
                                       : net.conv(name + "_shortcut", in, channels, {1, 1, stride},
                                                  Activation::NONE);
    return net.add(name + "_add", shortcut, x, Activation::RELU);
}

struct Stage {
    std::uint32_t channels, blocks, stride;
};

constexpr std::array<Stage, 4> kResnet50 = {{{64, 3, 1}, {128, 4, 2}, {256, 6, 2}, {512, 3, 2}}};

Layer bottleneck(LayerBuilder& net, const std::string& name, const Layer& in,
                 std::uint32_t channels, std::uint32_t stride, bool isFirst) {
    constexpr std::uint32_t kExpansion = 4;
    Layer x = net.conv(name + "_reduce", in, channels, {}, Activation::RELU);
    x = net.conv(name + "_conv", x, channels, {3, 3, stride, kBordered, 1}, Activation::RELU);
    x = net.conv(name + "_expand", x, channels * kExpansion, {}, Activation::NONE);
    const Layer shortcut = isFirst ? net.conv(name + "_shortcut", in, channels * kExpansion,
                                              {1, 1, stride}, Activation::NONE)
                                   : in;
    return net.add(name + "_add", shortcut, x, Activation::RELU);
}

Layer classify(LayerBuilder& net, const Layer& features, std::uint32_t classes) {
    const Layer flat = net.flatten("reshape", net.globalAveragePool("pool", features));
    return net.softmax("softmax", net.fullyConnected("logits", flat, classes, Activation::NONE));
}

}  // namespace

Layer resnet8(LayerBuilder& net) {
    Layer x = net.input("input", {32, 32, 3});
    x = net.conv("conv", x, 16, {3, 3}, Activation::RELU);
    x = basicBlock(net, "block0", x, 16, 1);
    x = basicBlock(net, "block1", x, 32, 2);
    x = basicBlock(net, "block2", x, 64, 2);
    return classify(net, x, 10);
}

Layer resnet50(LayerBuilder& net) {
    Layer x = net.input("input", {224, 224, 3});
    x = net.conv("conv1", x, 64, {7, 7, 2, kBordered, 3}, Activation::RELU);
    x = net.maxPool("pool1", x, {3, 3, 2, kBordered, 1});
    for (std::size_t stage = 0; stage < kResnet50.size(); ++stage) {
        const Stage& spec = kResnet50[stage];
        for (std::uint32_t i = 0; i < spec.blocks; ++i) {
            x = bottleneck(net, fmt::format("stage{}_block{}", stage + 2, i), x, spec.channels,
                           i == 0 ? spec.stride : 1, i == 0);
        }
    }
    return classify(net, x, 1000);
}

}  // namespace vnpu::sim::zoo
