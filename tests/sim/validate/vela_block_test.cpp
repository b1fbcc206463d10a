// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/vela_block.h"

#include <doctest/doctest.h>

#include "tests/sim/validate/vela_accelerators.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

VelaLayer convolution(VelaExtent input, VelaExtent output, std::uint64_t side) {
    return {.kind = VelaKind::kConvolution,
            .input = input,
            .output = output,
            .filter = {side, side, 1}};
}

TEST_SUITE_BEGIN("sim/validate/vela_block");

TEST_CASE("four taps are processed together if that uses the array better [E-3]") {
    const auto isTogether = [](std::uint64_t channels, std::uint64_t side) {
        return velaTakesTapsTogether(convolution({9, 9, channels}, {9, 9, 16}, side));
    };
    CHECK(isTogether(8, 1));
    CHECK(isTogether(16, 3));        // 9 of 12 taps against 16 of 32 channels
    CHECK_FALSE(isTogether(16, 1));  // 1 of 4 against 16 of 32
    CHECK_FALSE(isTogether(64, 3));  // 9 of 12 against all
    VelaLayer dense = convolution({1, 1, 8}, {1, 1, 8}, 1);
    dense.kind = VelaKind::kFullyConnected;
    CHECK_FALSE(velaTakesTapsTogether(dense));
}

TEST_CASE("input and accumulators fit the shared buffer twice [E-3]") {
    // 34 * 18 * 8 bytes are five banks, twice, in granules of 8: 16. 16 * 16 accumulators of 8
    // channels are eight banks, twice: 16 of the 44. Of 16 channels they are 32: 48 in all.
    const VelaLayer layer = convolution({96, 48, 6}, {48, 48, 16}, 3);
    const VelaExtent input = {34, 18, 8};
    CHECK(velaFits({{16, 16, 8}, input, true}, layer, u65));
    CHECK_FALSE(velaFits({{16, 16, 16}, input, true}, layer, u65));
    // Granules of 4 and 8: 12 and 16 of 20 banks.
    CHECK_FALSE(velaFits({{16, 16, 8}, input, true}, layer, u55Small));
    // 8 * 16: 8 banks beside the 12.
    CHECK(velaFits({{8, 16, 8}, input, true}, layer, u55Small));
    // A sum has two inputs and no accumulators: 2 * 16 of 44, 2 * 24 are too many.
    VelaLayer sum = layer;
    sum.kind = VelaKind::kSum;
    CHECK(velaFits({{16, 16, 32}, {16, 16, 32}, false}, sum, u65));
    CHECK_FALSE(velaFits({{18, 16, 32}, {18, 16, 32}, false}, sum, u65));
}

TEST_CASE("a layer that fits is a single block of whole micro-blocks [E-3]") {
    const VelaBlock block = velaBlockOf(convolution({4, 4, 16}, {4, 4, 16}, 1), u65);
    CHECK(block.output == VelaExtent{4, 4, 16});
    CHECK(block.input == VelaExtent{4, 4, 16});
    VelaLayer dense = convolution({1, 1, 128}, {1, 1, 8}, 1);
    dense.kind = VelaKind::kFullyConnected;
    CHECK(velaBlockOf(dense, u65).output == VelaExtent{2, 2, 8});
    CHECK(velaBlockOf(dense, u55Small).output == VelaExtent{1, 2, 8});
    CHECK(velaBlockOf(dense, u65).input == VelaExtent{2, 2, 32});
}

TEST_CASE("the block with the fewest fetches is selected among those that fit [E-3]") {
    // Depthwise 3 x 3 over 8 channels of 16 x 6: a single block fits, with 18 * 8 pixels for 96.
    VelaLayer layer = convolution({16, 6, 8}, {16, 6, 8}, 3);
    layer.kind = VelaKind::kDepthwise;
    const VelaBlock block = velaBlockOf(layer, u65);
    CHECK(block.output == VelaExtent{16, 6, 8});
    CHECK(block.input == VelaExtent{18, 8, 8});
}

TEST_CASE("a block whose complete input is buffered costs half [E-3]") {
    // Depthwise 1 x 1: each pixel once, for any number of channels in a block. Two times 8 * 8 * 16
    // equal the whole input; 8 * 8 * 32 twice exceed it.
    VelaLayer layer = convolution({8, 8, 32}, {8, 8, 32}, 1);
    layer.kind = VelaKind::kDepthwise;
    CHECK(velaBlockOf(layer, u55Small).output == VelaExtent{8, 8, 32});
}

TEST_SUITE_END();

}  // namespace
