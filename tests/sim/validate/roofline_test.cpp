// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/internal/roofline.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/validate/layer_shape.h"

namespace vnpu::sim {
namespace {

hw::NpuConfig device(std::uint32_t sramKib, double bytesPerCycle) {
    hw::NpuConfig config = loadConfig("edge");  // 16 rows and 16 columns
    config.sram.kib = sramKib;
    config.dram.bytesPerCycle = bytesPerCycle;
    return config;
}

TEST_SUITE_BEGIN("sim/validate/roofline");

TEST_CASE("a product takes the array's folds or its bytes, whichever is longer [E-3]") {
    // 100 x 40 by 40 x 24: three folds of rows and two of columns, of 100 rows each.
    const Network network = layerNetwork({.channels = 40, .filters = 24, .rows = 100});
    const Roofline fast = rooflineOf(network, device(512, 1000.0));
    CHECK(fast.stream == 3 * 2 * 100);
    CHECK(fast.array == fast.stream + 2 * 16 + 16 - 2);  // once filled and drained
    CHECK(fast.latency == 250);
    CHECK(fast.cycles() == fast.array + fast.latency);
    CHECK(fast.limit() == std::string("the array"));
    // Operands, results, and biases of four bytes, once each.
    const Roofline slow = rooflineOf(network, device(512, 0.5));
    CHECK(slow.memory == 2.0 * (100 * 40 + 40 * 24 + 100 * 24 + 4 * 24));
    CHECK(slow.cycles() == slow.memory + slow.latency);
    CHECK(slow.limit() == std::string("memory"));
    // Also where a sum with the latency is rounded.
    CHECK(rooflineOf(network, device(512, 0.93)).limit() == std::string("memory"));
}

TEST_CASE("few rows wait for the weights of their folds [E-3]") {
    const Network network = layerNetwork({.channels = 32, .filters = 16, .rows = 1});
    const Roofline roofline = rooflineOf(network, device(512, 1000.0));
    CHECK(roofline.stream == 2 * 16);
    CHECK(roofline.array == 2 * 16 + 16 + 1 + 16 - 2);  // the first fold: 16 to load, 1 row, skew
}

TEST_CASE("recurrent weights are moved again as far as the SRAM is too small for them [E-3]") {
    // Four matrices of 640 x 512 bytes with biases of 512 words, at each of three steps; then two
    // classes. The input has 128 bytes a step.
    const Network network = loadNetwork("zoo:sentiment:3", {.zeroWeights = true});
    constexpr double kRound = 4.0 * (640 * 512 + 4 * 512);
    constexpr double kClasses = 2 * 512 + 4 * 2;
    constexpr double kStates = 2 * 512;  // both zero at first
    constexpr double kEnds = 3 * 128 + 2;
    constexpr double kOnce = kRound + kClasses + kStates + kEnds;
    CHECK(rooflineOf(network, device(4096, 1.0)).memory == kOnce);
    CHECK(rooflineOf(network, device(512, 1.0)).memory == kOnce + 2 * (kRound - 512 * 1024));
}

TEST_CASE("what memory has to bring for late layers cannot all come before [E-3]") {
    // VGG-16's dense layers have 123,642,856 weights, of which 4 MiB may be loaded while the last
    // convolution computes.
    const Network network = loadNetwork("zoo:vgg16", {.zeroWeights = true});
    const Roofline roofline = rooflineOf(network, loadConfig("mobile"));
    constexpr double kDense = 25088.0 * 4096 + 4096.0 * 4096 + 4096.0 * 1000;
    constexpr double kBiases = 4.0 * (4096 + 4096 + 1000);
    constexpr double kSram = 4096.0 * 1024;
    constexpr double kLoads = (kDense + kBiases - kSram) / 32.0;
    CHECK(roofline.arrayThenMemory > kLoads);
    // The array's 3 x 3 layers, by hand: rows x folds of 9 * channels and of kernels, on 64 x 64.
    constexpr double kArray = 224.0 * 224 * (1 * 1 + 9 * 1) + 112.0 * 112 * (9 * 2 + 18 * 2) +
                              56.0 * 56 * (18 * 4 + 36 * 4 * 2) +
                              28.0 * 28 * (36 * 8 + 72 * 8 * 2) + 14.0 * 14 * (72 * 8 * 3);
    constexpr double kFills = 13.0 * (2 * 64 + 64 - 2);
    CHECK(roofline.arrayThenMemory == doctest::Approx(kArray + kFills + kLoads).epsilon(1e-9));
    CHECK(roofline.limit() == std::string("the array, then memory"));
}

TEST_CASE("the last layer begins when memory has brought its weights [E-3]") {
    // The autoencoder's last layer has 128 inputs and 640 outputs of a byte.
    const Network network = loadNetwork("zoo:autoencoder", {.zeroWeights = true});
    const Roofline roofline = rooflineOf(network, loadConfig("mobile"));
    const double constants = roofline.memory - 2 * 640 / 32.0;  // without input and output
    CHECK(roofline.memoryThenArray == constants + 2 * 64 + 1 + 64 - 2);
    CHECK(roofline.limit() == std::string("memory, then the array"));
}

TEST_SUITE_END();

}  // namespace
}  // namespace vnpu::sim
