// SPDX-License-Identifier: Apache-2.0
#include "sim/client/burst_calls.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "driver/api/device.h"
#include "sim/client/device_calls.h"
#include "sim/client/request_pool.h"
#include "sim/config/load_config.h"
#include "sim/models/layer_builder.h"
#include "sim/platform/live_platform.h"
#include "tests/sim/client/fake_device.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

/// A RELU of 1 x 64 bytes with zero point 3.
nn::Model rectifier() {
    ModelBuilder builder("rectifier");
    const OperandSpec spec{.type = nn::OperandType::TENSOR_QUANT8_ASYMM,
                           .dimensions = {1, 64},
                           .scale = 0.5F,
                           .zeroPoint = 3};
    const auto in = builder.addInput(spec, "in");
    const auto out = builder.addTemporary(spec, "out");
    builder.addOperation(nn::OperationType::RELU, {in}, out);
    builder.markOutput(out);
    return builder.build().model;
}

}  // namespace

TEST_SUITE_BEGIN("sim/client/burst_calls");

TEST_CASE(
        "a burst in virtual time computes the same as the other paths and leaves nothing behind "
        "[B-1]") {
    vnpu::test::simCase([] {
        Platform platform({.config = loadConfig("edge")});
        platform.addClient("client", 10000, [](ClientContext& context) {
            const std::uint64_t sizes[] = {64};
            const RequestPool input = RequestPool::create(sizes, 64);
            const RequestPool output = RequestPool::create(sizes, 64);
            for (std::size_t i = 0; i < 64; ++i) {
                input.argument(0)[i] = static_cast<std::byte>(i % 8);
            }
            const nn::Request request = makeRequest(input, 1, output, 1);
            const PrepareResult prepared =
                    prepareModel(context, rectifier(), {.priority = nn::Priority::MEDIUM});
            REQUIRE(prepared.status == nn::ErrorStatus::NONE);
            const auto before = vnpu::driver::countersOf(context.device());
            CallResult results[2];
            for (int i = 0; i < 2; ++i) {
                results[i] = execute(context, prepared.preparedModel, request,
                                     {.path = ExecutionPath::kBurst});
                CHECK(results[i].status == nn::ErrorStatus::NONE);
                REQUIRE(results[i].outputShapes.size() == 1);
                CHECK(results[i].timing.timeOnDevice <= results[i].timing.timeInDriver);
                for (std::size_t b = 0; b < 64; ++b) {
                    REQUIRE(static_cast<std::size_t>(output.argument(0)[b]) ==
                            std::max<std::size_t>(b % 8, 3));
                }
            }
            const auto after = vnpu::driver::countersOf(context.device());
            CHECK(after.livePoolMappings == before.livePoolMappings);
            CHECK(after.dmaBytes == before.dmaBytes);
            CHECK(after.jobsCompleted == before.jobsCompleted + 2);

            const CallResult direct = execute(context, prepared.preparedModel, request, {});
            CHECK(direct.timing.timeOnDevice == results[1].timing.timeOnDevice);
            CHECK(direct.outputShapes == results[1].outputShapes);

            nn::Request bad = request;
            bad.inputs = {};
            for (const ExecutionPath path : {ExecutionPath::kSync, ExecutionPath::kBurst}) {
                const CallResult refused =
                        execute(context, prepared.preparedModel, bad, {.path = path});
                CHECK(refused.status == nn::ErrorStatus::INVALID_ARGUMENT);
                CHECK(refused.outputShapes.empty());
                CHECK(refused.timing.timeInDriver == UINT64_MAX);
            }
        });
        platform.run();
    });
}

TEST_CASE(
        "bursts of several apps run concurrently on a live device and leave nothing behind [B-8]") {
    vnpu::test::simCase([] {
        LivePlatform platform({.config = loadConfig("edge")});
        const auto before = vnpu::driver::countersOf(platform.device());
        std::vector<LivePlatform::Client> clients;
        for (std::uint32_t c = 0; c < 3; ++c) {
            clients.push_back(
                    {"client", 10000 + c, [](ClientContext& context) {
                         const std::uint64_t sizes[] = {64};
                         const RequestPool input = RequestPool::create(sizes, 64);
                         const RequestPool output = RequestPool::create(sizes, 64);
                         const nn::Request request = makeRequest(input, 1, output, 1);
                         const PrepareResult prepared = prepareModel(
                                 context, rectifier(), {.priority = nn::Priority::MEDIUM});
                         for (unsigned i = 0; i < 10; ++i) {
                             input.argument(0)[5] = static_cast<std::byte>(10 + i);
                             const CallResult result =
                                     execute(context, prepared.preparedModel, request,
                                             {.path = ExecutionPath::kBurst});
                             CHECK(result.status == nn::ErrorStatus::NONE);
                             CHECK(output.argument(0)[5] == static_cast<std::byte>(10 + i));
                         }
                     }});
        }
        platform.run(clients);
        const auto after = vnpu::driver::countersOf(platform.device());
        CHECK(after.jobsCompleted == before.jobsCompleted + 30);
        CHECK(after.livePoolMappings == 0);
        CHECK(after.livePreparedModels == 0);
        CHECK(after.dmaBytes == before.dmaBytes);
    });
}

TEST_CASE("a burst cannot express buffers of memory domains") {
    FakeContext context;
    const PrepareResult prepared = prepareModel(context, {}, {.priority = nn::Priority::MEDIUM});
    nn::Request request;
    request.pools.resize(1);
    request.pools[0].token(1);
    CHECK(executeBurst(context, prepared.preparedModel, request, {}).status ==
          nn::ErrorStatus::INVALID_ARGUMENT);
}

TEST_SUITE_END();
