// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "driver/compiler/compiler.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

struct LoadOf {
    hw::Engine engine;
    std::uint64_t bytes;
    RegionKind source;
};

/// The transfers into the SRAM, in the order of the stream.
std::vector<LoadOf> loadsOf(const CompiledModel& model) {
    std::vector<LoadOf> loads;
    hw::CommandReader reader(model.commands);
    for (hw::CommandView view; reader.next(view);) {
        if (view.header->opcode != hw::Opcode::kDmaTransfer) {
            continue;
        }
        const auto transfer = view.as<hw::DmaTransfer>();
        if (transfer.source.space < model.regions.size()) {
            loads.push_back({view.header->engine,
                             std::uint64_t{transfer.rowBytes} * transfer.counts[0] *
                                     transfer.counts[1] * transfer.counts[2],
                             model.regions[transfer.source.space].kind});
        }
    }
    return loads;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/emit/emit_convolution");

TEST_CASE("biases and scales are one load, on the channel of the activations [E-2]") {
    constexpr std::uint32_t kChannels = 24;
    ModelBuilder builder;
    Dice dice(12);
    const std::uint32_t x =
            builder.input({OperandType::TENSOR_QUANT8_ASYMM, {1, 9, 9, 4}, 0.5F, 120});
    const std::uint32_t filter = builder.pooled(
            {OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
             {kChannels, 3, 3, 4},
             0.0F,
             0,
             std::vector<float>(kChannels, 0.25F),
             0},
            dice.data(OperandType::TENSOR_QUANT8_ASYMM, std::size_t{kChannels} * 36));
    const std::uint32_t bias = builder.constant({kInt, {kChannels}}, dice.data(kInt, kChannels));
    builder.operation(
            OperationType::CONV_2D,
            {x, filter, bias, builder.int32(1), builder.int32(1), builder.int32(1),
             builder.int32(0)},
            builder.output({OperandType::TENSOR_QUANT8_ASYMM, {1, 9, 9, kChannels}, 8.0F, 100}));
    const auto compiled = compile(builder.build(), builder.pools(), edgeDevice());
    REQUIRE(compiled.has_value());
    std::size_t images = 0, filters = 0, tables = 0;
    for (const LoadOf& load : loadsOf(*compiled)) {
        if (load.source == RegionKind::kInput) {
            ++images;
            CHECK(load.engine == hw::Engine::kDma0);
            CHECK(load.bytes == 9 * 9 * 4);
        } else if (load.source == RegionKind::kConstantPool) {
            ++filters;
            CHECK(load.engine == hw::Engine::kDma1);
            CHECK(load.bytes == std::size_t{kChannels} * 36);
        } else {
            ++tables;
            CHECK(load.engine == hw::Engine::kDma0);
            // For each channel a bias of four bytes and a scale of eight, padded to 64 bytes each.
            CHECK(load.bytes >= kChannels * 12);
            CHECK(load.bytes <= kChannels * 12 + 2 * 64);
        }
    }
    CHECK(images == 1);
    CHECK(filters == 1);
    CHECK(tables == 1);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
