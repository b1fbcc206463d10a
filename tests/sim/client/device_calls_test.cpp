// SPDX-License-Identifier: Apache-2.0
#include "sim/client/device_calls.h"

#include <doctest/doctest.h>

#include "tests/sim/client/fake_device.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using namespace std::chrono_literals;

}  // namespace

TEST_SUITE_BEGIN("sim/client/device_calls");

TEST_CASE("a preparation returns the model with the requested priority [Q-1]") {
    FakeContext context;
    const PrepareResult result = prepareModel(context, {}, {.priority = nn::Priority::HIGH});
    CHECK(result.status == nn::ErrorStatus::NONE);
    CHECK(result.preparedModel != nullptr);
    CHECK(context.behavior.priority == nn::Priority::HIGH);
}

TEST_CASE("a preparation's deadline is passed on, or none if none is set [Q-5]") {
    using Discriminator = nn::OptionalTimePoint::hidl_discriminator;
    FakeContext context;
    prepareModel(context, {}, {.deadline = 5us});
    REQUIRE(context.behavior.deadline.getDiscriminator() == Discriminator::nanosecondsSinceEpoch);
    CHECK(context.behavior.deadline.nanosecondsSinceEpoch() == 5000);
    prepareModel(context, {});
    CHECK(context.behavior.deadline.getDiscriminator() == Discriminator::none);
}

TEST_CASE("cache files are passed to preparation and retrieval, and their status is returned") {
    FakeContext context;
    CacheHandles files;
    files.model.resize(2);
    files.data.resize(1);
    CHECK(prepareModel(context, {}, {.cache = files}).status == nn::ErrorStatus::NONE);
    CHECK(context.behavior.savedFiles == 3);
    CHECK(prepareModelFromCache(context, files).preparedModel != nullptr);
    CHECK(context.behavior.loadedFiles == 3);
    context.behavior.cacheStatus = nn::ErrorStatus::GENERAL_FAILURE;
    CHECK(prepareModelFromCache(context, files).status == nn::ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a preparation that is refused immediately does not wait for its callback") {
    FakeContext context;
    context.behavior.prepareLaunch = nn::ErrorStatus::INVALID_ARGUMENT;
    const PrepareResult result = prepareModel(context, {}, {.priority = nn::Priority::LOW});
    CHECK(result.status == nn::ErrorStatus::INVALID_ARGUMENT);
    CHECK(result.preparedModel == nullptr);
}

TEST_CASE("a preparation that fails later returns the callback's status") {
    FakeContext context;
    context.behavior.prepareStatus = nn::ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT;
    CHECK(prepareModel(context, {}, {.priority = nn::Priority::LOW}).status ==
          nn::ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
}

TEST_CASE("both paths return status, shapes, timing and the times of the call") {
    for (const ExecutionPath path : {ExecutionPath::kSync, ExecutionPath::kAsync}) {
        FakeContext context;
        context.behavior.outputShapes = {nn12::OutputShape{{1, 2}, true}};
        context.behavior.onExecute = [&](const nn::Request&) { context.time += 5us; };
        const PrepareResult prepared = prepareModel(context, {});
        const CallResult result = execute(context, prepared.preparedModel, {}, {.path = path});
        CHECK(result.status == nn::ErrorStatus::NONE);
        REQUIRE(result.outputShapes.size() == 1);
        CHECK(result.outputShapes[0].isSufficient);
        CHECK(result.timing.timeOnDevice == 7);
        CHECK(result.timing.timeInDriver == 9);
        CHECK(result.end - result.begin == 5us);
        CHECK(context.behavior.measure == nn12::MeasureTiming::YES);
        CHECK(context.behavior.synchronousCalls == (path == ExecutionPath::kSync ? 1 : 0));
        CHECK(context.behavior.asynchronousCalls == (path == ExecutionPath::kAsync ? 1 : 0));
    }
}

TEST_CASE("an asynchronous execution that is refused immediately has no timing") {
    FakeContext context;
    const PrepareResult prepared = prepareModel(context, {});
    context.behavior.executeLaunch = nn::ErrorStatus::INVALID_ARGUMENT;
    const CallResult result =
            execute(context, prepared.preparedModel, {}, {.path = ExecutionPath::kAsync});
    CHECK(result.status == nn::ErrorStatus::INVALID_ARGUMENT);
    CHECK(result.timing.timeOnDevice == UINT64_MAX);
}

TEST_CASE("the loop timeout and the timing option are passed on") {
    FakeContext context;
    const PrepareResult prepared = prepareModel(context, {});
    execute(context, prepared.preparedModel, {}, {.measuresTiming = false, .loopTimeout = 1ms});
    CHECK(context.behavior.measure == nn12::MeasureTiming::NO);
    CHECK(context.behavior.loopTimeout.nanoseconds() == 1'000'000);
}

TEST_CASE("a deadline is passed on by both paths, or none if none is set") {
    using Discriminator = nn::OptionalTimePoint::hidl_discriminator;
    for (const ExecutionPath path : {ExecutionPath::kSync, ExecutionPath::kAsync}) {
        FakeContext context;
        const PrepareResult prepared = prepareModel(context, {});
        execute(context, prepared.preparedModel, {}, {.path = path});
        CHECK(context.behavior.deadline.getDiscriminator() == Discriminator::none);
        execute(context, prepared.preparedModel, {}, {.path = path, .deadline = 5us});
        REQUIRE(context.behavior.deadline.getDiscriminator() ==
                Discriminator::nanosecondsSinceEpoch);
        CHECK(context.behavior.deadline.nanosecondsSinceEpoch() == 5000);
    }
}

TEST_SUITE_END();
