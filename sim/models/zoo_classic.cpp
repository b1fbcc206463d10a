// SPDX-License-Identifier: Apache-2.0
// Architectures: Krizhevsky, "One weird trick for parallelizing convolutional neural networks"
// (2014); Simonyan and Zisserman, "Very Deep Convolutional Networks" (2014), configuration D;
// Szegedy et al., "Going Deeper with Convolutions" (2014). Local response normalization is left out
// of AlexNet and GoogLeNet, as their later implementations do; so are GoogLeNet's side classifiers.
#include <fmt/format.h>

#include <array>
#include <string>

#include "sim/models/zoo.h"

namespace vnpu::sim::zoo {

namespace {

using Activation = LayerBuilder::Activation;

constexpr WindowSpec::Padding kValid = WindowSpec::Padding::kValid;
constexpr WindowSpec::Padding kExplicit = WindowSpec::Padding::kExplicit;

/// The three dense layers that end AlexNet and VGG.
Layer classify(LayerBuilder& net, const Layer& features) {
    Layer x = net.flatten("reshape", features);
    x = net.fullyConnected("fc6", x, 4096, Activation::RELU);
    x = net.fullyConnected("fc7", x, 4096, Activation::RELU);
    return net.softmax("softmax", net.fullyConnected("logits", x, 1000, Activation::NONE));
}

struct Inception {
    const char* name;
    std::uint32_t conv1, reduce3, conv3, reduce5, conv5, pool;
};

/// Table 1 of the paper; a pool follows 3b and 4e.
constexpr std::array<Inception, 9> kInceptions = {{{"3a", 64, 96, 128, 16, 32, 32},
                                                   {"3b", 128, 128, 192, 32, 96, 64},
                                                   {"4a", 192, 96, 208, 16, 48, 64},
                                                   {"4b", 160, 112, 224, 24, 64, 64},
                                                   {"4c", 128, 128, 256, 24, 64, 64},
                                                   {"4d", 112, 144, 288, 32, 64, 64},
                                                   {"4e", 256, 160, 320, 32, 128, 128},
                                                   {"5a", 256, 160, 320, 32, 128, 128},
                                                   {"5b", 384, 192, 384, 48, 128, 128}}};

Layer inception(LayerBuilder& net, const Inception& module, const Layer& in) {
    const std::string name = fmt::format("inception{}", module.name);
    const auto conv = [&](const char* part, const Layer& from, std::uint32_t channels,
                          std::uint32_t size) {
        return net.conv(name + part, from, channels, {size, size}, Activation::RELU);
    };
    const Layer one = conv("_1x1", in, module.conv1, 1);
    const Layer three = conv("_3x3", conv("_3x3_reduce", in, module.reduce3, 1), module.conv3, 3);
    const Layer five = conv("_5x5", conv("_5x5_reduce", in, module.reduce5, 1), module.conv5, 5);
    const Layer pool = net.maxPool(name + "_pool", in, {3, 3});
    const Layer projection = conv("_pool_project", pool, module.pool, 1);
    return net.concatenate(name, {one, three, five, projection});
}

}  // namespace

Layer alexnet(LayerBuilder& net) {
    Layer x = net.input("input", {224, 224, 3});
    x = net.conv("conv1", x, 64, {11, 11, 4, kExplicit, 2}, Activation::RELU);
    x = net.maxPool("pool1", x, {3, 3, 2, kValid});
    x = net.conv("conv2", x, 192, {5, 5}, Activation::RELU);
    x = net.maxPool("pool2", x, {3, 3, 2, kValid});
    x = net.conv("conv3", x, 384, {3, 3}, Activation::RELU);
    x = net.conv("conv4", x, 256, {3, 3}, Activation::RELU);
    x = net.conv("conv5", x, 256, {3, 3}, Activation::RELU);
    return classify(net, net.maxPool("pool5", x, {3, 3, 2, kValid}));
}

Layer vgg16(LayerBuilder& net) {
    struct Group {
        std::uint32_t channels, convolutions;
    };
    constexpr std::array<Group, 5> kGroups = {{{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}}};
    Layer x = net.input("input", {224, 224, 3});
    for (std::size_t group = 0; group < kGroups.size(); ++group) {
        for (std::uint32_t i = 1; i <= kGroups[group].convolutions; ++i) {
            x = net.conv(fmt::format("conv{}_{}", group + 1, i), x, kGroups[group].channels, {3, 3},
                         Activation::RELU);
        }
        x = net.maxPool(fmt::format("pool{}", group + 1), x, {2, 2, 2, kValid});
    }
    return classify(net, x);
}

Layer googlenet(LayerBuilder& net) {
    Layer x = net.input("input", {224, 224, 3});
    x = net.conv("conv1", x, 64, {7, 7, 2, kExplicit, 3}, Activation::RELU);
    x = net.maxPool("pool1", x, {3, 3, 2});
    x = net.conv("conv2_reduce", x, 64, {}, Activation::RELU);
    x = net.conv("conv2", x, 192, {3, 3}, Activation::RELU);
    x = net.maxPool("pool2", x, {3, 3, 2});
    for (const Inception& module : kInceptions) {
        x = inception(net, module, x);
        const std::string name = module.name;
        if (name == "3b" || name == "4e") {
            x = net.maxPool("pool" + name.substr(0, 1), x, {3, 3, 2});
        }
    }
    x = net.flatten("reshape", net.globalAveragePool("pool5", x));
    return net.softmax("softmax", net.fullyConnected("logits", x, 1000, Activation::NONE));
}

}  // namespace vnpu::sim::zoo
