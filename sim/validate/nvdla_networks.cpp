// SPDX-License-Identifier: Apache-2.0
// Layers of the three networks of NVDLA's spreadsheet. Architectures: He et al. (2015), the stride
// of a stage in its first 1 x 1 convolutions; Krizhevsky et al. (2012), with groups; Szegedy et al.
// (2014). Frames per second: recomputed from the spreadsheet, which the primer rounds.
#include <fmt/format.h>

#include "sim/validate/nvdla_networks.h"

namespace vnpu::sim {

namespace {

NvdlaLayer convolution(std::string name, std::uint32_t size, std::uint32_t channels,
                       std::uint32_t kernels, std::uint32_t kernelSize, std::uint32_t stride = 1) {
    NvdlaLayer layer;
    layer.name = std::move(name);
    layer.inputSize = size;
    layer.channels = channels;
    layer.kernels = kernels;
    layer.kernelSize = kernelSize;
    layer.stride = stride;
    layer.outputSize = layer.pooledSize = (size + stride - 1) / stride;
    layer.isWinograd = kernelSize == 3;
    return layer;
}

NvdlaLayer pooledTo(std::uint32_t size, NvdlaLayer layer) {
    layer.pooledSize = size;
    return layer;
}

NvdlaLayer fullyConnected(std::string name, std::uint32_t inputs, std::uint32_t outputs) {
    NvdlaLayer layer = convolution(std::move(name), 1, inputs, outputs, 1);
    layer.isFullyConnected = true;
    return layer;
}

struct ResNetStage {
    std::uint32_t channels, blocks, stride;
    bool isWinograd;  // found from the published frames: the sheet has no Winograd in conv4
};

constexpr std::array<ResNetStage, 4> kResNetStages = {
        {{64, 3, 1, true}, {128, 4, 2, true}, {256, 6, 2, false}, {512, 3, 2, true}}};

std::vector<NvdlaLayer> resnet50() {
    std::vector<NvdlaLayer> layers = {pooledTo(56, convolution("conv1", 224, 3, 64, 7, 2))};
    std::uint32_t size = 56, channels = 64;
    for (std::size_t stage = 0; stage < kResNetStages.size(); ++stage) {
        const ResNetStage& spec = kResNetStages[stage];
        for (std::uint32_t block = 0; block < spec.blocks; ++block) {
            const std::string name = fmt::format("conv{}_{}", stage + 2, block + 1);
            const std::uint32_t stride = block == 0 ? spec.stride : 1;
            if (block == 0) {
                layers.push_back(convolution(name + "_shortcut", size, channels, 4 * spec.channels,
                                             1, stride));
            }
            layers.push_back(
                    convolution(name + "_reduce", size, channels, spec.channels, 1, stride));
            size = layers.back().outputSize;
            layers.push_back(convolution(name + "_3x3", size, spec.channels, spec.channels, 3));
            layers.back().isWinograd = layers.back().hasWideFilters = spec.isWinograd;
            channels = 4 * spec.channels;
            layers.push_back(convolution(name + "_expand", size, spec.channels, channels, 1));
            layers.back().addsElementwise = true;
        }
    }
    layers.push_back(fullyConnected("fc", channels, 1000));
    return layers;
}

std::vector<NvdlaLayer> alexnet() {
    std::vector<NvdlaLayer> layers = {pooledTo(27, convolution("conv1", 224, 3, 96, 11, 4)),
                                      pooledTo(13, convolution("conv2", 27, 48, 256, 5)),
                                      convolution("conv3", 13, 256, 384, 3),
                                      convolution("conv4", 13, 192, 384, 3),
                                      pooledTo(6, convolution("conv5", 13, 192, 256, 3)),
                                      fullyConnected("fc6", 9216, 4096),
                                      fullyConnected("fc7", 4096, 4096),
                                      fullyConnected("fc8", 4096, 1000)};
    layers[0].outputSize = 54;  // no padding
    layers[1].inputChannels = 96;
    layers[3].inputChannels = layers[4].inputChannels = 384;
    for (NvdlaLayer& layer : layers) {
        layer.hasWideFilters = layer.isWinograd;
    }
    return layers;
}

struct Inception {
    const char* name;
    std::uint32_t size, channels, conv1, reduce3, conv3, reduce5, conv5, pool;
};

constexpr std::array<Inception, 9> kInceptions = {{{"3a", 28, 192, 64, 96, 128, 16, 32, 32},
                                                   {"3b", 28, 256, 128, 128, 192, 32, 96, 64},
                                                   {"4a", 14, 480, 192, 96, 208, 16, 48, 64},
                                                   {"4b", 14, 512, 160, 112, 224, 24, 64, 64},
                                                   {"4c", 14, 512, 128, 128, 256, 24, 64, 64},
                                                   {"4d", 14, 512, 112, 144, 288, 32, 64, 64},
                                                   {"4e", 14, 528, 256, 160, 320, 32, 128, 128},
                                                   {"5a", 7, 832, 256, 160, 320, 32, 128, 128},
                                                   {"5b", 7, 832, 384, 192, 384, 48, 128, 128}}};

std::vector<NvdlaLayer> googlenet() {
    std::vector<NvdlaLayer> layers = {pooledTo(56, convolution("conv1", 224, 3, 64, 7, 2)),
                                      convolution("conv2_reduce", 56, 64, 64, 1),
                                      pooledTo(28, convolution("conv2", 56, 64, 192, 3))};
    const auto sharing = [](NvdlaLayer layer) {
        layer.sharesInput = true;
        return layer;
    };
    for (const Inception& m : kInceptions) {
        const std::string name = m.name;
        layers.push_back(convolution(name + "_1x1", m.size, m.channels, m.conv1, 1));
        layers.push_back(
                sharing(convolution(name + "_3x3_reduce", m.size, m.channels, m.reduce3, 1)));
        layers.push_back(convolution(name + "_3x3", m.size, m.reduce3, m.conv3, 3));
        layers.push_back(
                sharing(convolution(name + "_5x5_reduce", m.size, m.channels, m.reduce5, 1)));
        layers.push_back(convolution(name + "_5x5", m.size, m.reduce5, m.conv5, 5));
        layers.push_back(sharing(convolution(name + "_pool", m.size, m.channels, m.pool, 1)));
        layers.back().poolsInput = true;
    }
    layers.push_back(fullyConnected("fc", 1024, 1000));
    return layers;
}

}  // namespace

std::vector<NvdlaNetwork> nvdlaNetworks() {
    return {{"resnet50", resnet50(), {268.8, 152.6, 92.95, 46.5, 19.98, 7.30, 3.65}},
            {"alexnet", alexnet(), {1896.8, 1236.2, 728.7, 364.3, 160.6, 80.3, 40.2}},
            {"googlenet", googlenet(), {1364.3, 804.2, 429.3, 214.7, 102.2, 50.7, 25.3}}};
}

}  // namespace vnpu::sim
