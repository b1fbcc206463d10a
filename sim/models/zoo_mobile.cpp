// SPDX-License-Identifier: Apache-2.0
// Architectures: Howard et al., "MobileNets" (2017); Sandler et al., "MobileNetV2" (2018); MLPerf
// Tiny reference models.
#include <fmt/format.h>

#include <array>

#include "sim/models/zoo.h"

namespace vnpu::sim::zoo {

namespace {

using Activation = LayerBuilder::Activation;

constexpr WindowSpec kPointwise{};

struct Separable {
    std::uint32_t channels, stride;
};

/// The 13 depthwise separable blocks, for width multiplier 1.
constexpr std::array<Separable, 13> kMobilenetV1 = {{{64, 1},
                                                     {128, 2},
                                                     {128, 1},
                                                     {256, 2},
                                                     {256, 1},
                                                     {512, 2},
                                                     {512, 1},
                                                     {512, 1},
                                                     {512, 1},
                                                     {512, 1},
                                                     {512, 1},
                                                     {1024, 2},
                                                     {1024, 1}}};

Layer separable(LayerBuilder& net, const std::string& name, const Layer& in, const Separable& block,
                Activation activation) {
    const Layer spatial = net.depthwise(name + "_depthwise", in, {3, 3, block.stride}, activation);
    return net.conv(name + "_pointwise", spatial, block.channels, kPointwise, activation);
}

/// MobileNet v1 up to the average over the picture; `divisor` is 1 / width multiplier.
Layer mobilenetV1Features(LayerBuilder& net, std::uint32_t size, std::uint32_t divisor,
                          Activation activation) {
    Layer x = net.input("input", {size, size, 3});
    x = net.conv("conv0", x, 32 / divisor, {3, 3, 2}, activation);
    for (std::size_t i = 0; i < kMobilenetV1.size(); ++i) {
        const Separable block{kMobilenetV1[i].channels / divisor, kMobilenetV1[i].stride};
        x = separable(net, fmt::format("conv{}", i + 1), x, block, activation);
    }
    return net.globalAveragePool("pool", x);
}

Layer classifyByConv(LayerBuilder& net, const Layer& features, std::uint32_t classes) {
    const Layer logits = net.conv("logits", features, classes, kPointwise, Activation::NONE);
    return net.softmax("softmax", net.flatten("reshape", logits));
}

Layer classifyDense(LayerBuilder& net, const Layer& features, std::uint32_t classes) {
    const Layer flat = net.flatten("reshape", features);
    return net.softmax("softmax", net.fullyConnected("logits", flat, classes, Activation::NONE));
}

struct Bottleneck {
    std::uint32_t expansion, channels, repeats, stride;
};

/// Table 2 of the paper.
constexpr std::array<Bottleneck, 7> kMobilenetV2 = {{{1, 16, 1, 1},
                                                     {6, 24, 2, 2},
                                                     {6, 32, 3, 2},
                                                     {6, 64, 4, 2},
                                                     {6, 96, 3, 1},
                                                     {6, 160, 3, 2},
                                                     {6, 320, 1, 1}}};

Layer bottleneck(LayerBuilder& net, const std::string& name, const Layer& in,
                 const Bottleneck& block, std::uint32_t stride) {
    const std::uint32_t depth = in.dimensions[3];
    Layer x = in;
    if (block.expansion != 1) {
        x = net.conv(name + "_expand", x, depth * block.expansion, kPointwise, Activation::RELU6);
    }
    x = net.depthwise(name + "_depthwise", x, {3, 3, stride}, Activation::RELU6);
    x = net.conv(name + "_project", x, block.channels, kPointwise, Activation::NONE);
    return stride == 1 && depth == block.channels ? net.add(name + "_add", x, in, Activation::NONE)
                                                  : x;
}

}  // namespace

Layer mobilenetV1(LayerBuilder& net) {
    return classifyByConv(net, mobilenetV1Features(net, 224, 1, Activation::RELU6), 1001);
}

Layer mobilenetV1Half(LayerBuilder& net) {
    return classifyByConv(net, mobilenetV1Features(net, 160, 2, Activation::RELU6), 1001);
}

Layer mobilenetV1Small(LayerBuilder& net) {
    return classifyDense(net, mobilenetV1Features(net, 96, 4, Activation::RELU), 2);
}

Layer mobilenetV2(LayerBuilder& net) {
    Layer x = net.input("input", {224, 224, 3});
    x = net.conv("conv", x, 32, {3, 3, 2}, Activation::RELU6);
    int index = 0;
    for (const Bottleneck& block : kMobilenetV2) {
        for (std::uint32_t i = 0; i < block.repeats; ++i, ++index) {
            x = bottleneck(net, fmt::format("block{}", index), x, block, i == 0 ? block.stride : 1);
        }
    }
    x = net.conv("conv_last", x, 1280, kPointwise, Activation::RELU6);
    return classifyByConv(net, net.globalAveragePool("pool", x), 1001);
}

Layer dsCnn(LayerBuilder& net) {
    Layer x = net.input("input", {49, 10, 1});
    x = net.conv("conv0", x, 64, {10, 4, 2}, Activation::RELU);
    for (int i = 1; i <= 4; ++i) {
        x = separable(net, fmt::format("conv{}", i), x, {64, 1}, Activation::RELU);
    }
    return classifyDense(net, net.globalAveragePool("pool", x), 12);
}

Layer autoencoder(LayerBuilder& net) {
    Layer x = net.input("input", {640});
    int index = 0;
    for (const std::uint32_t units : {128U, 128U, 128U, 128U, 8U, 128U, 128U, 128U, 128U}) {
        x = net.fullyConnected(fmt::format("dense{}", index++), x, units, Activation::RELU);
    }
    return net.fullyConnected("output", x, 640, Activation::NONE);
}

Layer elman(LayerBuilder& net) {
    constexpr std::uint32_t kState = 128;
    // The sum of two fully connected layers, rectified: the result of add() below.
    constexpr double kStateMeanSquare = 0.8 * (4.0 + 4.0);
    const Layer features = net.input("features", {64});
    const Layer before = net.state("state", {kState}, Activation::RELU, kStateMeanSquare);
    const Layer seen = net.fullyConnected("seen", features, kState, Activation::NONE);
    const Layer kept = net.fullyConnected("kept", before, kState, Activation::NONE);
    const Layer after = net.add("next_state", seen, kept, Activation::RELU);
    net.alsoOutput(after);
    return net.softmax("softmax", net.fullyConnected("logits", after, 12, Activation::NONE));
}

}  // namespace vnpu::sim::zoo
