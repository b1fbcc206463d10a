// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace vnpu::bench {

enum class Numeric { kInt8, kFloat32 };

/// A convolution of square images and filters, batch 1. A fully connected layer is a convolution of
/// a single pixel.
struct ConvLayer {
    std::uint32_t inputSize, inputChannels;
    std::uint32_t outputSize, outputChannels;
    std::uint32_t filter, stride;
    std::uint32_t padding;  // at the top and the left; elsewhere it follows from the output size
    bool isDepthwise;

    std::uint32_t taps() const { return filter * filter * (isDepthwise ? 1 : inputChannels); }
    std::uint64_t macs() const {
        return std::uint64_t{outputSize} * outputSize * outputChannels * taps();
    }
};

/// MobileNetV1 1.0 at 224 x 224: a first convolution, 13 pairs of depthwise and pointwise ones, the
/// classifier. source: Howard et al., "MobileNets" (2017), table 1; SAME padding
std::vector<ConvLayer> mobileNetV1Layers();

/// ResNet-50 version 1.5: a first convolution, 16 blocks of three and the shortcuts of four of
/// them, the classifier. source: He et al., "Deep Residual Learning" (2015), table 1
std::vector<ConvLayer> resNet50Layers();

std::uint64_t macsOf(const std::vector<ConvLayer>& layers);

}  // namespace vnpu::bench
