// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/mac_decoder.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "hw_model/blocks/engines/conv_parts.h"
#include "hw_model/kernels/mac/mac_conv.h"
#include "tests/hw_model/blocks/job_bench.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr ValidationLimits kLimits{.sramBytes = 1 << 20, .accumulatorBytes = 1 << 18};
constexpr std::size_t kThreads = 8;

EngineCommand commandOf(const MacConv& work, std::uint32_t tile = 0) {
    EngineCommand command;
    command.header.opcode = Opcode::kMacConv;
    command.header.sizeBytes = sizeof(CommandHeader) + sizeof(MacConv);
    command.header.engine = Engine::kMac;
    command.header.tile = tile;
    std::memcpy(command.payload.data(), &work, sizeof(work));
    return command;
}

MacConv product() {
    return gemm(64, 32, 32, 0x0000, 0x10000, 0x20000);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/mac_decoder");

TEST_CASE("a repeated command is decoded once and stays the same [E-6]") {
    const NpuConfig config;
    MacDecoder decoder(config, kLimits, kThreads);
    const auto first = decoder.decode(commandOf(product()));
    CHECK(first->status == JobStatus::kOk);
    CHECK(first->operations == 64 * 32 * 32);
    // 16 x 16: 2 * 2 folds, the first of 2 * 16 + 16 + 64 - 2, three more of 64.
    CHECK(first->cycles.array == 110 + 3 * 64);
    CHECK_FALSE(first->hasBlocks);
    CHECK(decoder.decode(commandOf(product())) == first);
}

TEST_CASE("commands that differ in any field are distinguished [E-6]") {
    const NpuConfig config;
    MacDecoder decoder(config, kLimits, kThreads);
    const auto original = decoder.decode(commandOf(product()));
    // Each changed command may hash to the place of the original or to another one.
    const std::vector<std::function<void(EngineCommand&, MacConv&)>> changes = {
            [](EngineCommand& command, MacConv&) { command.header.tile = 1; },
            [](EngineCommand& command, MacConv&) { command.header.operation = 3; },
            [](EngineCommand& command, MacConv&) { command.header.flags = 1; },
            [](EngineCommand& command, MacConv&) { command.header.waits[5].count = 1; },
            [](EngineCommand& command, MacConv&) { command.header.opcode = Opcode::kVecPool; },
            [](EngineCommand&, MacConv& work) { work.inputZeroPoint = 1; },
            [](EngineCommand&, MacConv& work) { work.outputHeight = 63; },
            [](EngineCommand&, MacConv& work) { work.accumulatorOffset = 4; },
            [](EngineCommand&, MacConv& work) { work.outputStage.shift = -1; },
            [](EngineCommand&, MacConv& work) { work.outputStage.flags = 1U << 31U; },
            [](EngineCommand&, MacConv& work) { work.filterSram = 0x30000; }};
    for (const auto& change : changes) {
        EngineCommand command = commandOf(product());
        MacConv work = product();
        change(command, work);
        std::memcpy(command.payload.data(), &work, sizeof(work));
        const auto changed = decoder.decode(command);
        CHECK(changed != original);
        CHECK(std::memcmp(&changed->work, &work, sizeof(work)) == 0);
        CHECK(std::memcmp(&changed->header, &command.header, sizeof(CommandHeader)) == 0);
        const auto again = decoder.decode(commandOf(product()));
        CHECK(again->status == JobStatus::kOk);
        CHECK(again->operations == original->operations);
    }
}

TEST_CASE("an invalid command is refused each time, and accepted once it is valid [E-6]") {
    const NpuConfig config;
    MacDecoder decoder(config, kLimits, kThreads);
    MacConv work = product();
    work.outputSram = (1 << 20) - 64;
    for (int time = 0; time < 2; ++time) {
        CHECK(decoder.decode(commandOf(work))->status == JobStatus::kOutOfSram);
    }
    EngineCommand other = commandOf(product());
    other.header.opcode = Opcode::kVecPool;
    CHECK(decoder.decode(other)->status == JobStatus::kBadEngine);
    CHECK(decoder.decode(commandOf(product()))->status == JobStatus::kOk);
}

TEST_CASE("a command that is in use stays valid while others replace it [E-6]") {
    const NpuConfig config;
    MacDecoder decoder(config, kLimits, kThreads);
    const auto held = decoder.decode(commandOf(product()));
    for (std::uint32_t tile = 1; tile < 5000; ++tile) {
        MacConv work = product();
        work.inputSram = tile * 8;
        CHECK(decoder.decode(commandOf(work, tile))->work.inputSram == tile * 8);
    }
    CHECK(held->work.inputSram == 0);
    CHECK(held->pieces.size() == 1);
}

TEST_CASE("pieces are the parts of the computation; timing-only mode has none [E-6]") {
    // 56 x 56 pixels, 64 channels in and out: 12.8 million products.
    const MacConv work = gemm(3136, 64, 64, 0x0000, 0x40000, 0x80000);
    NpuConfig config;
    config.mac.accumulatorKib = 1024;
    const ValidationLimits limits{.sramBytes = 1 << 20, .accumulatorBytes = 1 << 20};
    const auto decoded = MacDecoder(config, limits, kThreads).decode(commandOf(work));
    REQUIRE(decoded->status == JobStatus::kOk);
    const std::uint64_t products = std::uint64_t{3136} * 64 * 64;
    const ConvParts parts = partsOf(work, products, kThreads);
    REQUIRE(parts.count() > 1);
    REQUIRE(decoded->pieces.size() == parts.count());
    std::uint64_t pixels = 0;
    for (const ConvPiece& piece : decoded->pieces) {
        pixels += piece.work.outputHeight;
        CHECK(piece.operations == products / parts.count());
    }
    CHECK(pixels == 3136);
    CHECK_FALSE(decoded->pieces[0].accesses.conflictWith(decoded->pieces[1].accesses));

    MacConv depthwise = gemm(64, 32, 32, 0x0000, 0x40000, 0x80000);
    depthwise.flags |= kMacDepthwise;
    depthwise.depthMultiplier = 1;
    const auto column = MacDecoder(config, limits, kThreads).decode(commandOf(depthwise));
    REQUIRE(column->status == JobStatus::kOk);
    CHECK(column->pieces.at(0).operations == 64 * kernels::kDepthwiseCost * 32);

    config.timingOnly = true;
    CHECK(MacDecoder(config, limits, kThreads).decode(commandOf(work))->pieces.empty());
}

TEST_SUITE_END();

}  // namespace vnpu::test
