// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/vela_estimate.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/import/source.h"
#include "sim/validate/ethosu/ethosu_reference.h"
#include "tests/sim/validate/vela_accelerators.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

/// One block on Ethos-U55-256: 64 cycles of products, 64 of outputs, 20 of biases, command of
/// (64 + 2 * 256 / 8 + 64 + 64) / 4 = 64. 256 weights and 160 bytes of biases.
VelaLayer pointwise() {
    return {.kind = VelaKind::kConvolution, .input = {4, 4, 16}, .output = {4, 4, 16}};
}

TEST_SUITE_BEGIN("sim/validate/vela_estimate");

TEST_CASE("staged weights wait if the previous layer is too short to hide them [E-3]") {
    const auto cycles = velaCyclesOf({pointwise(), pointwise()}, u55, 1.0);
    CHECK(cycles[0].blocks == 64 + 64);
    CHECK(cycles[0].weightWait == 416 + 64);        // at one byte a cycle, and a latency
    CHECK(cycles[1].weightWait == 416 + 64 - 128);  // less what the first hides
    CHECK(cycles[0].total() == 608);
    CHECK(cycles[0].limit() == VelaLimit::kWeights);
    CHECK(velaTotal(cycles) == 608 + 480);
}

TEST_CASE("coded weights wait less, in multiples of 16 bytes [E-3]") {
    // 128 + 160 = 288; 25 + 160 = 185, rounded up to 192.
    CHECK(velaCyclesOf({pointwise()}, u55, 0.5)[0].weightWait == 288 + 64);
    CHECK(velaCyclesOf({pointwise()}, u55, 0.1)[0].weightWait == 192 + 64);
}

TEST_CASE("weights that cannot be hidden are loaded in slices of output channels [E-3]") {
    VelaLayer layer = pointwise();
    layer.output.channels = 64;
    const auto cycles = velaCyclesOf({layer, pointwise()}, u55, 1.0);
    // One block: 8 groups of kernels of 32 cycles, a quarter of 1,024 outputs.
    CHECK(cycles[0].blocks == 256 + 256);
    // 1,664 bytes: 1,728 cycles, and then the last 48 channels must be computed: 192 + 192. First a
    // slice of 16 channels, because the block takes the rest.
    CHECK(cycles[0].total() == 1'728 + 384);
    // These 384 cycles hide the first weights of the next layer, which are too few to split.
    CHECK(cycles[1].weightWait == 480 - 384);
}

TEST_CASE("a matrix product reads its weights while it computes [E-3]") {
    const VelaLayer dense{
            .kind = VelaKind::kFullyConnected, .input = {1, 1, 128}, .output = {1, 1, 128}};
    const VelaCycles cycles = velaCyclesOf({dense}, u65, 0.5)[0];
    CHECK(cycles.weightWait == 0);
    // Half of 128 * 128, 14 bytes for each channel.
    CHECK(cycles.plainWeights == doctest::Approx((8'192 + 1'792) / 3.75));
    CHECK(cycles.blocks == 2'500 + 2'048);
    CHECK(cycles.total() == 4'548);
    CHECK(cycles.limit() == VelaLimit::kBiases);
    CHECK(velaCyclesOf({dense}, u65, 1.0)[0].limit() == VelaLimit::kWeights);
}

TEST_CASE("a layer is named after its longest part [E-3]") {
    VelaCycles cycles{.block = {10, 20, 5, 15, 1}, .blocks = 30};
    CHECK(cycles.limit() == VelaLimit::kOutputs);
    cycles.block.command = 25;
    CHECK(cycles.limit() == VelaLimit::kLatencies);
    cycles.maps = 40;
    CHECK(cycles.limit() == VelaLimit::kMapsInSram);
    cycles.mapsOutside = 50;
    CHECK(cycles.limit() == VelaLimit::kMapsOutside);
    CHECK(cycles.total() == 50);
    cycles.weightWait = 31;
    CHECK(cycles.limit() == VelaLimit::kWeights);
    CHECK(cycles.total() == 61);
}

TEST_CASE("every published number is reproduced within 10 % [E-3]") {
    for (const EthosURow& row : kEthosURows) {
        const auto layers = velaLayersOf(
                loadNetwork(fmt::format("zoo:{}", row.network), {.zeroWeights = true}));
        for (std::size_t i = 0; i < kVelaAccelerators.size(); ++i) {
            CAPTURE(row.network);
            CAPTURE(kVelaAccelerators[i].config);
            CHECK(velaTotal(velaCyclesOf(layers, kVelaAccelerators[i], row.codedShare)) ==
                  doctest::Approx(static_cast<double>(row.cycles[i])).epsilon(0.10));
        }
    }
}

TEST_SUITE_END();

}  // namespace
