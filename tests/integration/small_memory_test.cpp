// SPDX-License-Identifier: Apache-2.0
// Networks on a device with too little memory.
#include <doctest/doctest.h>

#include "driver/api/device.h"
#include "sim/client/device_calls.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "tests/integration/supported_examples.h"

namespace {

using namespace vnpu::sim;
using vnpu::driver::countersOf;
using vnpu::driver::DriverCounters;
using vnpu::test::onDevice;
using Status = nn::ErrorStatus;

vnpu::hw::NpuConfig edgeWithDram(std::uint32_t mib) {
    vnpu::hw::NpuConfig config = loadConfig("edge");
    config.dram.mib = mib;
    return config;
}

}  // namespace

TEST_SUITE_BEGIN("integration/small_memory");

TEST_CASE("a network that can never fit the device is refused permanently, others work [Q-6]") {
    onDevice(edgeWithDram(1), [](ClientContext& context) {
        const DriverCounters before = countersOf(context.device());
        const Network large = loadNetwork("zoo:mobilenet_v2-float");
        CHECK(prepareModel(context, large.model).status == Status::RESOURCE_EXHAUSTED_PERSISTENT);
        CHECK(countersOf(context.device()).dmaBytes == before.dmaBytes);
        const auto small =
                ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"), nn::Priority::MEDIUM);
        CHECK(small->execute(ExecutionPath::kSync).status == Status::NONE);
        CHECK(prepareModel(context, large.model).status == Status::RESOURCE_EXHAUSTED_PERSISTENT);
    });
}

TEST_CASE("two networks of which only one fits at a time take turns [Q-6]") {
    // Each needs about 3 MB for its intermediate tensors and commands.
    onDevice(edgeWithDram(4), [](ClientContext& context) {
        const DriverCounters before = countersOf(context.device());
        const Network network = loadNetwork("zoo:mobilenet_v2-float");
        for (int turn = 0; turn < 3; ++turn) {
            const auto first = ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
            CHECK(prepareModel(context, network.model).status ==
                  Status::RESOURCE_EXHAUSTED_TRANSIENT);
            CHECK(first->execute(ExecutionPath::kAsync).status == Status::NONE);
            CHECK(prepareModel(context, network.model).status ==
                  Status::RESOURCE_EXHAUSTED_TRANSIENT);
        }
        const DriverCounters after = countersOf(context.device());
        CHECK(after.dmaBytes == before.dmaBytes);
        CHECK(after.liveContexts == 0);
        CHECK(after.livePoolMappings == 0);
    });
}

TEST_SUITE_END();
