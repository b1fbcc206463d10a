// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/kernels/mac_conv_case.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/support/quantization.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::MacConv;

double readElement(const std::vector<std::byte>& memory, std::size_t offset, ElementType type) {
    const auto byte = std::to_integer<std::uint8_t>(memory[offset]);
    if (type == ElementType::kFloat32) {
        float value;
        std::memcpy(&value, memory.data() + offset, sizeof(value));
        return static_cast<double>(value);
    }
    return type == ElementType::kInt8 ? static_cast<double>(static_cast<std::int8_t>(byte))
                                      : static_cast<double>(byte);
}

void chooseGeometry(Random& random, const ConvOptions& options, ConvCase& c) {
    MacConv& w = c.work;
    c.in = {.height = random.between(1, options.maxSide),
            .width = random.between(1, options.maxSide),
            .channels = random.between(1, options.maxChannels)};
    c.window.height = random.oneIn(3) ? 1 : random.between(1, 4);
    c.window.width = random.oneIn(3) ? 1 : random.between(1, 4);
    c.window.strideHeight = random.between(1, 3);
    c.window.strideWidth = random.between(1, 3);
    c.window.dilationHeight = random.oneIn(4) ? random.between(2, 3) : 1;
    c.window.dilationWidth = random.oneIn(4) ? random.between(2, 3) : 1;
    c.window.padTop = random.between(-2, 3);
    c.window.padLeft = random.between(-2, 3);
    c.out = {.height = random.between(1, options.maxSide),
             .width = random.between(1, options.maxSide),
             .channels = random.between(1, options.maxChannels)};
    if (random.oneIn(4)) {  // a plain matrix product
        c.window = Window{};
        c.out.height = c.in.height;
        c.out.width = c.in.width;
    }
    w.depthMultiplier = 1;
    if (options.isDepthwise) {
        w.depthMultiplier = random.oneIn(3) ? random.pick<std::uint32_t>(2, 5) : 1;
        c.out.channels = c.in.channels * w.depthMultiplier;
        w.flags |= hw::kMacDepthwise;
    }
}

void copyGeometry(Random& random, ConvCase& c) {
    MacConv& w = c.work;
    const std::uint32_t bytes = hw::elementBytes(w.inputType);
    w.inputHeight = static_cast<std::uint32_t>(c.in.height);
    w.inputWidth = static_cast<std::uint32_t>(c.in.width);
    w.inputChannels = static_cast<std::uint32_t>(c.in.channels);
    w.outputHeight = static_cast<std::uint32_t>(c.out.height);
    w.outputWidth = static_cast<std::uint32_t>(c.out.width);
    w.outputChannels = static_cast<std::uint32_t>(c.out.channels);
    const auto gap = [&] { return random.oneIn(3) ? random.pick<std::uint32_t>(1, 5) * bytes : 0; };
    w.inputPixelBytes = w.inputChannels * bytes + gap();
    w.inputRowBytes = w.inputWidth * w.inputPixelBytes + gap();
    w.outputPixelBytes = w.outputChannels * bytes + gap();
    w.outputRowBytes = w.outputWidth * w.outputPixelBytes + gap();
    w.filterHeight = static_cast<std::uint16_t>(c.window.height);
    w.filterWidth = static_cast<std::uint16_t>(c.window.width);
    w.strideHeight = static_cast<std::uint16_t>(c.window.strideHeight);
    w.strideWidth = static_cast<std::uint16_t>(c.window.strideWidth);
    w.dilationHeight = static_cast<std::uint16_t>(c.window.dilationHeight);
    w.dilationWidth = static_cast<std::uint16_t>(c.window.dilationWidth);
    w.padTop = static_cast<std::int32_t>(c.window.padTop);
    w.padLeft = static_cast<std::int32_t>(c.window.padLeft);
}

void chooseTypes(Random& random, const ConvOptions& options, MacConv& w) {
    const auto eightBit = [&] {
        return random.oneIn(2) ? ElementType::kInt8 : ElementType::kUint8;
    };
    if (options.isFloat) {
        w.inputType = w.filterType = w.outputType = ElementType::kFloat32;
        return;
    }
    w.inputType = eightBit();
    w.filterType = eightBit();
    w.outputType = eightBit();
    const auto zeroPoint = [&](ElementType type) {
        const std::int64_t low = type == ElementType::kInt8 ? -128 : 0;
        return random.pick<std::int32_t>(low, low + 255);
    };
    w.inputZeroPoint = zeroPoint(w.inputType);
    w.filterZeroPoint = random.oneIn(2) ? 0 : zeroPoint(w.filterType);
    if (w.filterType == ElementType::kInt8 && random.oneIn(2)) {
        w.filterZeroPoint = 0;
    }
    w.outputStage.zeroPoint = zeroPoint(w.outputType);
}

void chooseOutputStage(Random& random, MacConv& w) {
    hw::OutputStage& stage = w.outputStage;
    stage.flags = random.oneIn(3) ? 0 : hw::kOutputHasBias;
    if (w.outputType == ElementType::kFloat32) {
        const bool isClamped = random.oneIn(2);
        stage.clampMin = std::bit_cast<std::int32_t>(isClamped ? -0.5F : -1e30F);
        stage.clampMax = std::bit_cast<std::int32_t>(isClamped ? 0.75F : 1e30F);
        return;
    }
    if (random.oneIn(2)) {
        stage.flags |= hw::kOutputPerChannel;
    }
    const std::int32_t low = w.outputType == ElementType::kInt8 ? -128 : 0;
    stage.clampMin = low;
    stage.clampMax = low + 255;
    if (random.oneIn(3)) {
        stage.clampMin = low + random.pick<std::int32_t>(0, 100);
        stage.clampMax = stage.clampMin + random.pick<std::int32_t>(0, 100);
    }
    const QuantizedMultiplier q = quantizeMultiplier(
            std::ldexp(1.5 + 0.4 * static_cast<double>(random.real()), random.pick<int>(-14, 2)));
    stage.multiplier = q.multiplier;
    stage.shift = q.shift;
}

void fillFloats(Random& random, TileMemory& memory, std::size_t offset, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += sizeof(float)) {
        memory.store(offset + i, random.real());
    }
}

std::uint32_t placeOperand(Random& random, TileMemory& memory, std::size_t bytes, bool isFloat) {
    const std::uint32_t offset = memory.place(bytes);
    if (isFloat) {
        fillFloats(random, memory, offset, bytes);
    }
    return offset;
}

void placeTables(Random& random, TileMemory& memory, MacConv& w, bool isFloat) {
    const std::size_t channels = w.outputChannels;
    w.outputStage.biasSram = memory.place(channels * 4);
    w.outputStage.scaleSram = memory.place(channels * 8);
    for (std::size_t c = 0; c < channels; ++c) {
        if (isFloat) {
            memory.store(w.outputStage.biasSram + 4 * c, random.real());
        } else {
            memory.store(w.outputStage.biasSram + 4 * c,
                         random.pick<std::int32_t>(-60'000, 60'000));
        }
        const QuantizedMultiplier q = quantizeMultiplier(std::ldexp(
                1.5 + 0.4 * static_cast<double>(random.real()), random.pick<int>(-14, 2)));
        memory.store(w.outputStage.scaleSram + 8 * c, q.multiplier);
        memory.store(w.outputStage.scaleSram + 8 * c + 4, q.shift);
    }
}

}  // namespace

ConvCase makeConvCase(std::uint32_t seed, const ConvOptions& options) {
    Random random(seed);
    ConvCase c;
    MacConv& w = c.work;
    chooseTypes(random, options, w);
    chooseGeometry(random, options, c);
    copyGeometry(random, c);
    chooseOutputStage(random, w);
    w.flags |= random.oneIn(6) ? 0 : hw::kMacDrain;
    w.flags |= random.oneIn(4) ? hw::kMacAccumulate : 0;

    TileMemory memory(random);
    const std::size_t bytes = hw::elementBytes(w.inputType);
    w.inputSram = placeOperand(random, memory, std::size_t{w.inputHeight} * w.inputRowBytes,
                               options.isFloat);
    const std::size_t filters = c.depth() * w.outputChannels;
    w.filterSram = placeOperand(random, memory, filters * bytes, options.isFloat);
    placeTables(random, memory, w, options.isFloat);
    w.outputSram = memory.place(std::size_t{w.outputHeight} * w.outputRowBytes);
    c.sram = memory.bytes();

    TileMemory accumulators(random);
    const std::size_t count = static_cast<std::size_t>(c.out.size());
    w.accumulatorOffset = placeOperand(random, accumulators, count * 4, options.isFloat);
    c.accumulators = accumulators.bytes();
    return c;
}

std::size_t ConvCase::depth() const {
    const std::size_t taps = std::size_t{work.filterHeight} * work.filterWidth;
    return (work.flags & hw::kMacDepthwise) != 0 ? taps : taps * work.inputChannels;
}

Values ConvCase::inputs(bool magnitudes) const {
    Values values;
    for (std::int64_t y = 0; y < in.height; ++y) {
        for (std::int64_t x = 0; x < in.width; ++x) {
            for (std::int64_t ch = 0; ch < in.channels; ++ch) {
                const auto offset = static_cast<std::size_t>(
                        work.inputSram + y * work.inputRowBytes + x * work.inputPixelBytes +
                        ch * hw::elementBytes(work.inputType));
                const double value =
                        readElement(sram, offset, work.inputType) - work.inputZeroPoint;
                values.push_back(magnitudes ? std::abs(value) : value);
            }
        }
    }
    return values;
}

Values ConvCase::filters(bool magnitudes) const {
    Values values(depth() * work.outputChannels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t offset = work.filterSram + i * hw::elementBytes(work.filterType);
        const double value = readElement(sram, offset, work.filterType) - work.filterZeroPoint;
        values[i] = magnitudes ? std::abs(value) : value;
    }
    return values;
}

Values ConvCase::convolved(bool magnitudes) const {
    const Values input = inputs(magnitudes);
    const Values filter = filters(magnitudes);
    return (work.flags & hw::kMacDepthwise) != 0
                   ? convolveDepthwise(in, input, window, filter, out, work.depthMultiplier)
                   : convolve(in, input, window, filter, out);
}

Values ConvCase::products() const {
    return convolved(false);
}
Values ConvCase::magnitudes() const {
    return convolved(true);
}

Values ConvCase::before() const {
    Values values(static_cast<std::size_t>(out.size()), 0.0);
    if ((work.flags & hw::kMacAccumulate) != 0) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::int32_t bits;
            std::memcpy(&bits, accumulators.data() + work.accumulatorOffset + 4 * i, sizeof(bits));
            values[i] = isFloat() ? static_cast<double>(std::bit_cast<float>(bits))
                                  : static_cast<double>(bits);
        }
    }
    return values;
}

std::int64_t ConvCase::expectedLevel(std::size_t channel, double accumulator) const {
    const auto read = [&](std::size_t offset) {
        std::int32_t value;
        std::memcpy(&value, sram.data() + offset, sizeof(value));
        return value;
    };
    const hw::OutputStage& stage = work.outputStage;
    const std::int64_t bias =
            (stage.flags & hw::kOutputHasBias) != 0 ? read(stage.biasSram + 4 * channel) : 0;
    const bool perChannel = (stage.flags & hw::kOutputPerChannel) != 0;
    const std::int64_t multiplier =
            perChannel ? read(stage.scaleSram + 8 * channel) : stage.multiplier;
    const std::int64_t shift = perChannel ? read(stage.scaleSram + 8 * channel + 4) : stage.shift;
    const std::int64_t sum = static_cast<std::int64_t>(accumulator) + bias;
    const std::int64_t level =
            wrapTo32(scaleTwiceRounded(sum, multiplier, shift) + stage.zeroPoint);
    return std::clamp<std::int64_t>(level, stage.clampMin, stage.clampMax);
}

std::size_t ConvCase::outputOffset(std::int64_t y, std::int64_t x, std::int64_t c) const {
    return static_cast<std::size_t>(work.outputSram + y * work.outputRowBytes +
                                    x * work.outputPixelBytes +
                                    c * hw::elementBytes(work.outputType));
}

}  // namespace vnpu::test
