// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/cascade.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "driver/compiler/compiler.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

using vnpu::test::Image;
using vnpu::test::Window;

/// A float image of the model and its values.
struct Layer {
    std::uint32_t operand = 0;
    Image image;
    Values values;
};

/// Builds float networks together with their expected outputs. All numbers are small integers, so
/// that sums are exact in any order.
class FloatNet {
  public:
    explicit FloatNet(std::uint32_t seed) : dice_(seed) {}

    Layer input(const Image& image) {
        const Bytes bytes = integers(static_cast<std::uint64_t>(image.size()));
        inputs.push_back(bytes);
        return {builder.input(spec(image)), image, centered(bytes, kFloat, 0)};
    }

    /// Odd filter sizes; the padding keeps the extent at stride 1.
    Layer convolve(const Layer& from, std::int64_t channels, std::int64_t size) {
        const Window window = windowOf(size, 1);
        const Image out{from.image.height, from.image.width, channels};
        const Bytes filter =
                integers(static_cast<std::uint64_t>(channels * size * size * from.image.channels));
        Layer to{builder.temporary(spec(out)), out,
                 vnpu::test::convolve(from.image, from.values, window, centered(filter, kFloat, 0),
                                      out)};
        operation(OperationType::CONV_2D, from, {channels, size, size, from.image.channels}, filter,
                  to, {});
        return to;
    }

    Layer depthwise(const Layer& from, std::int64_t size) {
        const Window window = windowOf(size, 1);
        const Bytes filter =
                integers(static_cast<std::uint64_t>(size * size * from.image.channels));
        Layer to{builder.temporary(spec(from.image)), from.image,
                 vnpu::test::convolveDepthwise(from.image, from.values, window,
                                               centered(filter, kFloat, 0), from.image, 1)};
        operation(OperationType::DEPTHWISE_CONV_2D, from, {1, size, size, from.image.channels},
                  filter, to, {builder.int32(1)});
        return to;
    }

    Layer maxPool(const Layer& from, std::int64_t stride) {
        const Window window = windowOf(3, stride);
        const Image out{from.image.height / stride, from.image.width / stride, from.image.channels};
        const auto step = static_cast<std::int32_t>(stride);
        Layer to{builder.temporary(spec(out)), out,
                 vnpu::test::poolMax(from.image, from.values, window, out)};
        const std::uint32_t pad = builder.int32(1), after = builder.int32(stride == 1 ? 1 : 0);
        builder.operation(
                OperationType::MAX_POOL_2D,
                {from.operand, pad, after, pad, after, builder.int32(step), builder.int32(step),
                 builder.int32(3), builder.int32(3), builder.int32(0)},
                to.operand);
        return to;
    }

    Layer add(const Layer& a, const Layer& b) {
        Layer to{builder.temporary(spec(a.image)), a.image, a.values};
        std::transform(a.values.begin(), a.values.end(), b.values.begin(), to.values.begin(),
                       [](double x, double y) { return x + y; });
        builder.operation(OperationType::ADD, {a.operand, b.operand, builder.int32(0)}, to.operand);
        return to;
    }

    Layer join(const std::vector<Layer>& parts) {
        Image out = parts.front().image;
        out.channels = 0;
        std::vector<std::uint32_t> operands;
        for (const Layer& part : parts) {
            out.channels += part.image.channels;
            operands.push_back(part.operand);
        }
        operands.push_back(builder.int32(3));
        Layer to{builder.temporary(spec(out)), out, {}};
        for (std::int64_t pixel = 0; pixel < out.height * out.width; ++pixel) {
            for (const Layer& part : parts) {
                const auto first = part.values.begin() + pixel * part.image.channels;
                to.values.insert(to.values.end(), first, first + part.image.channels);
            }
        }
        builder.operation(OperationType::CONCATENATION, operands, to.operand);
        return to;
    }

    /// Makes it the model's output.
    void finish(const Layer& last) {
        const std::uint32_t y =
                builder.output({kFloat, {static_cast<std::uint32_t>(last.image.size())}});
        builder.operation(
                OperationType::RESHAPE,
                {last.operand, builder.int32s({static_cast<std::int32_t>(last.image.size())})}, y);
        expected.push_back(store(last.values, {kFloat}, 1.0));
    }

    ModelBuilder builder;
    std::vector<Bytes> inputs, expected;

  private:
    Bytes integers(std::uint64_t count) {
        std::vector<float> values(count);
        for (float& value : values) {
            value = static_cast<float>(dice_.pick(-4, 4));
        }
        return bytesOf(values);
    }

    static TensorSpec spec(const Image& image) {
        return {kFloat,
                {1, static_cast<std::uint32_t>(image.height),
                 static_cast<std::uint32_t>(image.width),
                 static_cast<std::uint32_t>(image.channels)}};
    }

    static Window windowOf(std::int64_t size, std::int64_t stride) {
        Window window;
        window.height = window.width = size;
        window.strideHeight = window.strideWidth = stride;
        window.padTop = window.padLeft = size / 2;
        return window;
    }

    void operation(OperationType type, const Layer& from, const std::vector<std::int64_t>& filter,
                   const Bytes& weights, const Layer& to,
                   const std::vector<std::uint32_t>& multiplier) {
        const Dimensions dims(filter.begin(), filter.end());
        const auto channels = static_cast<std::uint32_t>(to.image.channels);
        std::vector<std::uint32_t> operands{
                from.operand,
                builder.pooled({kFloat, dims}, weights),
                builder.constant({kFloat, {channels}}, Bytes(std::size_t{channels} * 4)),
                builder.int32(1),
                builder.int32(1),
                builder.int32(1)};
        operands.insert(operands.end(), multiplier.begin(), multiplier.end());
        operands.push_back(builder.int32(0));
        builder.operation(type, operands, to.operand);
    }

    Dice dice_;
};

/// The edge device with less SRAM and smaller accumulators.
DeviceInfo smallDevice(std::uint64_t sramBytes) {
    DeviceInfo device = edgeDevice();
    device.sramBytes = sramBytes;
    device.accumulatorBytes = 8192;
    device.floatDivisor = 1;
    return device;
}

std::string check(const FloatNet& net, const std::vector<std::uint64_t>& sizes) {
    CheckOptions options;
    options.relative = 0;
    for (const std::uint64_t size : sizes) {
        options.devices.push_back(smallDevice(size));
    }
    return checkModel(net.builder, net.inputs, net.expected, options);
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/cascade");

TEST_CASE(
        "a pool reads a convolution's rows from SRAM although the whole image does not fit [E-2]") {
    FloatNet net(31);
    const Layer x = net.input({32, 30, 4});
    net.finish(net.maxPool(net.convolve(x, 16, 3), 2));
    CHECK(check(net, {16384, 24576, 40000, 1 << 20}) == "");
    // 15,360 in, 2,304 of filters, 15,360 out; without stripes, 61,440 would be written and read in
    // between.
    CHECK(movedBytes(net.builder, smallDevice(40000)) < 61'440);
}

TEST_CASE("a convolution's rows stay in SRAM although there is room for one piece only [E-2]") {
    FloatNet net(38);
    const Layer x = net.input({112, 30, 4});
    net.finish(net.maxPool(net.convolve(x, 16, 3), 2));
    // Two of the 56 pooled rows need five rows of 1,920 bytes, which do not fit twice; four of them
    // need nine, which do not fit at all.
    constexpr std::uint64_t kBytes = 16384;
    CHECK(check(net, {kBytes}) == "");
    // The convolution's results alone are 215,040 bytes.
    CHECK(movedBytes(net.builder, smallDevice(kBytes)) < 215'040);
}

TEST_CASE("stripes of row pairs for Winograd give the same values [E-2]") {
    FloatNet net(39);
    const Layer x = net.input({32, 30, 20});
    // An even number of rows needs an odd one of the convolution's.
    net.finish(net.maxPool(net.convolve(x, 16, 3), 1));
    CheckOptions options;
    options.relative = 0;
    options.devices.push_back(smallDevice(40000));
    options.devices.back().winograd = true;
    CHECK(checkModel(net.builder, net.inputs, net.expected, options) == "");
    // The convolution's results are 61,440 bytes, which would be written and read; in, 76,800, out,
    // 61,440, and filters of 11,520.
    CHECK(movedBytes(net.builder, options.devices.back()) < 76'800 + 3 * 61'440);
}

TEST_CASE("a large filter is loaded once, for some output channels after others [E-2]") {
    FloatNet net(41);
    const Layer x = net.input({40, 20, 32});
    net.finish(net.maxPool(net.convolve(x, 64, 3), 2));
    CHECK(check(net, {40960, 65536, 98304, 131072}) == "");
    // 102,400 in, for each of at most four parts of the channels, 73,728 of filters and 51,200 out.
    // If each stripe took all filters, they would be loaded several times.
    constexpr std::uint64_t kMost = 4 * 102'400 + 73'728 + 256 + 51'200;
    CHECK(movedBytes(net.builder, smallDevice(65536)) <= kMost);
    CHECK(movedBytes(net.builder, smallDevice(98304)) <= kMost);
}

TEST_CASE("channels that are made after others take their own scales [E-2]") {
    constexpr std::int64_t kChannels = 64;
    const Image in{40, 20, 32};
    const Image out{40, 20, kChannels};
    const Image pooled{20, 10, kChannels};
    const Window window{.height = 3, .width = 3, .padTop = 1, .padLeft = 1};
    Window poolWindow = window;
    poolWindow.strideHeight = poolWindow.strideWidth = 2;
    constexpr auto kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    constexpr float kInputScale = 0.5F;
    constexpr float kOutputScale = 64.0F;

    Dice dice(42);
    const Bytes image = dice.data(kSigned, static_cast<std::uint64_t>(in.size()));
    const Bytes filter = dice.data(kPerChannel, kChannels * 9 * 32);
    std::vector<std::int32_t> biases;
    std::vector<float> scales;
    for (std::int64_t k = 0; k < kChannels; ++k) {
        biases.push_back(dice.pick(-5000, 5000));
        scales.push_back(static_cast<float>(dice.pick(1, 60)) / 128.0F);
    }
    Values sums = vnpu::test::convolve(in, centered(image, kSigned, 3), window,
                                       centered(filter, kPerChannel, 0), out);
    const Storing storing{kSigned, kOutputScale, -7, 0};
    Bytes stored;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t k = i % kChannels;
        const double factor = static_cast<double>(kInputScale) * static_cast<double>(scales[k]) /
                              static_cast<double>(kOutputScale);
        const Bytes value = store({sums[i] + biases[k]}, storing, factor);
        stored.insert(stored.end(), value.begin(), value.end());
    }
    const Bytes expected =
            store(vnpu::test::poolMax(out, centered(stored, kSigned, -7), poolWindow, pooled),
                  storing, 1.0);

    ModelBuilder net;
    const auto x = net.input({kSigned, {1, 40, 20, 32}, kInputScale, 3});
    const auto y = net.temporary({kSigned, {1, 40, 20, kChannels}, kOutputScale, -7});
    const auto z = net.output({kSigned, {1, 20, 10, kChannels}, kOutputScale, -7});
    const auto zero = net.int32(0);
    const auto one = net.int32(1);
    const auto two = net.int32(2);
    const auto three = net.int32(3);
    net.operation(OperationType::CONV_2D,
                  {x, net.pooled({kPerChannel, {kChannels, 3, 3, 32}, 0.0F, 0, scales, 0}, filter),
                   net.constant({kInt, {kChannels}}, bytesOf(biases)), one, one, one, zero},
                  y);
    net.operation(OperationType::MAX_POOL_2D,
                  {y, one, zero, one, zero, two, two, three, three, zero}, z);

    CheckOptions options;
    options.devices = {smallDevice(16384), smallDevice(24576)};
    CHECK(checkModel(net, {image}, {expected}, options) == "");
    // 25,600 in, for each of at most four parts, 18,432 of filters, scales and biases, 12,800 out.
    CHECK(movedBytes(net, smallDevice(24576)) <= 4 * 25'600 + 18'432 + 12 * 64 * 8 + 12'800);
}

TEST_CASE("a pool behind a concatenation's parts, rows that windows share [E-2]") {
    FloatNet net(32);
    const Layer x = net.input({18, 20, 12});
    const Layer one = net.convolve(x, 10, 1);
    const Layer three = net.convolve(net.convolve(x, 6, 1), 14, 3);
    const Layer pooled = net.convolve(net.maxPool(x, 1), 8, 1);
    net.finish(net.join({one, three, pooled}));
    CHECK(check(net, {8192, 16384, 24576, 1 << 20}) == "");
}

TEST_CASE("the parts of a concatenation are pooled in SRAM, each behind its convolution [E-2]") {
    FloatNet net(37);
    const Layer x = net.input({32, 32, 4});
    const Layer parts = net.join({net.convolve(x, 16, 3), net.convolve(x, 24, 1)});
    net.finish(net.convolve(net.maxPool(parts, 2), 8, 1));
    CHECK(check(net, {16384, 24576, 40000, 1 << 20}) == "");
    // 16,384 in, once for each convolution, 3,968 of filters, 40,960 between pool and convolution,
    // 8,192 out. The parts have 163,840, which would be written and read.
    CHECK(movedBytes(net.builder, smallDevice(65536)) < 163'840);
}

TEST_CASE("an input of several convolutions and a pool is shared [E-2]") {
    FloatNet net(33);
    const Layer x = net.input({24, 24, 64});
    const Layer pool = net.maxPool(x, 1);
    net.finish(net.join({net.convolve(x, 4, 1), net.convolve(x, 4, 1), net.convolve(x, 4, 1),
                         net.convolve(pool, 4, 1)}));
    CHECK(check(net, {49152, 65536}) == "");
    // Without stripes: 147,456 four times for three convolutions and the pool, which writes as much
    // for the fourth convolution; 147,456 out, because parts of four floats take 64 bytes each.
    CHECK(movedBytes(net.builder, smallDevice(65536)) < 5 * 147'456 + 147'456);
}

TEST_CASE("a sum reads a pool's rows before the next ones are made [E-2]") {
    FloatNet net(40);
    const Layer x = net.input({32, 30, 8});
    net.finish(net.add(net.maxPool(x, 1), net.convolve(x, 8, 3)));
    CHECK(check(net, {12288, 16384, 24576, 40000}) == "");
    // The pool and the convolution write 30,720 each, which the sum would read again.
    CHECK(movedBytes(net.builder, smallDevice(24576)) < 4 * 30'720);
}

TEST_CASE("an inverted residual keeps its wide tensors in SRAM [E-2]") {
    FloatNet net(34);
    const Layer x = net.input({28, 28, 8});
    const Layer wide = net.depthwise(net.convolve(x, 48, 1), 3);
    net.finish(net.add(net.convolve(wide, 8, 1), x));
    CHECK(check(net, {24576, 65536, 1 << 20}) == "");
    // 150,528 between the first two nodes, and again between the next two: through memory, twice
    // each, they would be 602,112. At most one of them goes through memory, in addition to 25,088
    // into the first node, to and from the sum, and out.
    CHECK(movedBytes(net.builder, smallDevice(65536)) < 2 * 150'528 + 5 * 25'088);
}

TEST_CASE("where results leave, only what follows a convolution directly stays in SRAM [E-2]") {
    FloatNet net(36);
    const Layer x = net.input({28, 28, 8});
    const Layer wide = net.maxPool(net.convolve(x, 48, 1), 2);
    net.finish(net.maxPool(net.convolve(wide, 16, 1), 1));
    CheckOptions options;
    options.relative = 0;
    for (const std::uint64_t size : {24'576U, 65'536U, 1U << 20U}) {
        options.devices.push_back(smallDevice(size));
        options.devices.back().resultsLeave = true;
    }
    CHECK(checkModel(net.builder, net.inputs, net.expected, options) == "");
    // 25,088 in, 37,632 between the pool and the second convolution, 12,544 out, 4,608 of filters.
    // The convolutions' own results of 150,528 and 12,544 go from SRAM to the pools.
    const std::uint64_t least = 25'088 + 2 * 37'632 + 12'544 + 4'608;
    DeviceInfo large = smallDevice(1 << 20);
    CHECK(movedBytes(net.builder, large) < least);
    large.resultsLeave = true;
    CHECK(movedBytes(net.builder, large) >= least);
    CHECK(movedBytes(net.builder, large) < least + 150'528);
}

TEST_CASE("a graph that fits, or has nothing to share, is unchanged") {
    FloatNet net(35);
    const Layer x = net.input({16, 16, 4});
    net.finish(net.maxPool(net.convolve(x, 8, 3), 2));
    const auto whole = compile(net.builder.build(), net.builder.pools(), edgeDevice());
    REQUIRE(whole.has_value());
    // One convolution, one pool.
    CHECK(countCommands(*whole, hw::Opcode::kMacConv) == 1);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
