// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace fw = vnpu::fw;

TEST_SUITE_BEGIN("driver/execution/release");

namespace {

void checkReleased(Service& service) {
    const DriverCounters now = service.counters();
    CHECK_EQ(now.livePreparedModels, 0);
    CHECK_EQ(now.livePoolMappings, 0);
    CHECK_EQ(now.liveRings, 0);
    CHECK_EQ(now.liveContexts, 0);
    CHECK_EQ(now.dmaBytes, service.atStart.dmaBytes);
    CHECK_EQ(now.jobsSubmitted, now.jobsCompleted);
    CHECK_EQ(service.port.withMemory([](FakeMemory& memory) { return memory.mappedBlocks(); }), 0);
    CHECK_EQ(service.port.withMemory([](FakeMemory& memory) { return memory.staleTlbEntries(); }),
             0);
}

}  // namespace

TEST_CASE("releasing a prepared model frees all that it and its executions used [MP-5]") {
    Service service;
    const Pool constants(8192);
    PrepareOutcome prepared = service.prepare(reluModelWithConstants({1, 32}, 3, constants.memory));
    const Pool input(32);
    const Pool output(32);
    REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 32)).status, ErrorStatus::NONE);
    REQUIRE_EQ(executeAsync(service, prepared.model, requestOf(input, output, 32)).status,
               ErrorStatus::NONE);
    CHECK_EQ(service.counters().livePoolMappings, 3);

    prepared.model = nullptr;

    checkReleased(service);
}

TEST_CASE(
        "a ring goes with the last model of its priority, the context with the last of its caller "
        "[E-1]") {
    Service service;
    PrepareOutcome low = service.prepare(reluModel({1, 16}), nn::V1_3::Priority::LOW);
    PrepareOutcome high = service.prepare(reluModel({1, 16}), nn::V1_3::Priority::HIGH);
    CHECK_EQ(service.counters().liveRings, 2);

    high.model = nullptr;
    CHECK_EQ(service.counters().liveRings, 1);
    CHECK_EQ(service.counters().liveContexts, 1);

    low.model = nullptr;
    checkReleased(service);
}

TEST_CASE("rings are destroyed before their context [E-1]") {
    Service service;
    PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    prepared.model = nullptr;

    std::vector<fw::MessageType> ends;
    for (const fw::Message& message : service.port.messages()) {
        if (message.type == fw::MessageType::kDestroyRing ||
            message.type == fw::MessageType::kDestroyContext) {
            ends.push_back(message.type);
        }
    }

    CHECK_EQ(ends, std::vector<fw::MessageType>{fw::MessageType::kDestroyRing,
                                                fw::MessageType::kDestroyContext});
}

TEST_CASE("failed executions leak nothing [MP-5]") {
    Service service;
    PrepareOutcome prepared = service.prepare(reluModel({1, 32}));
    const Pool input(32);
    const Pool output(32);
    service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return vnpu::hw::JobStatus::kBusError; });
    for (int i = 0; i < 5; ++i) {
        CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 32)).status,
                 ErrorStatus::GENERAL_FAILURE);
    }

    prepared.model = nullptr;

    checkReleased(service);
}

TEST_CASE("a prepared model outlives the device object that made it [E-5]") {
    FakeDevicePort port;
    FakeCompiler compiler;
    port.setJobFunction(FakeCompiler::jobFunction());
    {
        PrepareOutcome prepared;
        {
            auto runtime = DeviceRuntime::create(port, {});
            REQUIRE(runtime.has_value());
            auto model = PreparedModel::create<NpuPreparedModel>(
                    {.runtime = *runtime, .compiler = compiler.functions()}, reluModel({1, 8}));
            REQUIRE(model.has_value());
            prepared.model = *model;
        }
        const Pool input(8);
        const Pool output(8);
        CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 8)).status,
                 ErrorStatus::NONE);
    }
    CHECK(port.isInReset());
    CHECK_EQ(port.withMemory([](FakeMemory& memory) { return memory.allocatedBytes(); }), 0);
}

TEST_CASE("everything is freed although the device is broken [E-7]") {
    Service service;
    PrepareOutcome prepared = service.prepare(reluModel({1, 32}));
    const Pool input(32);
    const Pool output(32);
    REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 32)).status, ErrorStatus::NONE);
    service.port.hang();
    CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 32)).status,
             ErrorStatus::DEVICE_UNAVAILABLE);

    prepared.model = nullptr;

    const DriverCounters now = service.counters();
    CHECK_EQ(now.liveContexts, 0);
    CHECK_EQ(now.livePoolMappings, 0);
    CHECK_EQ(now.dmaBytes, service.atStart.dmaBytes);
}

TEST_SUITE_END();
