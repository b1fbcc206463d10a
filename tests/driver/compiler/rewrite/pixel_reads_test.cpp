// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/pixel_reads.h"

#include <doctest/doctest.h>

#include <set>

#include "driver/compiler/compiler.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/stream_interpreter.h"
#include "tests/driver/compiler/test_device.h"

namespace vnpu::driver::test {
namespace {

/// A convolution of 3 x 3 over an image of 20 x 20 pixels with `channels`.
ModelBuilder imageLayer(std::uint32_t channels) {
    ModelBuilder builder;
    const auto patterned = [](std::size_t count) {
        Bytes bytes(count);
        for (std::size_t i = 0; i < count; ++i) {
            bytes[i] = static_cast<std::byte>(i * i * 7 / 3);
        }
        return bytes;
    };
    const std::uint32_t in =
            builder.input({OperandType::TENSOR_QUANT8_ASYMM, {1, 20, 20, channels}, 0.05F, 128});
    const std::uint32_t filter =
            builder.pooled({OperandType::TENSOR_QUANT8_ASYMM, {16, 3, 3, channels}, 0.01F, 121},
                           patterned(std::size_t{16} * 9 * channels));
    const std::uint32_t bias = builder.pooled({OperandType::TENSOR_INT32, {16}, 0.0005F, 0},
                                              bytesOf(std::vector<std::int32_t>(16, 77)));
    const std::uint32_t out =
            builder.output({OperandType::TENSOR_QUANT8_ASYMM, {1, 20, 20, 16}, 0.5F, 128});
    builder.operation(OperationType::CONV_2D,
                      {in, filter, bias, builder.int32(1), builder.int32(1), builder.int32(1),
                       builder.int32(0)},
                      out);
    return builder;
}

/// Lengths of the rows in which the input is loaded.
std::set<std::uint32_t> inputRows(const CompiledModel& model) {
    std::set<std::uint32_t> lengths;
    hw::CommandReader reader(model.commands);
    for (hw::CommandView view; reader.next(view);) {
        if (view.header->opcode != hw::Opcode::kDmaTransfer) {
            continue;
        }
        const auto transfer = view.as<hw::DmaTransfer>();
        if (transfer.source.space < model.regions.size() &&
            model.regions[transfer.source.space].kind == RegionKind::kInput) {
            lengths.insert(transfer.rowBytes);
        }
    }
    return lengths;
}

TEST_SUITE_BEGIN("driver/compiler/rewrite/pixel_reads");

TEST_CASE("a device that reads pixels takes a row for each, with the same results [E-3]") {
    const ModelBuilder builder = imageLayer(3);
    Bytes image(20 * 20 * 3);
    for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] = static_cast<std::byte>(i * 31);
    }
    const std::vector<Bytes> inputs{image};
    for (DeviceInfo device : {edgeDevice(), tinyDevice(4'096, 1'024)}) {
        CAPTURE(device.sramBytes);
        const auto inRows = compile(builder.build(), builder.pools(), device);
        device.pixelReads = true;
        const auto byPixel = compile(builder.build(), builder.pools(), device);
        REQUIRE(inRows.has_value());
        REQUIRE(byPixel.has_value());
        CHECK(*inputRows(*inRows).begin() >= 60);
        CHECK(inputRows(*byPixel) == std::set<std::uint32_t>{3});
        // 400 bursts of 64 bytes instead of 1,200 bytes: 6,100 cycles at 4 bytes a cycle. The tiny
        // array takes longer.
        if (device.macRows == 16) {
            CHECK(byPixel->estimatedCycles > inRows->estimatedCycles + 5'000);
        }
        const InterpretedRun expected = interpret(*inRows, device, builder.pools(), inputs, 1);
        const InterpretedRun run = interpret(*byPixel, device, builder.pools(), inputs, 2);
        REQUIRE(expected.error == "");
        REQUIRE(run.error == "");
        CHECK(run.outputs == expected.outputs);
    }
}

TEST_CASE("pixels of a burst or more are read in rows") {
    const ModelBuilder builder = imageLayer(64);
    DeviceInfo device = edgeDevice();
    const auto inRows = compile(builder.build(), builder.pools(), device);
    device.pixelReads = true;
    const auto byPixel = compile(builder.build(), builder.pools(), device);
    REQUIRE(inRows.has_value());
    REQUIRE(byPixel.has_value());
    CHECK(byPixel->commands == inRows->commands);
}

TEST_SUITE_END();

}  // namespace
}  // namespace vnpu::driver::test
