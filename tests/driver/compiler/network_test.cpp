// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tests/driver/compiler/stream_interpreter.h"
#include "tests/driver/compiler/test_device.h"
#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {
namespace {

/// Builds the MobileNet V1 family: a convolution, thirteen pairs of depthwise and pointwise
/// convolutions, a pool, a dense layer, softmax.
class MobileNet {
  public:
    MobileNet(std::uint32_t side, double width) : width_(width) {
        present_ = builder.input(activation({1, side, side, 3}));
        shape_ = {1, side, side, 3};
        convolve(3, channels(32), 2);
        constexpr std::uint32_t kPairs[13][2] = {{64, 1},  {128, 2},  {128, 1}, {256, 2}, {256, 1},
                                                 {512, 2}, {512, 1},  {512, 1}, {512, 1}, {512, 1},
                                                 {512, 1}, {1024, 2}, {1024, 1}};
        for (const auto& pair : kPairs) {
            depthwise(pair[1]);
            convolve(1, channels(pair[0]), 1);
        }
        finish();
    }

    ModelBuilder builder;

  private:
    std::uint32_t channels(std::uint32_t full) const {
        return static_cast<std::uint32_t>(full * width_);
    }

    static TensorSpec activation(const Dimensions& dimensions) {
        return {OperandType::TENSOR_QUANT8_ASYMM, dimensions, 0.05F, 128};
    }

    Bytes noise(std::uint64_t bytes) {
        Bytes values(bytes);
        for (std::byte& byte : values) {
            byte = static_cast<std::byte>(random_() >> 8);
        }
        return values;
    }

    std::uint32_t bias(std::uint32_t count) {
        return builder.pooled({OperandType::TENSOR_INT32, {count}, 0.0005F, 0},
                              bytesOf(std::vector<std::int32_t>(count, 100)));
    }

    void convolve(std::uint32_t window, std::uint32_t count, std::uint32_t stride) {
        const Dimensions filter{count, window, window, shape_[3]};
        const std::uint32_t weights =
                builder.pooled({OperandType::TENSOR_QUANT8_ASYMM, filter, 0.01F, 120},
                               noise(std::uint64_t{count} * window * window * shape_[3]));
        shape_ = {1, (shape_[1] + stride - 1) / stride, (shape_[2] + stride - 1) / stride, count};
        const std::uint32_t next = builder.temporary(activation(shape_));
        builder.operation(OperationType::CONV_2D,
                          {present_, weights, bias(count), builder.int32(1),
                           builder.int32(static_cast<std::int32_t>(stride)),
                           builder.int32(static_cast<std::int32_t>(stride)), builder.int32(3)},
                          next);
        present_ = next;
    }

    void depthwise(std::uint32_t stride) {
        const std::uint32_t count = shape_[3];
        const std::uint32_t weights =
                builder.pooled({OperandType::TENSOR_QUANT8_ASYMM, {1, 3, 3, count}, 0.01F, 120},
                               noise(9ULL * count));
        shape_ = {1, (shape_[1] + stride - 1) / stride, (shape_[2] + stride - 1) / stride, count};
        const std::uint32_t next = builder.temporary(activation(shape_));
        builder.operation(OperationType::DEPTHWISE_CONV_2D,
                          {present_, weights, bias(count), builder.int32(1),
                           builder.int32(static_cast<std::int32_t>(stride)),
                           builder.int32(static_cast<std::int32_t>(stride)), builder.int32(1),
                           builder.int32(3)},
                          next);
        present_ = next;
    }

    void finish() {
        const auto side = static_cast<std::int32_t>(shape_[1]);
        const std::uint32_t pooled = builder.temporary(activation({1, 1, 1, shape_[3]}));
        builder.operation(OperationType::AVERAGE_POOL_2D,
                          {present_, builder.int32(2), builder.int32(1), builder.int32(1),
                           builder.int32(side), builder.int32(side), builder.int32(0)},
                          pooled);
        present_ = pooled;
        shape_ = {1, 1, 1, shape_[3]};
        convolve(1, 1001, 1);
        const std::uint32_t flat = builder.temporary(activation({1, 1001}));
        builder.operation(OperationType::RESHAPE, {present_, builder.int32s({1, -1})}, flat);
        const std::uint32_t result =
                builder.output({OperandType::TENSOR_QUANT8_ASYMM, {1, 1001}, 1.0F / 256, 0});
        builder.operation(OperationType::SOFTMAX, {flat, builder.float32(1.0F)}, result);
    }

    double width_;
    Dimensions shape_;
    std::uint32_t present_ = 0;
    std::minstd_rand random_{7};
};

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/network");

TEST_CASE("MobileNet V1 takes about a thousand commands and keeps late activations on chip") {
    const MobileNet network(224, 1.0);
    const DeviceInfo device = edgeDevice();
    const auto compiled = compile(network.builder.build(), network.builder.pools(), device);
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().reason);
    // 28 convolutions with at least a filter, a table and a product each.
    CHECK(compiled->commandCount > 3 * 28);
    CHECK(compiled->commandCount < 2000);
    // 14 x 14 x 512 in and out: only filters of 512 x 512 and biases move.
    const OperationEstimate& late = compiled->operations[14];
    CHECK(late.macs == 14ULL * 14 * 512 * 512);
    CHECK(late.dramBytes >= 512 * 512);
    CHECK(late.dramBytes < 512 * 512 + 8192);
    CHECK(compiled->operations[29].isFolded);
    // 568,740,352 products on 256 multipliers, 4.2 MB of filters at 4 bytes per cycle
    CHECK(compiled->estimatedCycles > 568'740'352 / 256);
    CHECK(compiled->estimatedCycles < 2 * 568'740'352 / 256);
}

TEST_CASE("a narrow MobileNet gives the same bytes on every device and in every order [E-4]") {
    const MobileNet network(64, 0.25);
    const auto model = network.builder.build();
    std::minstd_rand random(3);
    Bytes image(std::size_t{64} * 64 * 3);
    for (std::byte& byte : image) {
        byte = static_cast<std::byte>(random() >> 8);
    }
    const std::vector<Bytes> inputs{image};
    Bytes first;
    for (const DeviceInfo& device :
         {edgeDevice(), tinyDevice(65536, 8192), tinyDevice(20 * 1024, 1024)}) {
        const auto compiled = compile(model, network.builder.pools(), device);
        REQUIRE_MESSAGE(compiled.has_value(), compiled.error().reason);
        for (std::uint32_t seed = 1; seed <= 2; ++seed) {
            const InterpretedRun run =
                    interpret(*compiled, device, network.builder.pools(), inputs, seed);
            REQUIRE(run.error == "");
            first = first.empty() ? run.outputs[0] : first;
            CHECK(run.outputs[0] == first);
        }
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
