// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>

#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using namespace std::chrono_literals;
namespace fw = vnpu::fw;
using nn::V1_3::Priority;

TEST_SUITE_BEGIN("driver/qos/deadline");

namespace {

constexpr std::uint32_t kInputBytes = 16;

PrepareOutcome prepareBy(Service& service, std::chrono::nanoseconds budget) {
    return service.prepare(reluModel({1, kInputBytes}), Priority::MEDIUM,
                           at(service.port.now() + budget));
}

Outcome executeBy(Service& service, const PrepareOutcome& prepared,
                  std::chrono::nanoseconds budget) {
    const Pool input(kInputBytes);
    const Pool output(kInputBytes);
    return executeSync(prepared.model, requestOf(input, output, kInputBytes),
                       nn::V1_2::MeasureTiming::NO, at(service.port.now() + budget));
}

/// A callback of HAL 1.0 that ignores its result.
struct AnyPrepared : nn::V1_0::IPreparedModelCallback {
    android::hardware::Return<void> notify(nn::V1_0::ErrorStatus,
                                           const android::sp<nn::V1_0::IPreparedModel>&) override {
        return android::hardware::Void();
    }
};

}  // namespace

TEST_CASE("a preparation that takes too long ends between two stages [Q-5]") {
    Service service;
    service.compiler.whileCompiling = [&] { service.port.advance(1ms); };
    const PrepareOutcome late = prepareBy(service, 500us);
    CHECK_EQ(late.launch, ErrorStatus::NONE);
    CHECK_EQ(late.status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(late.model, nullptr);
    CHECK_EQ(service.counters().dmaBytes, service.atStart.dmaBytes);
    CHECK_EQ(prepareBy(service, 1500us).status, ErrorStatus::NONE);
}

TEST_CASE("a preparation that would take too long does not begin [Q-5]") {
    Service service;
    service.compiler.whileCompiling = [&] { service.port.advance(1ms); };
    const PrepareOutcome first = service.prepare(reluModel({1, kInputBytes}));
    REQUIRE_EQ(first.status, ErrorStatus::NONE);
    const std::size_t compiled = service.compiler.seenOptions.size();
    CHECK_EQ(prepareBy(service, 900us).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(service.compiler.seenOptions.size(), compiled);
    CHECK(service.observer.hasLogged("1 operations take about 1000 us to compile"));
    CHECK_EQ(prepareBy(service, 1100us).status, ErrorStatus::NONE);
}

TEST_CASE("checkpoints are for models that are prepared with a priority [Q-4]") {
    Service service;
    REQUIRE_EQ(service.prepare(reluModel({1, kInputBytes})).status, ErrorStatus::NONE);
    CHECK_EQ(service.compiler.seenOptions.back().checkpointCycles,
             SchedulingOptions{}.checkpointCycles);
    nn::V1_0::Model model;
    nn::V1_0::Operand tensor{};
    tensor.type = nn::V1_0::OperandType::TENSOR_FLOAT32;
    tensor.dimensions = {4};
    tensor.lifetime = nn::V1_0::OperandLifeTime::MODEL_INPUT;
    tensor.numberOfConsumers = 1;
    nn::V1_0::Operand result = tensor;
    result.lifetime = nn::V1_0::OperandLifeTime::MODEL_OUTPUT;
    result.numberOfConsumers = 0;
    model.operands = {tensor, result};
    model.operations = {{nn::V1_0::OperationType::RELU, {0}, {1}}};
    model.inputIndexes = {0};
    model.outputIndexes = {1};
    const auto status = service.device->prepareModel(model, new AnyPrepared);
    REQUIRE(status == nn::V1_0::ErrorStatus::NONE);
    CHECK_EQ(service.compiler.seenOptions.back().checkpointCycles, 0);
}

TEST_CASE("an execution that cannot be in time is refused before it starts [Q-5] [Q-6]") {
    Service service;
    service.compiler.estimatedCycles = FakeDevicePort::kJobCycles;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kInputBytes}));
    CHECK_EQ(executeBy(service, prepared, 6us).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK(service.port.jobs().empty());
    CHECK_EQ(executeBy(service, prepared, 50us).status, ErrorStatus::NONE);
    CHECK_EQ(service.port.jobs().size(), 1);
    const DriverCounters counters = service.counters();
    CHECK_EQ(counters.deadlinesRefusedPersistent, 1);
    CHECK_EQ(counters.deadlinesMet, 1);
    CHECK_EQ(counters.refusalsThatFit, 0);
}

TEST_CASE("a deadline that the driver itself lets pass is missed for now, not for good [Q-6]") {
    Service service;
    service.compiler.estimatedCycles = FakeDevicePort::kJobCycles;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kInputBytes}));
    const auto launchBy = [&](std::chrono::nanoseconds budget, std::chrono::nanoseconds delay) {
        const Pool input(kInputBytes);
        const Pool output(kInputBytes);
        service.port.delayPosted(delay);
        return executeAsync(service, prepared.model, requestOf(input, output, kInputBytes),
                            nn::V1_2::MeasureTiming::NO, at(service.port.now() + budget))
                .status;
    };
    CHECK_EQ(launchBy(50us, 60us), ErrorStatus::MISSED_DEADLINE_TRANSIENT);  // passes before
    CHECK_EQ(launchBy(50us, 45us), ErrorStatus::MISSED_DEADLINE_TRANSIENT);  // leaves 5 of 7 us
    CHECK_EQ(launchBy(6us, 1us), ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(launchBy(0us, 1us), ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK(service.port.jobs().empty());
    CHECK_EQ(launchBy(50us, 0us), ErrorStatus::NONE);
}

TEST_CASE("an estimate is corrected by observed times [Q-5]") {
    Service service;
    service.compiler.estimatedCycles = FakeDevicePort::kJobCycles * 3;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kInputBytes}));
    CHECK_EQ(executeBy(service, prepared, 20us).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(executeBy(service, prepared, 30us).status, ErrorStatus::NONE);
    CHECK_EQ(service.counters().refusalsThatFit,
             1);  // it would have taken 7 us plus the host's time
    CHECK_EQ(executeBy(service, prepared, 20us).status, ErrorStatus::NONE);
    CHECK_EQ(service.port.jobs().front().slot.estimateCycles, FakeDevicePort::kJobCycles * 3);
    CHECK_EQ(service.port.jobs().back().slot.estimateCycles, FakeDevicePort::kJobCycles);
}

TEST_CASE("progress that restarts threw away does not correct an estimate [Q-5]") {
    Service service;
    service.compiler.estimatedCycles = FakeDevicePort::kJobCycles;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kInputBytes}));
    service.port.spoilNextRecord([](fw::CompletionRecord& record) {
        record.restarts = 2;
        record.wastedCycles = 5 * FakeDevicePort::kJobCycles;
        record.executedCycles = 7 * FakeDevicePort::kJobCycles;
        record.checksum = fw::checksumOf(record);
    });
    CHECK_EQ(executeBy(service, prepared, 50us).status, ErrorStatus::NONE);
    CHECK_EQ(executeBy(service, prepared, 50us).status, ErrorStatus::NONE);
    CHECK_EQ(service.port.jobs().back().slot.estimateCycles, 2 * FakeDevicePort::kJobCycles);
}

TEST_CASE("an execution that the experiment insists on continues even if it is late [Q-5]") {
    DriverOptions options;
    bool isInsisting = true;
    int asked = 0;
    options.experiments.insists = [&](std::uint64_t /*callId*/) {
        ++asked;
        return isInsisting;
    };
    Service service(options);
    service.compiler.estimatedCycles = FakeDevicePort::kJobCycles * 3;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kInputBytes}));
    // The estimate is three times the actual 7 us.
    CHECK_EQ(executeBy(service, prepared, 6us).status, ErrorStatus::NONE);
    CHECK_EQ(asked, 1);
    CHECK_EQ(service.counters().deadlinesLate, 1);
    CHECK_EQ(service.counters().deadlinesRefusedPersistent, 0);
    isInsisting = false;
    CHECK_EQ(executeBy(service, prepared, 6us).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(asked, 2);
    CHECK_EQ(executeBy(service, prepared, 50us).status, ErrorStatus::NONE);
    CHECK_EQ(asked, 2);  // there is nothing to insist on
}

TEST_CASE("a job's slot has its save area, its deadline and its level [Q-1] [Q-3]") {
    DriverOptions options;
    options.scheduling.hasOneBand = true;
    Service service(options);
    service.compiler.saveBytes = 5000;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kInputBytes}), Priority::HIGH);
    const auto deadline = service.port.now() + 1s;
    REQUIRE_EQ(executeBy(service, prepared, 1s).status, ErrorStatus::NONE);
    REQUIRE_EQ(service.port.jobs().size(), 1);
    const ObservedJob job = service.port.jobs().front();
    CHECK(job.band == fw::PriorityBand::kNormal);
    CHECK_EQ(job.slot.level, 2);
    CHECK_EQ(job.slot.saveBytes, 5000);
    CHECK_NE(job.slot.saveAddress, 0);
    CHECK_EQ(job.slot.saveAddress % 64, 0);
    CHECK_EQ(job.slot.deadlineCycle, static_cast<std::uint64_t>(deadline.count()));  // at 1 GHz
    service.port.withMemory([&](FakeMemory& memory) {
        CHECK(memory.translate(job.context, job.slot.saveAddress + 4999, true) != nullptr);
    });
}

TEST_CASE("a save area that an idle device has no room for is refused for good [Q-6]") {
    Service service;
    service.compiler.saveBytes = FakeDevicePort::kMemoryBytes;
    CHECK_EQ(service.prepare(reluModel({1, kInputBytes})).status,
             ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    CHECK_EQ(service.counters().dmaBytes, service.atStart.dmaBytes);
}

TEST_SUITE_END();
