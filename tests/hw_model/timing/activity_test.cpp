// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/activity.h"

#include <doctest/doctest.h>

#include "hw_model/timing/mac_timing.h"
#include "hw_model/timing/vector_timing.h"

namespace vnpu::test {
namespace {

using namespace hw;
using regs::PerfEvent;

/// 8 x 8 x 16 inputs, 3 x 3 filters with padding, 32 outputs.
MacConv smallConvolution(std::uint32_t flags = kMacDrain) {
    MacConv work{};
    work.inputHeight = work.inputWidth = work.outputHeight = work.outputWidth = 8;
    work.inputChannels = 16;
    work.outputChannels = 32;
    work.filterHeight = work.filterWidth = 3;
    work.strideHeight = work.strideWidth = work.dilationHeight = work.dilationWidth = 1;
    work.padTop = work.padLeft = 1;
    work.flags = flags;
    return work;
}

/// Products, and bytes of sums read and written, counted one by one: the reduction in folds of
/// `rows`.
struct Counted {
    std::uint64_t products = 0;
    std::uint64_t sumBytes = 0;
};
Counted countFolded(const MacConv& work, std::uint32_t rows) {
    Counted counted;
    const std::uint32_t depth = work.filterHeight * work.filterWidth * work.inputChannels;
    for (std::uint32_t y = 0; y < work.outputHeight; ++y) {
        for (std::uint32_t x = 0; x < work.outputWidth; ++x) {
            for (std::uint32_t c = 0; c < work.outputChannels; ++c) {
                for (std::uint32_t k = 0; k < depth; k += rows) {
                    counted.products += std::min(rows, depth - k);
                    counted.sumBytes += k == 0 ? 0 : 4;  // sums of the earlier folds
                    counted.sumBytes += 4;
                }
                counted.sumBytes += (work.flags & kMacDrain) != 0 ? 4 : 0;
            }
        }
    }
    return counted;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/activity");

TEST_CASE("the products and sums of a small convolution equal those of its loops [E-3]") {
    MacConfig config;
    for (const std::uint32_t rows : {16U, 20U, 64U, 144U, 200U}) {
        config.rows = rows;
        for (const std::uint32_t flags : {0U, kMacDrain}) {
            const MacConv work = smallConvolution(flags);
            const Counted counted = countFolded(work, rows);
            const Activity activity = macActivity(config, work);
            CHECK(activity[PerfEvent::kMacProducts8] == counted.products);
            CHECK(activity[PerfEvent::kMacProductsFloat] == 0);
            CHECK(activity[PerfEvent::kAccumulatorBytes] == counted.sumBytes);
            CHECK(activity[PerfEvent::kOutputStageOps8] == (flags == 0 ? 0 : 8 * 8 * 32 * 4));
        }
    }
}

TEST_CASE("9 folds of 16 write 9 times, read 8 times, and read once more to drain [E-3]") {
    const Activity activity = macActivity({}, smallConvolution());
    CHECK(activity[PerfEvent::kMacProducts8] == 64 * 32 * 144);
    CHECK(activity[PerfEvent::kAccumulatorBytes] == 64 * 32 * 4 * (9 + 8 + 1));
    const Activity more = macActivity({}, smallConvolution(kMacDrain | kMacAccumulate));
    CHECK(more[PerfEvent::kAccumulatorBytes] == 64 * 32 * 4 * (9 + 9 + 1));
}

TEST_CASE("output stationary sums stay in the array until they are complete [E-3]") {
    MacConfig config;
    config.dataflow = Dataflow::kOutputStationary;
    CHECK(macActivity(config, smallConvolution())[PerfEvent::kAccumulatorBytes] ==
          64 * 32 * 4 * (1 + 1));
}

TEST_CASE("a broadcast array adds up tap by tap [E-3]") {
    MacConfig config;
    config.dataflow = Dataflow::kBroadcast;
    config.rows = 8;  // two steps for each of 9 taps
    CHECK(macActivity(config, smallConvolution())[PerfEvent::kAccumulatorBytes] ==
          64 * 32 * 4 * (18 + 17 + 1));
}

TEST_CASE("Winograd makes 16 products where the plain sum has 36 [E-3]") {
    MacConfig config;
    config.dataflow = Dataflow::kBroadcast;
    config.winograd = true;
    const Activity activity = macActivity(config, smallConvolution());
    CHECK(activity[PerfEvent::kMacProducts8] == 16U * (4 * 4) * 16 * 32);
    CHECK(activity[PerfEvent::kMacProducts8] * 36 == macConvOperations(smallConvolution()) * 16);
    CHECK(activity[PerfEvent::kAccumulatorBytes] == 64 * 32 * 4 * (1 + 1));
    MacConv ragged = smallConvolution();  // 7 x 7 outputs: as many tiles
    ragged.outputHeight = ragged.outputWidth = 7;
    CHECK(macActivity(config, ragged)[PerfEvent::kMacProducts8] == 16U * (4 * 4) * 16 * 32);
    ragged.blockHeight = 3;  // blocks of 3, 3 and 1 rows: 2, 2 and 1 rows of tiles
    ragged.blockWidth = 7;
    ragged.blockChannels = 32;
    CHECK(macActivity(config, ragged)[PerfEvent::kMacProducts8] == 16U * (5 * 4) * 16 * 32);
}

TEST_CASE("floats and integers are counted separately [E-3]") {
    MacConv work = smallConvolution();
    work.inputType = work.filterType = ElementType::kFloat32;
    const Activity activity = macActivity({}, work);
    CHECK(activity[PerfEvent::kMacProducts8] == 0);
    CHECK(activity[PerfEvent::kMacProductsFloat] == 64 * 32 * 144);
}

TEST_CASE("lane operations are elements, and exponentials count with their cycles [E-3]") {
    VectorConfig unit;
    unit.exponentialCycles = 4;
    VecPool pool{};
    pool.outputHeight = pool.outputWidth = 5;
    pool.channels = 3;
    pool.windowHeight = pool.windowWidth = 2;
    pool.kind = PoolKind::kMax;
    std::uint64_t taps = 0;
    for (int i = 0; i < 5 * 5 * 3; ++i) {
        taps += 2 * 2;
    }
    CHECK(vectorActivity(unit, vectorWork(pool))[PerfEvent::kVectorOps8] == taps);
    pool.kind = PoolKind::kAverage;
    CHECK(vectorActivity(unit, vectorWork(pool))[PerfEvent::kVectorOps8] == taps + 75 * 4);
    pool.type = ElementType::kFloat32;
    const Activity floats = vectorActivity(unit, vectorWork(pool));
    CHECK(floats[PerfEvent::kVectorOps8] == 0);
    CHECK(floats[PerfEvent::kVectorOpsFloat] == taps + 75 * 4);
}

TEST_CASE("wide integers count as their bytes in operations, as the square in products [E-3]") {
    OperatorWork work{.type = TensorType::kQuant16Symm, .macs = 100, .serialSteps = 7};
    work.passes[0] = {.elements = 50, .steps = 2, .exponentials = 1};
    DspConfig dsp;
    dsp.exponentialCycles = 8;
    const Activity activity = dspActivity(dsp, work);
    CHECK(activity[PerfEvent::kDspProducts8] == 400);
    CHECK(activity[PerfEvent::kDspOps8] == (50 * (2 + 8) + 7) * 2);
    CHECK(activity[PerfEvent::kDspProductsFloat] == 0);
    CHECK(activity[PerfEvent::kDspCoreCycles] == dspCycles(dsp, work));
}

TEST_CASE("the parts of an activity add up to the whole [Q-3]") {
    Activity whole;
    whole[PerfEvent::kDspOps8] = 1'000'003;
    whole[PerfEvent::kDspProducts8] = 17;
    Activity sum;
    const std::uint64_t cuts[] = {0, 333, 334, 990, 1000};
    for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
        sum += partOf(whole, cuts[i], cuts[i + 1], 1000);
    }
    CHECK(sum == whole);
    CHECK(partOf(whole, 0, 500, 1000)[PerfEvent::kDspOps8] == 500'001);
}

TEST_SUITE_END();

}  // namespace vnpu::test
