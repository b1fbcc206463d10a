// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {

/// Float images of one size: the model's operand and the values of each image.
struct Batch {
    std::uint32_t operand = 0;
    vnpu::test::Image image;
    std::vector<Values> images;
};

/// Builds float networks over a batch of images together with their expected outputs, which are
/// computed image by image. All numbers are small integers, so that sums are exact in any order.
/// The same seed gives the same weights for every number of images.
class BatchNet {
  public:
    BatchNet(std::uint32_t seed, std::uint32_t count)
        : weights_(seed), data_(seed + 1), count_(count) {}

    Batch input(const vnpu::test::Image& image) {
        Batch batch{builder.input(spec(image, count_)), image, {}};
        inputs.emplace_back();
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Bytes bytes = integers(data_, static_cast<std::uint64_t>(image.size()), 3);
            inputs.back().insert(inputs.back().end(), bytes.begin(), bytes.end());
            batch.images.push_back(centered(bytes, kFloat, 0));
        }
        return batch;
    }

    /// Odd filter sizes; the padding keeps the extent.
    Batch convolve(const Batch& from, std::int64_t channels, std::int64_t size) {
        const vnpu::test::Window window = windowOf(size, 1);
        Batch to = next(from, {from.image.height, from.image.width, channels});
        const Bytes filter = addWindows(OperationType::CONV_2D, from,
                                        {channels, size, size, from.image.channels}, to);
        for (const Values& image : from.images) {
            to.images.push_back(vnpu::test::convolve(from.image, image, window,
                                                     centered(filter, kFloat, 0), to.image));
        }
        return to;
    }

    Batch depthwise(const Batch& from, std::int64_t size) {
        Batch to = next(from, from.image);
        const Bytes filter = addWindows(OperationType::DEPTHWISE_CONV_2D, from,
                                        {1, size, size, from.image.channels}, to);
        for (const Values& image : from.images) {
            to.images.push_back(vnpu::test::convolveDepthwise(from.image, image, windowOf(size, 1),
                                                              centered(filter, kFloat, 0), to.image,
                                                              1));
        }
        return to;
    }

    /// 3 x 3, stride 2; even extents.
    Batch maxPool(const Batch& from) {
        Batch to = next(from, {from.image.height / 2, from.image.width / 2, from.image.channels});
        const std::uint32_t before = builder.int32(1), after = builder.int32(0);
        builder.operation(OperationType::MAX_POOL_2D,
                          {from.operand, before, after, before, after, builder.int32(2),
                           builder.int32(2), builder.int32(3), builder.int32(3), builder.int32(0)},
                          to.operand);
        for (const Values& image : from.images) {
            to.images.push_back(vnpu::test::poolMax(from.image, image, windowOf(3, 2), to.image));
        }
        return to;
    }

    Batch add(const Batch& a, const Batch& b) {
        Batch to = next(a, a.image);
        to.images = a.images;
        for (std::size_t i = 0; i < to.images.size(); ++i) {
            std::transform(a.images[i].begin(), a.images[i].end(), b.images[i].begin(),
                           to.images[i].begin(), [](double x, double y) { return x + y; });
        }
        builder.operation(OperationType::ADD, {a.operand, b.operand, builder.int32(0)}, to.operand);
        return to;
    }

    /// The images of both, one batch behind the other.
    Batch appendBatch(const Batch& a, const Batch& b) {
        Batch to{0, a.image, a.images};
        to.images.insert(to.images.end(), b.images.begin(), b.images.end());
        to.operand = builder.temporary(spec(a.image, static_cast<std::uint32_t>(to.images.size())));
        builder.operation(OperationType::CONCATENATION, {a.operand, b.operand, builder.int32(0)},
                          to.operand);
        return to;
    }

    /// A layer of `units` that each read a whole image; the model's output.
    void finishDense(const Batch& from, std::uint32_t units) {
        const auto size = static_cast<std::uint32_t>(from.image.size());
        const Bytes filter = integers(weights_, std::uint64_t{units} * size, 1);
        const auto count = static_cast<std::uint32_t>(from.images.size());
        const std::uint32_t y = builder.output({kFloat, {count, units}});
        builder.operation(OperationType::FULLY_CONNECTED,
                          {from.operand, builder.pooled({kFloat, {units, size}}, filter),
                           builder.constant({kFloat, {units}}, Bytes(std::size_t{units} * 4)),
                           builder.int32(0)},
                          y);
        Values results;
        for (const Values& image : from.images) {
            const Values sums = vnpu::test::convolve({1, 1, size}, image, {},
                                                     centered(filter, kFloat, 0), {1, 1, units});
            results.insert(results.end(), sums.begin(), sums.end());
        }
        expected.push_back(store(results, {kFloat}, 1.0));
    }

    /// Makes the images the model's output.
    void finish(const Batch& last) {
        const auto count = static_cast<std::int32_t>(last.images.size());
        const auto size = static_cast<std::int32_t>(last.image.size());
        const std::uint32_t y = builder.output(
                {kFloat, {static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(size)}});
        builder.operation(OperationType::RESHAPE, {last.operand, builder.int32s({count, size})}, y);
        Values results;
        for (const Values& image : last.images) {
            results.insert(results.end(), image.begin(), image.end());
        }
        expected.push_back(store(results, {kFloat}, 1.0));
    }

    ModelBuilder builder;
    std::vector<Bytes> inputs, expected;

  private:
    static Bytes integers(Dice& dice, std::uint64_t count, int reach) {
        std::vector<float> values(count);
        for (float& value : values) {
            value = static_cast<float>(dice.pick(-reach, reach));
        }
        return bytesOf(values);
    }

    static TensorSpec spec(const vnpu::test::Image& image, std::uint32_t count) {
        return {kFloat,
                {count, static_cast<std::uint32_t>(image.height),
                 static_cast<std::uint32_t>(image.width),
                 static_cast<std::uint32_t>(image.channels)}};
    }

    static vnpu::test::Window windowOf(std::int64_t size, std::int64_t stride) {
        vnpu::test::Window window;
        window.height = window.width = size;
        window.strideHeight = window.strideWidth = stride;
        window.padTop = window.padLeft = size / 2;
        return window;
    }

    /// As many images as `from`, without values yet.
    Batch next(const Batch& from, const vnpu::test::Image& image) {
        const auto count = static_cast<std::uint32_t>(from.images.size());
        return {builder.temporary(spec(image, count)), image, {}};
    }

    /// Adds a convolution and returns its weights.
    Bytes addWindows(OperationType type, const Batch& from,
                     const std::vector<std::int64_t>& extents, const Batch& to) {
        const Dimensions filter(extents.begin(), extents.end());
        Bytes weights = integers(weights_, elementsOf(filter), 2);
        const auto channels = static_cast<std::uint32_t>(to.image.channels);
        std::vector<std::uint32_t> operands{
                from.operand,
                builder.pooled({kFloat, filter}, weights),
                builder.constant({kFloat, {channels}}, Bytes(std::size_t{channels} * 4)),
                builder.int32(1),
                builder.int32(1),
                builder.int32(1)};
        if (type == OperationType::DEPTHWISE_CONV_2D) {
            operands.push_back(builder.int32(1));
        }
        operands.push_back(builder.int32(0));
        builder.operation(type, operands, to.operand);
        return weights;
    }

    Dice weights_, data_;
    std::uint32_t count_;
};

/// The edge device with less SRAM, smaller accumulators and a slow memory.
inline DeviceInfo slowMemoryDevice(std::uint64_t sramBytes) {
    DeviceInfo device = edgeDevice();
    device.sramBytes = sramBytes;
    device.accumulatorBytes = 8192;
    device.floatDivisor = 1;
    device.dramBytesPerCycle = 1;
    return device;
}

}  // namespace vnpu::driver::test
