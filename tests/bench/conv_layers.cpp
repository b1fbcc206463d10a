// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/conv_layers.h"

#include <cstddef>
#include <iterator>

namespace vnpu::bench {
namespace {

struct Shape {
    std::uint32_t size = 0;
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::uint32_t filter = 0;
    std::uint32_t stride = 0;
    bool isDepthwise = false;
};

// SAME padding: an even size with stride 2 is padded only at the bottom and the right.
ConvLayer samePadded(const Shape& s) {
    const bool isPadded = s.filter > 1 && s.stride == 1;
    return {s.size,   s.inputs, s.size / s.stride,           s.outputs,
            s.filter, s.stride, isPadded ? s.filter / 2 : 0, s.isDepthwise};
}

// Half a filter on every side.
ConvLayer centered(const Shape& s) {
    return {s.size,   s.inputs, s.size / s.stride, s.outputs,
            s.filter, s.stride, s.filter / 2,      s.isDepthwise};
}

}  // namespace

std::vector<ConvLayer> mobileNetV1Layers() {
    std::vector<ConvLayer> layers{samePadded({224, 3, 32, 3, 2})};
    std::uint32_t size = 112;
    std::uint32_t channels = 32;
    const std::uint32_t outputs[] = {64,  128, 128, 256, 256,  512, 512,
                                     512, 512, 512, 512, 1024, 1024};
    const std::uint32_t strides[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
    for (std::size_t i = 0; i < std::size(outputs); ++i) {
        layers.push_back(samePadded({size, channels, channels, 3, strides[i], true}));
        size /= strides[i];
        layers.push_back(samePadded({size, channels, outputs[i], 1, 1}));
        channels = outputs[i];
    }
    layers.push_back(samePadded({1, channels, 1001, 1, 1}));
    return layers;
}

std::vector<ConvLayer> resNet50Layers() {
    std::vector<ConvLayer> layers{centered({224, 3, 64, 7, 2})};
    std::uint32_t size = 56;  // after the first pooling
    std::uint32_t inputs = 64;
    const std::uint32_t blocks[] = {3, 4, 6, 3};
    for (std::uint32_t stage = 0; stage < std::size(blocks); ++stage) {
        const std::uint32_t channels = 64U << stage;
        for (std::uint32_t block = 0; block < blocks[stage]; ++block) {
            const std::uint32_t stride = stage > 0 && block == 0 ? 2 : 1;
            layers.push_back(centered({size, inputs, channels, 1, 1}));
            layers.push_back(centered({size, channels, channels, 3, stride}));
            if (block == 0) {
                layers.push_back(centered({size, inputs, 4 * channels, 1, stride}));
            }
            size /= stride;
            layers.push_back(centered({size, channels, 4 * channels, 1, 1}));
            inputs = 4 * channels;
        }
    }
    layers.push_back(centered({1, inputs, 1000, 1, 1}));
    return layers;
}

std::uint64_t macsOf(const std::vector<ConvLayer>& layers) {
    std::uint64_t macs = 0;
    for (const ConvLayer& layer : layers) {
        macs += layer.macs();
    }
    return macs;
}

}  // namespace vnpu::bench
