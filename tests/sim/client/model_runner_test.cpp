// SPDX-License-Identifier: Apache-2.0
#include "sim/client/model_runner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "sim/config/load_config.h"
#include "sim/models/layer_builder.h"
#include "tests/sim/client/fake_device.h"
#include "tests/support/sim_case.h"
#include "vnpu/hal/shared_memory.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

/// A RELU of 1 x 4 floats.
Network floatRectifier() {
    ModelBuilder builder("floatRectifier");
    const OperandSpec spec{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {1, 4}};
    const auto in = builder.addInput(spec, "in");
    const auto out = builder.addTemporary(spec, "out");
    builder.addOperation(nn::OperationType::RELU, {in}, out);
    builder.markOutput(out);
    return builder.build();
}

void putFloats(std::span<std::byte> bytes, const std::vector<float>& values) {
    REQUIRE(bytes.size() == values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
}

std::vector<float> getFloats(std::span<const std::byte> bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

}  // namespace

TEST_SUITE_BEGIN("sim/client/model_runner");

TEST_CASE("inputs and outputs lie in two shared pools of the request [MP-3]") {
    FakeContext context;
    const auto runner = ModelRunner::prepare(context, floatRectifier(), nn::Priority::MEDIUM);
    putFloats(runner->input(0), {1, 2, 3, 4});
    context.behavior.onExecute = [](const nn::Request& request) {
        REQUIRE(request.pools.size() == 2);
        REQUIRE(request.inputs.size() == 1);
        REQUIRE(request.outputs.size() == 1);
        CHECK(request.inputs[0].location.poolIndex == 0);
        CHECK(request.outputs[0].location.poolIndex == 1);
        CHECK(request.inputs[0].location.length == 16);
        CHECK(request.inputs[0].dimensions.size() == 0);
        const auto in = vnpu::hal::MappedPool::create(request.pools[0].hidlMemory());
        const auto out = vnpu::hal::MappedPool::create(request.pools[1].hidlMemory());
        REQUIRE(in.has_value());
        REQUIRE(out.has_value());
        std::copy_n(in->data(), 16, out->data());
    };
    const ExecutionResult result = runner->execute(ExecutionPath::kSync);
    CHECK(result.status == nn::ErrorStatus::NONE);
    CHECK(getFloats(runner->output(0)) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("a refused model throws with the status") {
    FakeContext context;
    context.behavior.prepareStatus = nn::ErrorStatus::GENERAL_FAILURE;
    CHECK_THROWS_WITH_AS(ModelRunner::prepare(context, floatRectifier(), nn::Priority::MEDIUM),
                         "floatRectifier is not prepared: GENERAL_FAILURE", std::runtime_error);
}

TEST_CASE("with unknown dimensions there is no size for a pool") {
    FakeContext context;
    Network network = floatRectifier();
    network.outputs[0].sizeBytes = 0;
    CHECK_THROWS_WITH_AS(ModelRunner::prepare(context, network, nn::Priority::MEDIUM),
                         "out has unknown dimensions, expected all known", std::runtime_error);
}

TEST_CASE("a model runs repeatedly on the simulated device by both paths [E-2]") {
    vnpu::test::simCase([] {
        Platform platform({.config = loadConfig("edge")});
        platform.addClient("client", 10000, [](ClientContext& context) {
            const auto runner =
                    ModelRunner::prepare(context, floatRectifier(), nn::Priority::MEDIUM);
            for (const ExecutionPath path :
                 {ExecutionPath::kSync, ExecutionPath::kAsync, ExecutionPath::kSync}) {
                putFloats(runner->input(0), {-1.5F, 2.5F, -0.25F, 8.0F});
                const ExecutionResult result = runner->execute(path);
                CHECK(result.status == nn::ErrorStatus::NONE);
                CHECK(getFloats(runner->output(0)) == std::vector<float>{0.0F, 2.5F, 0.0F, 8.0F});
                CHECK(result.end > result.begin);
                CHECK(result.timeOnDeviceUs <= result.timeInDriverUs);
            }
        });
        platform.run();
    });
}

TEST_SUITE_END();
