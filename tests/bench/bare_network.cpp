// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bare_network.h"

#include <bit>
#include <cstring>

#include "hw_model/kernels/kernels.h"
#include "tests/bench/pattern.h"

namespace vnpu::bench {
namespace {

// One flat memory stands for an unlimited SRAM: activations alternate between two places, followed
// by the weights.
constexpr std::uint32_t kActivations = 1U << 20;  // the largest layer, 112 x 112 x 64, has 802,816

std::size_t weightsOf(const hw::MacConv& work) {
    const bool isDepthwise = (work.flags & hw::kMacDepthwise) != 0;
    return std::size_t{work.filterHeight} * work.filterWidth * work.outputChannels *
           (isDepthwise ? 1 : work.inputChannels);
}

}  // namespace

BareNetwork::BareNetwork(const std::vector<ConvLayer>& layers, Numeric numeric)
    : type_(numeric == Numeric::kInt8 ? hw::ElementType::kInt8 : hw::ElementType::kFloat32) {
    memory_.resize(std::size_t{2} * kActivations * hw::elementBytes(type_));
    for (const ConvLayer& layer : layers) {
        addLayer(layer);
    }
    fill();
}

void BareNetwork::addLayer(const ConvLayer& layer) {
    const auto bytes = static_cast<std::uint32_t>(hw::elementBytes(type_));
    const std::uint32_t places[2] = {0, kActivations * bytes};
    const auto tables = static_cast<std::uint32_t>(memory_.size());
    const std::uint32_t tableBytes =
            (layer.outputChannels * 12 + 63) / 64 * 64;  // bias, multiplier and shift
    hw::MacConv work{};
    work.inputType = work.filterType = work.outputType = type_;
    work.flags = hw::kMacDrain | (layer.isDepthwise ? hw::kMacDepthwise : 0);
    work.inputZeroPoint = type_ == hw::ElementType::kInt8 ? -128 : 0;
    work.inputSram = places[commands_.size() % 2];
    work.outputSram = places[1 - commands_.size() % 2];
    work.filterSram = tables + tableBytes;
    work.inputHeight = work.inputWidth = layer.inputSize;
    work.inputChannels = layer.inputChannels;
    work.inputPixelBytes = layer.inputChannels * bytes;
    work.inputRowBytes = layer.inputSize * work.inputPixelBytes;
    work.outputHeight = work.outputWidth = layer.outputSize;
    work.outputChannels = layer.outputChannels;
    work.outputPixelBytes = layer.outputChannels * bytes;
    work.outputRowBytes = layer.outputSize * work.outputPixelBytes;
    work.filterHeight = work.filterWidth = static_cast<std::uint16_t>(layer.filter);
    work.strideHeight = work.strideWidth = static_cast<std::uint16_t>(layer.stride);
    work.dilationHeight = work.dilationWidth = 1;
    work.padTop = work.padLeft = static_cast<std::int32_t>(layer.padding);
    work.depthMultiplier = 1;
    setOutputStage(work, tables);
    memory_.resize(work.filterSram + (weightsOf(work) * bytes + 63) / 64 * 64);
    commands_.push_back(work);
}

void BareNetwork::setOutputStage(hw::MacConv& work, std::uint32_t tables) const {
    hw::OutputStage& stage = work.outputStage;
    stage.biasSram = tables;
    stage.flags = hw::kOutputHasBias;
    if (type_ == hw::ElementType::kFloat32) {
        stage.clampMin = std::bit_cast<std::int32_t>(0.0F);
        stage.clampMax = std::bit_cast<std::int32_t>(6.0F);
        return;
    }
    stage.flags |= hw::kOutputPerChannel;
    stage.scaleSram = tables + work.outputChannels * 4;
    stage.zeroPoint = -128;
    stage.clampMin = -128;
    stage.clampMax = 127;
}

void BareNetwork::fill() {
    if (type_ == hw::ElementType::kFloat32) {
        fillFloats();
        return;
    }
    Pattern pattern;
    for (std::byte& byte : memory_) {
        byte = pattern.nextByte();
    }
    for (const hw::MacConv& work : commands_) {
        setScales(work);
    }
}

// Values around 1: sums neither overflow nor become denormal, which would take longer.
void BareNetwork::fillFloats() {
    Pattern pattern;
    for (std::size_t i = 0; i < memory_.size(); i += sizeof(float)) {
        const float value = pattern.nextFloat();
        std::memcpy(&memory_[i], &value, sizeof(value));
    }
    for (const hw::MacConv& work : commands_) {
        const std::size_t weights = weightsOf(work);
        const float reach = reachOfWeights(weights / work.outputChannels);
        for (std::size_t i = 0; i < weights; ++i) {
            const float value = pattern.nextFloat() * reach;
            std::memcpy(&memory_[work.filterSram + i * sizeof(float)], &value, sizeof(value));
        }
    }
}

void BareNetwork::setScales(const hw::MacConv& work) {
    const std::int32_t scale[2] = {0x40000000, -9};
    for (std::uint32_t channel = 0; channel < work.outputChannels; ++channel) {
        std::memcpy(&memory_[work.outputStage.scaleSram + channel * sizeof(scale)], scale,
                    sizeof(scale));
    }
}

void BareNetwork::runLayers(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        // Sums that are drained immediately need no accumulators.
        hw::kernels::macConv(commands_[i], memory_.data(), nullptr);
    }
}

BareMobileNet::BareMobileNet()
    : network_(mobileNetV1Layers(), Numeric::kInt8), macs_(macsOf(mobileNetV1Layers())) {}

void BareMobileNet::run() {
    const std::size_t classifier = network_.layerCount() - 1;
    network_.runLayers(0, classifier);
    const hw::MacConv& last = network_.command(classifier);
    hw::VecPool pool{};
    pool.type = hw::ElementType::kInt8;
    pool.kind = hw::PoolKind::kAverage;
    pool.inputSram = network_.command(classifier - 1).outputSram;
    pool.outputSram = last.inputSram == pool.inputSram ? last.outputSram : last.inputSram;
    pool.inputHeight = pool.inputWidth = 7;
    pool.channels = last.inputChannels;
    pool.outputHeight = pool.outputWidth = 1;
    pool.windowHeight = pool.windowWidth = 7;
    pool.strideHeight = pool.strideWidth = 1;
    pool.clampMin = -128;
    pool.clampMax = 127;
    hw::kernels::vecPool(pool, network_.sram());
    network_.runLayers(classifier, classifier + 1);
    hw::VecSoftmax softmax{};
    softmax.type = hw::ElementType::kInt8;
    softmax.inputSram = last.outputSram;
    softmax.outputSram = last.inputSram;
    softmax.outer = softmax.inner = 1;
    softmax.axis = last.outputChannels;
    softmax.inputMultiplier = 0x40000000;
    softmax.inputLeftShift = 23;
    softmax.diffMin = -248;
    hw::kernels::vecSoftmax(softmax, network_.sram());
}

}  // namespace vnpu::bench
