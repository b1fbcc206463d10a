// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/nvdla_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/models/layer_builder.h"
#include "sim/validate/nvdla_networks.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

using Activation = LayerBuilder::Activation;
using Padding = WindowSpec::Padding;

std::uint32_t foldedExtent(std::uint32_t extent, std::uint32_t stride) {
    return static_cast<std::uint32_t>(divideUp(extent, stride));
}

/// The output is as large as all pixels need it, or there is no padding.
Padding paddingFor(std::uint32_t input, std::uint32_t stride, std::uint32_t output) {
    return output == foldedExtent(input, stride) ? Padding::kSame : Padding::kValid;
}

/// The sheet counts a strided layer as one of stride 1 over stride * stride as many channels, in
/// multiples of 16. So is it here where no channels have to be added.
bool isFolded(const NvdlaLayer& layer) {
    constexpr std::uint32_t kChannelUnit = 16;
    return layer.stride > 1 && layer.channels * layer.stride * layer.stride % kChannelUnit == 0;
}

/// Takes the layers of the sheet one after the other.
class ModelOfSheet {
  public:
    ModelOfSheet(const NvdlaNetwork& network, LayerBuilder& net) : network_(network), net_(net) {}

    /// All before the fully connected layers.
    Layer buildTrunk() {
        Layer x = net_.input("input", {next().inputSize, next().inputSize, next().channels});
        while (!next().isFullyConnected) {
            x = pooledTo(next().inputSize, "pool_before_" + next().name, x);
            if (nextIs("_1x1")) {
                x = module(x);
            } else if (isBlock()) {
                x = block(x);
            } else {
                x = convolution(x, Activation::RELU);
            }
        }
        if (x.dimensions[1] * x.dimensions[2] * x.dimensions[3] != next().channels) {
            x = net_.globalAveragePool("pool", x);
        }
        return net_.flatten("reshape", x);
    }

    Layer buildDense() {
        while (!next().isFullyConnected) {
            ++position_;
        }
        Layer x = net_.flatten("reshape", net_.input("input", {1, 1, next().channels}));
        for (; position_ < network_.layers.size(); ++position_) {
            const bool isLast = position_ + 1 == network_.layers.size();
            x = net_.fullyConnected(next().name, x, next().kernels,
                                    isLast ? Activation::NONE : Activation::RELU);
        }
        return x;
    }

  private:
    const NvdlaLayer& next() const { return network_.layers.at(position_); }
    /// A block of ResNet-50 begins here: its third or fourth layer adds the shortcut.
    bool isBlock() const {
        constexpr std::size_t kLongest = 4;
        const auto first = network_.layers.begin() + static_cast<std::ptrdiff_t>(position_);
        const auto last = first + std::min<std::ptrdiff_t>(kLongest, network_.layers.end() - first);
        return std::any_of(first, last, [](const auto& layer) { return layer.addsElementwise; });
    }
    bool nextIs(const char* suffix) const { return next().name.ends_with(suffix); }

    Layer pooledTo(std::uint32_t size, const std::string& name, const Layer& in) {
        if (in.dimensions[1] == size) {
            return in;
        }
        constexpr std::uint32_t kStride = 2;
        return net_.maxPool(name, in, {3, 3, kStride, paddingFor(in.dimensions[1], kStride, size)});
    }

    /// The next layer, and the pool that belongs to it.
    Layer convolution(const Layer& from, Activation activation) {
        const NvdlaLayer& layer = network_.layers.at(position_++);
        Layer in = from;
        WindowSpec window{layer.kernelSize, layer.kernelSize, layer.stride,
                          paddingFor(layer.inputSize, layer.stride, layer.outputSize)};
        if (isFolded(layer)) {
            in = net_.foldPixels(layer.name + "_input", from, layer.stride);
            window.height = window.width = foldedExtent(layer.kernelSize, layer.stride);
            window.stride = 1;
        }
        const std::uint32_t groups =
                layer.inputChannels != 0 ? layer.inputChannels / layer.channels : 1;
        return pooledTo(
                layer.pooledSize, layer.name + "_pool",
                net_.groupedConv(layer.name, in, layer.kernels, groups, window, activation));
    }

    /// A block of ResNet-50.
    Layer block(const Layer& in) {
        const Layer shortcut = nextIs("_shortcut") ? convolution(in, Activation::NONE) : in;
        Layer x = convolution(in, Activation::RELU);
        x = convolution(x, Activation::RELU);
        const std::string sum = next().name + "_sum";
        return net_.add(sum, shortcut, convolution(x, Activation::NONE), Activation::RELU);
    }

    /// A module of GoogLeNet.
    Layer module(const Layer& in) {
        const std::string name = next().name + "_joined";
        const Layer one = convolution(in, Activation::RELU);
        Layer three = convolution(in, Activation::RELU);
        three = convolution(three, Activation::RELU);
        Layer five = convolution(in, Activation::RELU);
        five = convolution(five, Activation::RELU);
        const Layer pool = net_.maxPool(next().name + "_input", in, {3, 3});
        return net_.concatenate(name, {one, three, five, convolution(pool, Activation::RELU)});
    }

    const NvdlaNetwork& network_;
    LayerBuilder& net_;
    std::size_t position_ = 0;
};

}  // namespace

Network nvdlaModelNetwork(const NvdlaModel& model) {
    const std::vector<NvdlaNetwork> networks = nvdlaNetworks();
    const auto found = std::find_if(networks.begin(), networks.end(), [&](const auto& network) {
        return network.name == model.network;
    });
    if (found == networks.end()) {
        throw InputError(fmt::format(
                "the network is {}, expected one of NVDLA's sheet: resnet50, alexnet or googlenet",
                model.network));
    }
    NetworkOptions options;
    options.zeroWeights = true;
    options.batch = model.isDense ? kNvdlaDenseFrames : 1;
    LayerBuilder net(model.network, Numeric::kInt8, options);
    ModelOfSheet sheet(*found, net);
    return net.build(model.isDense ? sheet.buildDense() : sheet.buildTrunk());
}

}  // namespace vnpu::sim
