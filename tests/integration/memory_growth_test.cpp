// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <malloc.h>

#include <cstdint>

#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

/// Allocated bytes that are not freed; always 0 with a sanitizer's allocator.
std::int64_t heapBytes() {
    return static_cast<std::int64_t>(::mallinfo2().uordblks);
}

void checkGrowth(bool isTimingOnly) {
    constexpr int kWarmUp = 100;
    constexpr int kExecutions = 2000;
    sim::Platform::Options options;
    options.config = sim::loadConfig("edge");
    options.config.timingOnly = isTimingOnly;
    sim::Platform platform(std::move(options));
    std::int64_t growth = INT64_MAX;
    platform.addClient("client", 10000, [&](sim::ClientContext& context) {
        const auto network = sim::loadNetwork("zoo:autoencoder", {.zeroWeights = true});
        const auto runner = sim::ModelRunner::prepare(context, network, sim::nn::Priority::MEDIUM);
        std::int64_t before = 0;
        for (int i = 0; i < kWarmUp + kExecutions; ++i) {
            if (i == kWarmUp) {
                before = heapBytes();
            }
            const auto path = i % 2 == 0 ? sim::ExecutionPath::kSync : sim::ExecutionPath::kAsync;
            REQUIRE(runner->execute(path).status == sim::nn::ErrorStatus::NONE);
        }
        growth = heapBytes() - before;
    });
    platform.run();
    // The smallest block of the heap has 32 bytes; the scratch memory of threads may still grow.
    CHECK(growth < 16 * kExecutions);
}

}  // namespace

TEST_SUITE_BEGIN("integration/memory_growth");

TEST_CASE("executions with data leave no memory behind [E-4]") {
    simCase([] { checkGrowth(false); });
}

TEST_CASE("executions without data leave no memory behind [E-4]") {
    simCase([] { checkGrowth(true); });
}

TEST_SUITE_END();

}  // namespace vnpu::test
