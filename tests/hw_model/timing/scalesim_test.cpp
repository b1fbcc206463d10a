// SPDX-License-Identifier: Apache-2.0
// The closed forms compared with rows calculated by hand from layer shapes. tests/sim/validate
// compares SCALE-Sim's tables, which are not part of the repository.
#include <doctest/doctest.h>

#include "hw_model/timing/mac_timing.h"

namespace vnpu::test {
namespace {

using hw::Dataflow;

hw::MacConfig singleBuffered(std::uint32_t size, Dataflow dataflow) {
    hw::MacConfig config;
    config.rows = config.columns = size;
    config.dataflow = dataflow;
    config.weightDoubleBuffer = false;
    return config;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/scalesim");

TEST_CASE("layers calculated by hand have the closed form's cycles [E-3]") {
    struct Layer {
        const char* what;
        std::uint64_t m, n, k;
        std::uint32_t size;
        Dataflow dataflow;
        std::uint64_t cycles;
    };
    const Layer layers[] = {
            // ResNet-50 first layer, 112*112 pixels, 7*7*3 taps, 64 filters: 10 * 4 folds of
            // 12,590.
            {"conv1", 12'544, 64, 147, 16, Dataflow::kWeightStationary, 503'600},
            // Same on 32 x 32: 5 * 2 folds of 64 + 32 + 12544 - 2 = 12,638.
            {"conv1", 12'544, 64, 147, 32, Dataflow::kWeightStationary, 126'380},
            // Same, output stationary: 784 * 4 folds of 16 + 16 + 147 - 2 = 177.
            {"conv1", 12'544, 64, 147, 16, Dataflow::kOutputStationary, 555'072},
            // BERT-base projection at 128 tokens on 128 x 128: 6 * 6 folds of 256 + 128 + 128 -
            // 2 = 510.
            {"query", 128, 768, 768, 128, Dataflow::kWeightStationary, 18'360},
            // Same, output stationary: 1 * 6 folds of 128 + 128 + 768 - 2 = 1022.
            {"query", 128, 768, 768, 128, Dataflow::kOutputStationary, 6'132},
            // MobileNetV1 last pointwise layer, 49 pixels: 32 * 32 folds of 64 + 32 + 49 - 2 =
            // 143.
            {"pw13", 49, 1024, 1024, 32, Dataflow::kWeightStationary, 146'432},
    };
    for (const Layer& layer : layers) {
        CAPTURE(layer.what);
        CHECK(hw::gemmCycles(singleBuffered(layer.size, layer.dataflow),
                             {.m = layer.m, .n = layer.n, .k = layer.k}) == layer.cycles);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
