// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bare_network.h"

#include <cstring>

#include "hw_model/kernels/kernels.h"

namespace vnpu::bench {

namespace {

// One flat memory stands for an endless SRAM: activations alternate between two places, weights lie
// behind them.
constexpr std::uint32_t kActivationBytes = 1U
                                           << 20;  // the largest layer, 112 x 112 x 64, has 802,816
constexpr std::uint32_t kWeights = 2 * kActivationBytes;
constexpr std::uint32_t kTableBytes = 1024 * 12;  // bias, multiplier and shift of the widest layer
constexpr std::uint32_t kClasses = 1001;

}  // namespace

BareMobileNet::BareMobileNet() {
    memory_.resize(kWeights);
    addConvolution(224, 3, 32, 3, 2, false);
    std::uint32_t size = 112;
    std::uint32_t channels = 32;
    const std::uint32_t outputs[] = {64,  128, 128, 256, 256,  512, 512,
                                     512, 512, 512, 512, 1024, 1024};
    const std::uint32_t strides[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
    for (std::size_t i = 0; i < std::size(outputs); ++i) {
        addConvolution(size, channels, channels, 3, strides[i], true);
        size /= strides[i];
        addConvolution(size, channels, outputs[i], 1, 1, false);
        channels = outputs[i];
    }
    addConvolution(1, channels, kClasses, 1, 1, false);
    // Any bytes will do: the arithmetic costs the same. A fixed pattern keeps runs alike.
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < memory_.size(); ++i) {
        state = state * 1664525U + 1013904223U;
        memory_[i] = static_cast<std::byte>(state >> 24);
    }
    for (const hw::MacConv& work : convolutions_) {
        for (std::uint32_t channel = 0; channel < work.outputChannels; ++channel) {
            const std::int32_t scale[2] = {0x40000000, -9};
            std::memcpy(&memory_[work.outputStage.scaleSram + channel * sizeof(scale)], scale,
                        sizeof(scale));
        }
    }
    accumulators_.resize(std::size_t{112} * 112 * 64 * sizeof(std::int32_t));
}

void BareMobileNet::addConvolution(std::uint32_t size, std::uint32_t inputs, std::uint32_t outputs,
                                   std::uint32_t filter, std::uint32_t stride, bool isDepthwise) {
    const std::uint32_t side = size / stride + size % stride;
    const std::uint32_t taps = filter * filter * (isDepthwise ? 1 : inputs);
    hw::MacConv work{};
    work.inputType = work.filterType = work.outputType = hw::ElementType::kInt8;
    work.flags = hw::kMacDrain | (isDepthwise ? hw::kMacDepthwise : 0);
    work.inputZeroPoint = -128;
    work.inputSram = convolutions_.size() % 2 == 0 ? 0 : kActivationBytes;
    work.outputSram = convolutions_.size() % 2 == 0 ? kActivationBytes : 0;
    work.filterSram = static_cast<std::uint32_t>(memory_.size()) + kTableBytes;
    work.inputHeight = work.inputWidth = size;
    work.inputChannels = inputs;
    work.inputPixelBytes = inputs;
    work.inputRowBytes = size * inputs;
    work.outputHeight = work.outputWidth = side;
    work.outputChannels = outputs;
    work.outputPixelBytes = outputs;
    work.outputRowBytes = side * outputs;
    work.filterHeight = work.filterWidth = static_cast<std::uint16_t>(filter);
    work.strideHeight = work.strideWidth = static_cast<std::uint16_t>(stride);
    work.dilationHeight = work.dilationWidth = 1;
    // SAME padding: an even size with stride 2 pads below and right only.
    work.padTop = work.padLeft = filter == 3 && stride == 1 ? 1 : 0;
    work.depthMultiplier = 1;
    work.outputStage.zeroPoint = -128;
    work.outputStage.clampMin = -128;
    work.outputStage.clampMax = 127;
    work.outputStage.biasSram = static_cast<std::uint32_t>(memory_.size());
    work.outputStage.scaleSram = work.outputStage.biasSram + 1024 * 4;
    work.outputStage.flags = hw::kOutputHasBias | hw::kOutputPerChannel;
    const std::size_t weights = (std::size_t{taps} * outputs + 63) / 64 * 64;
    memory_.resize(memory_.size() + kTableBytes + weights);
    macs_ += std::uint64_t{side} * side * outputs * taps;
    convolutions_.push_back(work);
}

void BareMobileNet::run() {
    for (std::size_t i = 0; i + 1 < convolutions_.size(); ++i) {
        hw::kernels::macConv(convolutions_[i], memory_.data(), accumulators_.data());
    }
    const hw::MacConv& last = convolutions_.back();
    hw::VecPool pool{};
    pool.type = hw::ElementType::kInt8;
    pool.kind = hw::PoolKind::kAverage;
    pool.inputSram = convolutions_[convolutions_.size() - 2].outputSram;
    pool.outputSram = last.inputSram == pool.inputSram ? last.outputSram : last.inputSram;
    pool.inputHeight = pool.inputWidth = 7;
    pool.channels = last.inputChannels;
    pool.outputHeight = pool.outputWidth = 1;
    pool.windowHeight = pool.windowWidth = 7;
    pool.strideHeight = pool.strideWidth = 1;
    pool.clampMin = -128;
    pool.clampMax = 127;
    hw::kernels::vecPool(pool, memory_.data());
    hw::kernels::macConv(last, memory_.data(), accumulators_.data());
    hw::VecSoftmax softmax{};
    softmax.type = hw::ElementType::kInt8;
    softmax.inputSram = last.outputSram;
    softmax.outputSram = last.inputSram;
    softmax.outer = softmax.inner = 1;
    softmax.axis = kClasses;
    softmax.inputMultiplier = 0x40000000;
    softmax.inputLeftShift = 23;
    softmax.diffMin = -248;
    hw::kernels::vecSoftmax(softmax, memory_.data());
}

}  // namespace vnpu::bench
