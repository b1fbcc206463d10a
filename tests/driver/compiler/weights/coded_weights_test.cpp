// SPDX-License-Identifier: Apache-2.0
// Compiled models for devices with decoders compared with those for devices without.
#include "driver/compiler/weights/coded_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "driver/compiler/compiler.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/stream_interpreter.h"
#include "tests/driver/compiler/test_device.h"
#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {
namespace {

DeviceInfo withDecoder(DeviceInfo device) {
    device.decoderBytesPerCycle = 8;
    return device;
}

/// A chain of random convolutions, depthwise convolutions, grouped ones and a dense layer, whose
/// weights a code shortens, partly in a pool and partly among the model's values.
class RandomNetwork {
  public:
    explicit RandomNetwork(std::uint32_t seed) : random_(seed) {
        shape_ = {1, pick(6, 20), pick(6, 20), 8 * pick(1, 4)};
        present_ = builder.input(activation(shape_));
        inputBytes = std::size_t{shape_[1]} * shape_[2] * shape_[3];
        for (std::uint32_t layers = pick(2, 5); layers > 0; --layers) {
            switch (pick(0, 2)) {
                case 0:
                    convolve(pick(0, 1) == 0 ? 1 : 3, 8 * pick(1, 12));
                    break;
                case 1:
                    depthwise();
                    break;
                default:
                    grouped();
            }
        }
        finish();
    }

    Bytes input() {
        Bytes bytes(inputBytes);
        std::generate(bytes.begin(), bytes.end(),
                      [&] { return static_cast<std::byte>(random_() >> 8); });
        return bytes;
    }

    ModelBuilder builder;
    std::size_t inputBytes = 0;
    std::size_t valueBytes = 0;  // of filters among the model's values

  private:
    std::uint32_t pick(std::uint32_t least, std::uint32_t most) {
        return least + static_cast<std::uint32_t>(random_() % (most - least + 1));
    }

    static TensorSpec activation(const Dimensions& dimensions) {
        return {OperandType::TENSOR_QUANT8_ASYMM, dimensions, 0.05F, 128};
    }

    /// Mostly near the zero point, sometimes far away.
    std::uint32_t weights(const Dimensions& dimensions) {
        std::size_t count = 1;
        for (const std::uint32_t extent : dimensions) {
            count *= extent;
        }
        const int reach = static_cast<int>(pick(0, 3));
        Bytes values(count);
        for (std::byte& value : values) {
            const int near = static_cast<int>(random_() % static_cast<unsigned>(2 * reach + 1));
            value = static_cast<std::byte>(pick(0, 50) == 0 ? random_() >> 8
                                                            : static_cast<unsigned>(120 + near));
        }
        const TensorSpec spec{OperandType::TENSOR_QUANT8_ASYMM, dimensions, 0.01F, 121};
        if (pick(0, 1) == 0) {
            return builder.pooled(spec, values);
        }
        valueBytes += count;
        return builder.constant(spec, values);
    }

    std::uint32_t bias(std::uint32_t count) {
        return builder.pooled({OperandType::TENSOR_INT32, {count}, 0.0005F, 0},
                              bytesOf(std::vector<std::int32_t>(count, 77)));
    }

    void add(OperationType type, std::uint32_t channels, std::uint32_t filter,
             const std::vector<std::uint32_t>& further) {
        std::vector<std::uint32_t> inputs{present_,         filter,           bias(channels),
                                          builder.int32(1), builder.int32(1), builder.int32(1)};
        inputs.insert(inputs.end(), further.begin(), further.end());
        inputs.push_back(builder.int32(0));
        shape_[3] = channels;
        present_ = builder.temporary(activation(shape_));
        builder.operation(type, inputs, present_);
    }

    void convolve(std::uint32_t window, std::uint32_t channels) {
        add(OperationType::CONV_2D, channels, weights({channels, window, window, shape_[3]}), {});
    }

    void depthwise() {
        add(OperationType::DEPTHWISE_CONV_2D, shape_[3], weights({1, 3, 3, shape_[3]}),
            {builder.int32(1)});
    }

    void grouped() {
        const std::uint32_t channels = 8 * pick(1, 4);
        add(OperationType::GROUPED_CONV_2D, channels, weights({channels, 3, 3, shape_[3] / 4}),
            {builder.int32(4)});
    }

    void finish() {
        const std::uint32_t features = shape_[1] * shape_[2] * shape_[3];
        const std::uint32_t flat = builder.temporary(activation({1, features}));
        builder.operation(OperationType::RESHAPE,
                          {present_, builder.int32s({1, static_cast<std::int32_t>(features)})},
                          flat);
        const std::uint32_t units = pick(4, 40);
        const std::uint32_t out = builder.output(activation({1, units}));
        builder.operation(OperationType::FULLY_CONNECTED,
                          {flat, weights({units, features}), bias(units), builder.int32(0)}, out);
    }

    std::mt19937 random_;
    Dimensions shape_;
    std::uint32_t present_ = 0;
};

std::vector<hw::DmaTransfer> codedTransfers(const CompiledModel& model) {
    std::vector<hw::DmaTransfer> transfers;
    hw::CommandReader reader(model.commands);
    hw::CommandView command;
    while (reader.next(command)) {
        if (command.header->opcode == hw::Opcode::kDmaTransfer &&
            hw::isCoded(command.as<hw::DmaTransfer>())) {
            transfers.push_back(command.as<hw::DmaTransfer>());
        }
    }
    return transfers;
}

/// A dense layer with `values` as weights, in a pool or among the model's values.
ModelBuilder denseLayer(const Bytes& values, std::uint32_t units, bool isPooled) {
    ModelBuilder builder;
    const auto features = static_cast<std::uint32_t>(values.size() / units);
    const std::uint32_t in =
            builder.input({OperandType::TENSOR_QUANT8_ASYMM, {1, features}, 0.05F, 128});
    const TensorSpec spec{OperandType::TENSOR_QUANT8_ASYMM, {units, features}, 0.01F, 0};
    const std::uint32_t filter =
            isPooled ? builder.pooled(spec, values) : builder.constant(spec, values);
    const TensorSpec biasSpec{OperandType::TENSOR_INT32, {units}, 0.0005F, 0};
    const Bytes biases = bytesOf(std::vector<std::int32_t>(units, 5));
    const std::uint32_t bias =
            isPooled ? builder.pooled(biasSpec, biases) : builder.constant(biasSpec, biases);
    const std::uint32_t out =
            builder.output({OperandType::TENSOR_QUANT8_ASYMM, {1, units}, 0.05F, 128});
    builder.operation(OperationType::FULLY_CONNECTED, {in, filter, bias, builder.int32(0)}, out);
    return builder;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/weights/coded_weights");

TEST_CASE("coded weights give the same results on every device, in every order, preempted [E-4]") {
    constexpr std::uint32_t kNetworks = 12;
    std::size_t coded = 0;
    for (std::uint32_t seed = 1; seed <= kNetworks; ++seed) {
        CAPTURE(seed);
        RandomNetwork network(seed);
        const auto model = network.builder.build();
        const auto pools = network.builder.pools();
        const std::vector<Bytes> inputs{network.input()};
        for (const DeviceInfo& device :
             {edgeDevice(), tinyDevice(65536, 8192), tinyDevice(12 * 1024, 1024)}) {
            const auto plain = compile(model, pools, device);
            REQUIRE_MESSAGE(plain.has_value(), plain.error().reason);
            CHECK(codedTransfers(*plain).empty());
            const InterpretedRun expected = interpret(*plain, device, pools, inputs, 1);
            REQUIRE(expected.error == "");
            for (std::uint32_t order = 1; order <= 2; ++order) {
                const auto compiled = compile(model, pools, withDecoder(device),
                                              {.checkpointCycles = order == 2 ? 1ULL : 0ULL});
                REQUIRE_MESSAGE(compiled.has_value(), compiled.error().reason);
                coded += codedTransfers(*compiled).size();
                const InterpretedRun run = interpret(*compiled, device, pools, inputs, order);
                REQUIRE(run.error == "");
                CHECK(run.outputs == expected.outputs);
            }
        }
    }
    CHECK(coded > std::size_t{kNetworks} * 6);
}

TEST_CASE("a coded filter that several layers share is decoded once, where the SRAM keeps it") {
    constexpr std::uint32_t kUnits = 128;
    Bytes values(std::size_t{kUnits} * kUnits);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::byte>(119 + i * i % 5);
    }
    ModelBuilder builder;
    const TensorSpec state{OperandType::TENSOR_QUANT8_ASYMM, {1, kUnits}, 0.05F, 128};
    const std::uint32_t filter = builder.pooled(
            {OperandType::TENSOR_QUANT8_ASYMM, {kUnits, kUnits}, 0.01F, 121}, values);
    const std::uint32_t bias = builder.pooled({OperandType::TENSOR_INT32, {kUnits}, 0.0005F, 0},
                                              bytesOf(std::vector<std::int32_t>(kUnits, 77)));
    std::uint32_t present = builder.input(state);
    for (int step = 0; step < 3; ++step) {
        const std::uint32_t next = step < 2 ? builder.temporary(state) : builder.output(state);
        builder.operation(OperationType::FULLY_CONNECTED, {present, filter, bias, builder.int32(0)},
                          next);
        present = next;
    }
    const std::vector<Bytes> inputs{Bytes(kUnits, std::byte{140})};
    // One of them has no room for the filter.
    for (const auto& [device, loads] :
         {std::pair(edgeDevice(), 1), std::pair(tinyDevice(12 * 1024, 1024), 3)}) {
        const auto plain = compile(builder.build(), builder.pools(), device);
        const auto compiled = compile(builder.build(), builder.pools(), withDecoder(device));
        REQUIRE(plain.has_value());
        REQUIRE(compiled.has_value());
        std::uint64_t decoded = 0;
        for (const hw::DmaTransfer& transfer : codedTransfers(*compiled)) {
            decoded += std::uint64_t{transfer.rowBytes};
        }
        CHECK(decoded == loads * values.size());
        const InterpretedRun expected = interpret(*plain, device, builder.pools(), inputs, 1);
        const InterpretedRun run = interpret(*compiled, device, builder.pools(), inputs, 1);
        REQUIRE(expected.error == "");
        REQUIRE(run.error == "");
        CHECK(run.outputs == expected.outputs);
    }
}

TEST_CASE("blocks replace the weights in the driver's constants, and only there [MP-2]") {
    Bytes values(64'000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::byte>(100 + i * i % 5);
    }
    const ModelBuilder builder = denseLayer(values, 64, false);
    const auto plain = compile(builder.build(), {}, edgeDevice());
    const auto compiled = compile(builder.build(), {}, withDecoder(edgeDevice()));
    REQUIRE(plain.has_value());
    REQUIRE(compiled.has_value());
    CHECK(plain->constants.size() >= values.size());
    // Five values, of which each takes up to three bits.
    CHECK(compiled->constants.size() < values.size() * 3 / 8 + 2000);
    std::uint64_t decoded = 0;
    for (const hw::DmaTransfer& transfer : codedTransfers(*compiled)) {
        CHECK(transfer.codedBytes < transfer.rowBytes);
        CHECK(compiled->regions[transfer.source.space].kind == RegionKind::kDriverConstants);
        decoded += transfer.rowBytes;
    }
    CHECK(decoded == values.size());
}

TEST_CASE("a pool whose weights are coded is needed no longer") {
    Bytes values(64'000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::byte>(100 + i * i % 5);
    }
    const ModelBuilder builder = denseLayer(values, 64, true);
    const auto compiled = compile(builder.build(), builder.pools(), withDecoder(edgeDevice()));
    REQUIRE(compiled.has_value());
    CHECK(std::none_of(
            compiled->regions.begin(), compiled->regions.end(),
            [](const Region& region) { return region.kind == RegionKind::kConstantPool; }));
    CHECK(compiled->constants.size() < values.size() / 2);
}

TEST_CASE("weights that no code shortens stay where they are, and nothing changes") {
    std::mt19937 random(1);
    Bytes values(64'000);
    std::generate(values.begin(), values.end(),
                  [&] { return static_cast<std::byte>(random() >> 8); });
    for (const bool isPooled : {false, true}) {
        const ModelBuilder builder = denseLayer(values, 64, isPooled);
        const auto plain = compile(builder.build(), builder.pools(), edgeDevice());
        const auto compiled = compile(builder.build(), builder.pools(), withDecoder(edgeDevice()));
        REQUIRE(plain.has_value());
        REQUIRE(compiled.has_value());
        CHECK(codedTransfers(*compiled).empty());
        CHECK(compiled->commands == plain->commands);
        CHECK(compiled->constants == plain->constants);
        CHECK(compiled->estimatedCycles == plain->estimatedCycles);
    }
}

TEST_CASE("the estimate of a memory-bound layer falls with its bytes, down to the decoder's time") {
    // 256,000 weights of 1 or 2 bits: at most 64,000 bytes, 16,000 cycles of the memory, against
    // 32,000 of a decoder of 8 bytes per cycle. Uncoded they take 64,000 cycles.
    Bytes values(256'000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::byte>(100 + i * i * 31 / 7 % 3);
    }
    const ModelBuilder builder = denseLayer(values, 64, true);
    DeviceInfo device = edgeDevice();
    const auto estimate = [&](std::uint32_t rate) {
        device.decoderBytesPerCycle = rate;
        return static_cast<double>(
                compile(builder.build(), builder.pools(), device)->estimatedCycles);
    };
    CHECK(estimate(0) > 256'000 / 4);
    CHECK(estimate(8) > 256'000 / 8);
    CHECK(estimate(8) < 1.25 * 256'000 / 8);
    CHECK(estimate(2) == estimate(0));  // a slow decoder is left alone
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
