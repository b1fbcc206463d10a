// SPDX-License-Identifier: Apache-2.0
#include "sim/client/state_tensors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "driver/api/device.h"
#include "sim/base/error.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/models/model_builder.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::simCase;

constexpr std::uint32_t kElements = 96;
constexpr std::uint32_t kBytes = kElements * sizeof(float);
const std::vector<NetworkState> kSumPair = {{.output = 1, .input = 1}};

/// sum' = x + sum (output 1), and its rectified values (output 0).
Network accumulator() {
    ModelBuilder builder("accumulator");
    const OperandSpec spec{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {1, kElements}};
    const auto x = builder.addInput(spec, "x");
    const auto before = builder.addInput(spec, "sum");
    const auto after = builder.addTemporary(spec, "next_sum");
    const auto positive = builder.addTemporary(spec, "positive");
    builder.addOperation(nn::OperationType::ADD, {x, before, builder.addInt32(0)}, after);
    builder.addOperation(nn::OperationType::RELU, {after}, positive);
    builder.markOutput(positive);
    builder.markOutput(after);
    return builder.build();
}

/// -48, -47, ... 47: small integers with exact sums.
float valueAt(std::uint32_t index) {
    return static_cast<float>(index) - 48.0F;
}

/// Added to an input so that no sum is negative: the output of the RELU then equals the state.
constexpr float kLift = 1000.0F;

void fill(std::span<std::byte> bytes, float more = 0.0F) {
    REQUIRE(bytes.size() == kBytes);
    for (std::uint32_t i = 0; i < kElements; ++i) {
        const float value = valueAt(i) + more;
        std::memcpy(bytes.data() + i * sizeof(value), &value, sizeof(value));
    }
}

float floatOf(std::span<const std::byte> bytes, std::uint32_t index) {
    float value = 0.0F;
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return value;
}

/// One client on a virtual platform.
void onPlatform(const std::function<void(ClientContext&)>& body) {
    Platform platform({.config = loadConfig("edge")});
    platform.addClient("one", 10000, body);
    platform.run();
}

void checkRefused(const Network& network, const std::vector<NetworkState>& pairs,
                  const std::string& what) {
    CAPTURE(what);
    CHECK_THROWS_WITH_AS(checkNetworkStates(network, pairs), doctest::Contains(what.c_str()),
                         InputError);
}

}  // namespace

TEST_SUITE_BEGIN("sim/client/state_tensors");

TEST_CASE("a state passes from execution to execution without the host [MD-2] [MD-4] [MP-6]") {
    simCase([] {
        onPlatform([](ClientContext& context) {
            const auto runner =
                    ModelRunner::prepare(context, accumulator(), nn::Priority::MEDIUM, kSumPair);
            fill(runner->input(0));
            CHECK(runner->input(1).empty());
            CHECK(runner->output(1).empty());
            const auto atStart = vnpu::driver::countersOf(context.device());
            CHECK(atStart.hostCopiedBytes == kBytes);  // the first value
            for (std::uint32_t frame = 1; frame <= 7; ++frame) {
                const ExecutionPath path = frame % 3 == 0   ? ExecutionPath::kSync
                                           : frame % 3 == 1 ? ExecutionPath::kAsync
                                                            : ExecutionPath::kFenced;
                REQUIRE(runner->execute(path).status == nn::ErrorStatus::NONE);
                for (std::uint32_t i = 0; i < kElements; ++i) {
                    const float sum = static_cast<float>(frame) * valueAt(i);
                    REQUIRE(floatOf(runner->output(0), i) == std::max(sum, 0.0F));
                }
            }
            const auto atEnd = vnpu::driver::countersOf(context.device());
            CHECK(atEnd.hostCopiedBytes == kBytes);
            CHECK(atEnd.livePoolMappings == 2);  // the pools of x and of the RELU's output
            fill(runner->input(0), kLift);
            REQUIRE(runner->execute(ExecutionPath::kSync).status == nn::ErrorStatus::NONE);
            for (std::uint32_t i = 0; i < kElements; ++i) {
                REQUIRE(floatOf(runner->output(0), i) == 8.0F * valueAt(i) + kLift);
            }
            CHECK(vnpu::driver::countersOf(context.device()).hostCopiedBytes == kBytes);
        });
    });
}

TEST_CASE("a state begins with the network's first value") {
    simCase([] {
        onPlatform([](ClientContext& context) {
            NetworkState state = kSumPair.front();
            state.initial.resize(kBytes);
            fill(state.initial, 5.0F);
            const auto runner = ModelRunner::prepare(context, accumulator(), nn::Priority::MEDIUM,
                                                     std::vector{state});
            fill(runner->input(0), kLift);
            REQUIRE(runner->execute(ExecutionPath::kSync).status == nn::ErrorStatus::NONE);
            for (std::uint32_t i = 0; i < kElements; ++i) {
                REQUIRE(floatOf(runner->output(0), i) == 2.0F * valueAt(i) + 5.0F + kLift);
            }
        });
    });
}

TEST_CASE("a refused execution leaves the state as it was [MD-2]") {
    simCase([] {
        onPlatform([](ClientContext& context) {
            const auto runner =
                    ModelRunner::prepare(context, accumulator(), nn::Priority::MEDIUM, kSumPair);
            fill(runner->input(0));
            REQUIRE(runner->execute(ExecutionPath::kSync).status == nn::ErrorStatus::NONE);
            REQUIRE(runner->execute(ExecutionPath::kSync, std::chrono::nanoseconds(1)).status ==
                    nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT);
            fill(runner->input(0), kLift);
            REQUIRE(runner->execute(ExecutionPath::kSync).status == nn::ErrorStatus::NONE);
            CHECK(floatOf(runner->output(0), 0) == 2.0F * valueAt(0) + kLift);
        });
    });
}

TEST_CASE("the quantized Elman network's state is the same tensor on both sides [MD-5]") {
    for (const char* name : {"zoo:elman", "zoo:elman-float"}) {
        const Network network = loadNetwork(name, {.seed = 1, .zeroWeights = true});
        CHECK(network.macs == 64 * 128 + 128 * 128 + 128 * 12);
        CHECK_NOTHROW(checkNetworkStates(network, kSumPair));
    }
}

TEST_CASE("pairs that do not form a state are refused [MD-3]") {
    const Network network = accumulator();
    checkRefused(network, {{.output = 2, .input = 1}}, "expected an output below 2");
    checkRefused(network, {{.output = 1, .input = 7}}, "an input below 2");
    checkRefused(network, {{.output = 1, .input = 1}, {.output = 1, .input = 0}},
                 "expected each once");
    checkRefused(loadNetwork("zoo:elman", {.zeroWeights = true}), {{.output = 0, .input = 1}},
                 "expected the same");
}

TEST_SUITE_END();
