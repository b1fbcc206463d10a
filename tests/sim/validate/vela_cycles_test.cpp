// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/vela_cycles.h"

#include <doctest/doctest.h>

#include "tests/sim/validate/vela_accelerators.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

VelaBlockCycles cyclesOf(const VelaLayer& layer, const VelaBlock& block,
                         const VelaAccelerator& accelerator) {
    return velaBlockCycles(layer, block, accelerator, velaMapsOf(layer, accelerator));
}

// All values are calculated by hand.
TEST_SUITE_BEGIN("sim/validate/vela_cycles");

TEST_CASE("a matrix product waits for filters and biases [E-3]") {
    const VelaLayer dense{
            .kind = VelaKind::kFullyConnected, .input = {1, 1, 128}, .output = {1, 1, 128}};
    const VelaBlock block = {{2, 2, 128}, {2, 2, 32}, false};
    const VelaBlockCycles cycles = cyclesOf(dense, block, u65);
    // 16 groups of kernels, 4 of channels, 32 cycles each for the filters of one.
    CHECK(cycles.products == 16 * 4 * 32);
    CHECK(cycles.outputs == 32);                     // a quarter of 128
    CHECK(cycles.biases == 10 * 128 * 500 / 256.0);  // a latency of DRAM for 256 bytes
    // Two latencies of 32, 32 channels in two cycles, 128 results in eight.
    CHECK(cycles.command == (74 + 2'500 + 2'048) / 4.0);
    CHECK(cycles.count == 1);
    CHECK(cycles.layer() == 2'500 + 2'048);
    // Two cores.
    CHECK(cyclesOf(dense, block, u65Large).products == 1'024);
}

TEST_CASE("convolutions take steps of a tap, or of four with few channels [E-3]") {
    VelaLayer layer{.kind = VelaKind::kConvolution,
                    .input = {8, 8, 64},
                    .output = {8, 8, 16},
                    .filter = {3, 3, 1}};
    // 4 * 4 micro-blocks of 4 cycles, 2 groups of kernels, 9 taps, 2 groups of 32 channels.
    CHECK(cyclesOf(layer, {{8, 8, 16}, {10, 10, 32}, false}, u65).products == 64 * 2 * 9 * 2);
    // One row of two pixels: 8 * 4.
    CHECK(cyclesOf(layer, {{8, 8, 16}, {10, 10, 32}, false}, u55Small).products == 128 * 2 * 9 * 2);
    // 16 channels, four taps together: 3 steps for each of two groups of 8.
    layer.input.channels = 16;
    CHECK(cyclesOf(layer, {{8, 8, 16}, {10, 10, 16}, true}, u65).products == 64 * 2 * 3 * 2);
    layer.kind = VelaKind::kDepthwise;
    CHECK(cyclesOf(layer, {{8, 8, 16}, {10, 10, 16}, true}, u65).products == 64 * 2 * 3);
    layer.kind = VelaKind::kPool;
    CHECK(cyclesOf(layer, {{8, 8, 16}, {10, 10, 16}, false}, u65).products == 16 * 2 * 9);
    CHECK(cyclesOf(layer, {{8, 8, 16}, {10, 10, 16}, false}, u65).biases == 0);
    // Blocks at the border count completely: 2 * 2 * 1.
    CHECK(cyclesOf(layer, {{6, 6, 16}, {8, 8, 16}, false}, u65).count == 4);
}

TEST_CASE("a single micro-block delays each step, and a row is four pixels wide [E-3]") {
    VelaLayer layer{.kind = VelaKind::kConvolution,
                    .input = {2, 2, 32},
                    .output = {2, 2, 8},
                    .filter = {3, 3, 1}};
    CHECK(cyclesOf(layer, {{2, 2, 8}, {4, 4, 32}, false}, u65).products == 9 * 32 + 2 * 9);
    layer.output.channels = 16;
    CHECK(cyclesOf(layer, {{2, 2, 16}, {4, 4, 32}, false}, u65).products == 2 * 9 * 32 + 2 * 8 * 2);
    // 32 pixels of a row: eight micro-blocks; with an odd pixel 17 of 2 x 2.
    layer = {.kind = VelaKind::kConvolution, .input = {1, 32, 32}, .output = {1, 32, 8}};
    CHECK(cyclesOf(layer, {{2, 34, 8}, {2, 34, 32}, false}, u65).products == 32);
    layer.output.columns = 33;
    CHECK(cyclesOf(layer, {{2, 34, 8}, {2, 34, 32}, false}, u65).products == 17 * 4);
}

TEST_CASE("blocks take the longer of computing and writing, the shorter once [E-3]") {
    CHECK(VelaBlockCycles{100, 60, 10, 20, 5}.layer() == 560);
    CHECK(VelaBlockCycles{60, 100, 10, 20, 5}.layer() == 560);
    CHECK(VelaBlockCycles{60, 10, 100, 20, 5}.layer() == 560);
    CHECK(VelaBlockCycles{60, 10, 20, 100, 5}.layer() == 600);
}

TEST_CASE("an image outside SRAM is read in bursts, of which a pixel is a part [E-3]") {
    // 34 x 18 pixels for each of 9 blocks, 6 bytes each, 8 at a time of 128: a sixteenth of a
    // burst.
    VelaLayer layer{.kind = VelaKind::kConvolution,
                    .input = {96, 48, 6},
                    .output = {48, 48, 8},
                    .filter = {3, 2, 1},
                    .rowStride = 2,
                    .readsImage = true};
    const VelaBlock block = {{16, 16, 8}, {34, 18, 8}, true};
    CHECK(velaReadCycles(layer, block, velaMapsOf(layer, u65).in) ==
          doctest::Approx(34 * 18 * 9 * 6 * 16 / 3.75));
    // In SRAM of Ethos-U55 bursts are 32 bytes, four times as much.
    CHECK(velaReadCycles(layer, block, velaMapsOf(layer, u55Small).in) ==
          doctest::Approx(34 * 18 * 9 * 6 * 4 / 8.0));
    // Inside the network, bricks of 16 channels fill the bursts: 16 for 6.
    layer.readsImage = false;
    CHECK(velaReadCycles(layer, block, velaMapsOf(layer, u65).in) ==
          doctest::Approx(34 * 18 * 9 * 16 / 16.0));
    CHECK(velaWriteCycles(layer, block, velaMapsOf(layer, u65).out, 1) ==
          doctest::Approx(48 * 48 * 16 / 16.0));
    // A result is written 8 bytes at a time, of 128.
    layer.writesResult = true;
    CHECK(velaWriteCycles(layer, block, velaMapsOf(layer, u65).out, 1) ==
          doctest::Approx(48 * 48 * 8 * 16 / 3.75));
}

TEST_CASE("a sum takes its output cycles or its blocks' latencies [E-3]") {
    const VelaLayer sum{.kind = VelaKind::kSum, .input = {32, 32, 16}, .output = {32, 32, 16}};
    const VelaBlock large = {{8, 16, 16}, {8, 16, 16}, false};
    CHECK(cyclesOf(sum, large, u55Small).layer() == 1.5 * 32 * 32 * 16);
    // Four pixels: latencies of 64, 64 bytes in and 64 out at 8 a cycle, 96 outputs.
    const VelaBlock small = {{2, 2, 16}, {2, 2, 16}, false};
    CHECK(cyclesOf(sum, small, u55Small).command == (64 + 16 + 96) / 4.0);
    // Twice the port, a quarter of the output cycles.
    CHECK(cyclesOf(sum, small, u65Large).command == (64 + 4 + 4 + 24) / 4.0);
}

TEST_SUITE_END();

}  // namespace
