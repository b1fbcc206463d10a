// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/device_runtime.h"

#include <doctest/doctest.h>

#include "hw_model/regs/engines.h"
#include "hw_model/regs/register_map.h"
#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace fw = vnpu::fw;
namespace regs = vnpu::hw::regs;

TEST_SUITE_BEGIN("driver/execution/device_runtime");

TEST_CASE("BOOT_PARAMETERS leads the firmware to its boot parameters and its log [E-1]") {
    FakeDevicePort port;
    const auto runtime = DeviceRuntime::create(port, {});

    REQUIRE(runtime.has_value());
    const fw::BootParameters boot = port.bootParameters();
    CHECK_EQ(boot.magic, fw::kBootMagic);
    CHECK_EQ(boot.sizeBytes, 64);
    CHECK_EQ(boot.bootApiVersion, fw::kBootApiVersion);
    CHECK_EQ(boot.mailboxApiVersion, fw::kMailboxApiVersion);
    CHECK_EQ(boot.ringApiVersion, fw::kRingApiVersion);
    CHECK_EQ(boot.commandStreamVersion, 5);
    CHECK_EQ(boot.flags, 0);
    CHECK_GE(boot.logBytes, 4096);
    CHECK_NE(port.withMemory([&](FakeMemory& memory) {
        return memory.atBus(boot.logBusAddress, boot.logBytes);
    }),
             nullptr);
}

TEST_CASE("a silent firmware fails the start within a second of device time [E-7]") {
    FakeDevicePort port;
    port.hang();

    const auto runtime = DeviceRuntime::create(port, {});

    REQUIRE_FALSE(runtime.has_value());
    CHECK_EQ(runtime.error().status, ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK_LE(port.now(), std::chrono::seconds(1));
}

TEST_CASE("a firmware that refuses to boot fails the start and is held in reset [E-1]") {
    FakeDevicePort port;
    fw::Message refusal{};
    refusal.type = fw::MessageType::kBootFailed;
    refusal.value = 4;
    port.setReadyMessage(refusal);

    const auto runtime = DeviceRuntime::create(port, {});

    REQUIRE_FALSE(runtime.has_value());
    CHECK_EQ(runtime.error().status, ErrorStatus::GENERAL_FAILURE);
    CHECK(port.isInReset());
    CHECK_EQ(port.withMemory([](FakeMemory& memory) { return memory.allocatedBytes(); }), 0);
}

TEST_CASE("a firmware of another major version is refused, whichever interface differs [E-1]") {
    for (int which = 0; which < 4; ++which) {
        CAPTURE(which);
        FakeDevicePort port;
        fw::Message ready{};
        ready.type = fw::MessageType::kReady;
        const std::uint32_t versions[] = {fw::kBootApiVersion, fw::kMailboxApiVersion,
                                          fw::kRingApiVersion, 1};
        for (int i = 0; i < 4; ++i) {
            ready.versions[i] = versions[i] + (i == which ? 0x00010000 : 0);
        }
        port.setReadyMessage(ready);

        CHECK_FALSE(DeviceRuntime::create(port, {}).has_value());
    }
}

TEST_CASE("at its end the driver holds the device in reset and frees all memory [E-1]") {
    FakeDevicePort port;
    {
        const auto runtime = DeviceRuntime::create(port, {});
        REQUIRE(runtime.has_value());
        CHECK_FALSE(port.isInReset());
        CHECK_GT((*runtime)->counters().snapshot().dmaBytes, 0);
    }
    CHECK(port.isInReset());
    CHECK_EQ(port.withMemory([](FakeMemory& memory) { return memory.allocatedBytes(); }), 0);
}

TEST_CASE("after a reschedule, admission judges by the new options [Q-5]") {
    using std::chrono::microseconds;
    FakeDevicePort port;
    const auto created = DeviceRuntime::create(port, {});
    REQUIRE(created.has_value());
    DeviceRuntime& runtime = **created;
    const AdmissionControl::Request low{
            .job = {.uid = 1, .halPriority = 0, .service = microseconds(1000), .deadline = {}}};
    const AdmissionControl::Request high{.job = {.uid = 1,
                                                 .halPriority = 2,
                                                 .service = microseconds(50),
                                                 .deadline = port.now() + microseconds(100)}};
    const auto running = runtime.admissions().admit(low);
    REQUIRE(running.has_value());
    CHECK(runtime.admissions().admit(high).has_value());  // it preempts the running job
    SchedulingOptions options;
    options.mechanism = fw::Mechanism::kNone;

    REQUIRE(runtime.reschedule(options).has_value());

    const auto refused = runtime.admissions().admit(high);
    REQUIRE_FALSE(refused.has_value());
    CHECK_EQ(refused.error().status, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
}

TEST_CASE("a fatal interrupt takes the device offline and ends the job that waits [E-7]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const Pool input(16);
    const Pool output(16);
    CHECK_EQ(static_cast<nn::V1_0::DeviceStatus>(service.device->getStatus()),
             nn::V1_0::DeviceStatus::AVAILABLE);
    service.port.setJobFunction(
            [&](FakeMemory&, const ObservedJob&) { return vnpu::hw::JobStatus::kOk; });
    service.port.hang();
    service.port.raiseFatal();

    const Outcome outcome = executeSync(prepared.model, requestOf(input, output, 16));

    CHECK_EQ(outcome.status, ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK(outcome.shapes.empty());
    CHECK_EQ(static_cast<nn::V1_0::DeviceStatus>(service.device->getStatus()),
             nn::V1_0::DeviceStatus::OFFLINE);
    CHECK(service.observer.hasLogged("fatal"));
}

TEST_CASE("a firmware without heartbeat is abandoned while a job is pending [E-7]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const Pool input(16);
    const Pool output(16);
    REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 16)).status, ErrorStatus::NONE);
    service.port.hang();

    const Outcome outcome = executeSync(prepared.model, requestOf(input, output, 16));

    CHECK_EQ(outcome.status, ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK(service.port.isInReset());
    CHECK(service.observer.hasLogged("no heartbeat"));
}

TEST_CASE("a lost interrupt delays a completion, but does not lose it [E-7]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const Pool input(16);
    const Pool output(16);
    service.port.loseJobInterrupts();

    const Outcome outcome = executeSync(prepared.model, requestOf(input, output, 16));

    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK_EQ(static_cast<nn::V1_0::DeviceStatus>(service.device->getStatus()),
             nn::V1_0::DeviceStatus::AVAILABLE);
}

TEST_CASE("the first poll for a lost completion comes well after the job's expected end [E-7]") {
    using std::chrono::microseconds;
    // At least a millisecond, above that twice the estimate; then a grace period for the interrupt.
    struct Case {
        microseconds estimate, look;
    };
    for (const Case& one :
         {Case{microseconds(0), microseconds(1000)}, Case{microseconds(400), microseconds(1000)},
          Case{microseconds(10'000), microseconds(20'000)}}) {
        CAPTURE(one.estimate.count());
        Service service;
        const std::uint64_t clockKhz = service.port.read32(regs::ConfigClock::kSpec.offset);
        service.compiler.estimatedCycles =
                static_cast<std::uint64_t>(one.estimate.count()) * clockKhz / 1000;
        const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
        const Pool input(16);
        const Pool output(16);
        service.port.loseJobInterrupts();
        const std::chrono::nanoseconds begin = service.port.now();

        REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 16)).status,
                   ErrorStatus::NONE);

        const std::chrono::nanoseconds took = service.port.now() - begin;
        CHECK(took >= one.look);
        CHECK(took < one.look + microseconds(200));
    }
}

TEST_CASE("an MMU fault is logged with context, engine, direction and address [E-7]") {
    Service service;
    const std::uint32_t info =
            regs::MmuFaultInfo::kValid.put(1) | regs::MmuFaultInfo::kWrite.put(1) |
            regs::MmuFaultInfo::kContext.put(7) |
            regs::MmuFaultInfo::kEngine.put(static_cast<std::uint32_t>(vnpu::hw::Engine::kDma2));
    service.port.raiseMmuFault(info, 0x3'1234'5000);
    service.port.createEvent()->waitFor(
            std::chrono::nanoseconds(1));  // until the interrupt was served

    CHECK(service.observer.hasLogged("context 7, engine dma2, write of 0x312345000: not mapped"));
    CHECK_EQ(service.port.read32(regs::MmuFaultInfo::kSpec.offset), 0);
}

TEST_CASE("a mailbox that stays silent takes the device offline [E-7]") {
    Service service;
    service.port.hang();

    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));

    CHECK_EQ(prepared.launch, ErrorStatus::NONE);
    CHECK_EQ(prepared.status, ErrorStatus::DEVICE_UNAVAILABLE);
    CHECK_EQ(prepared.model, nullptr);
    CHECK_EQ(static_cast<nn::V1_0::DeviceStatus>(service.device->getStatus()),
             nn::V1_0::DeviceStatus::OFFLINE);
    CHECK_EQ(service.counters().dmaBytes, service.atStart.dmaBytes);
}

TEST_SUITE_END();
