// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using nn::V1_2::MeasureTiming;
namespace hw = vnpu::hw;

TEST_SUITE_BEGIN("driver/execution/execution");

namespace {

/// Ignores the answer.
class AnyCallback : public nn::V1_3::IExecutionCallback {
  public:
    android::hardware::Return<void> notify(nn::V1_0::ErrorStatus) override {
        return android::hardware::Void();
    }
    android::hardware::Return<void> notify_1_2(
            nn::V1_0::ErrorStatus, const android::hardware::hidl_vec<nn::V1_2::OutputShape>&,
            const nn::V1_2::Timing&) override {
        return android::hardware::Void();
    }
    android::hardware::Return<void> notify_1_3(
            ErrorStatus, const android::hardware::hidl_vec<nn::V1_2::OutputShape>&,
            const nn::V1_2::Timing&) override {
        return android::hardware::Void();
    }
};

void checkFailed(const Outcome& outcome, ErrorStatus status) {
    CHECK_EQ(outcome.status, status);
    CHECK(outcome.shapes.empty());
    CHECK_EQ(outcome.timing.timeOnDevice, UINT64_MAX);
    CHECK_EQ(outcome.timing.timeInDriver, UINT64_MAX);
}

}  // namespace

TEST_CASE("an execution reads and writes the client's pools in place [MP-3] [MP-6]") {
    ReadyRelu ready;

    const Outcome outcome = executeSync(ready.prepared.model, ready.request());

    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK(ready.isOutputRight());
    CHECK_EQ(ready.service.counters().hostCopiedBytes, 0);
    CHECK_EQ(ready.service.counters().livePoolMappings, 2);
}

TEST_CASE("constants come from operandValues and from the model's pool [MP-1] [MP-2]") {
    Service service;
    const Pool constants(4096);
    constants.bytes()[0] = 40;
    const PrepareOutcome prepared =
            service.prepare(reluModelWithConstants({1, 8}, 7, constants.memory));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    const Pool input(8);
    const Pool output(8);
    input.bytes()[5] = 100;

    CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 8)).status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[5], 147);

    constants.bytes()[0] = 41;  // not a copy: the device sees the client's bytes
    CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 8)).status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[5], 148);
    CHECK_EQ(service.counters().hostCopiedBytes, 0);
}

TEST_CASE("constants stay reachable when the client has closed its pool [MP-2]") {
    Service service;
    auto constants = std::make_unique<Pool>(64);
    constants->bytes()[0] = 9;
    const PrepareOutcome prepared =
            service.prepare(reluModelWithConstants({1, 8}, 0, constants->memory));
    constants.reset();
    const Pool input(8);
    const Pool output(8);

    CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 8)).status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[0], 9);
}

TEST_CASE("arguments may lie anywhere in one pool [MP-3]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 10}));
    const Pool pool(std::uint64_t{3} * 4096);
    nn::V1_3::Request request;
    request.inputs = {argument(0, 4090, 10)};  // across a page boundary
    request.outputs = {argument(0, 8191, 10)};
    request.pools.resize(1);
    request.pools[0].hidlMemory(pool.memory);
    std::fill_n(pool.bytes() + 4090, 10, std::uint8_t{77});

    CHECK_EQ(executeSync(prepared.model, request).status, ErrorStatus::NONE);
    CHECK_EQ(pool.bytes()[8190], 0);
    CHECK_EQ(pool.bytes()[8191], 77);
    CHECK_EQ(pool.bytes()[8200], 77);
    CHECK_EQ(pool.bytes()[8201], 0);
}

TEST_CASE(
        "regions cover exactly the arguments' bytes, and only outputs and scratch are writable "
        "[MP-6]") {
    ReadyRelu ready;
    REQUIRE_EQ(executeSync(ready.prepared.model, ready.request()).status, ErrorStatus::NONE);

    const auto jobs = ready.service.port.jobs();

    REQUIRE_EQ(jobs.size(), 1);
    REQUIRE_EQ(jobs[0].regions.size(), 3);  // input, output, scratch
    CHECK_EQ(jobs[0].regions[0].sizeBytes, kReluBytes);
    CHECK_EQ(jobs[0].regions[0].flags, 0);
    CHECK_EQ(jobs[0].regions[1].sizeBytes, kReluBytes);
    CHECK_EQ(jobs[0].regions[1].flags, vnpu::fw::kRegionWritable);
    CHECK_EQ(jobs[0].regions[2].flags, vnpu::fw::kRegionWritable);
    CHECK_EQ(jobs[0].slot.commandStreamVersion, 5);
    CHECK_NE(jobs[0].slot.jobId, 0);
    CHECK_EQ(jobs[0].slot.flags, 0);
}

TEST_CASE("an asynchronous execution gives the same result through its callback [MP-3]") {
    ReadyRelu ready;

    const Outcome outcome = executeAsync(ready.service, ready.prepared.model, ready.request());

    CHECK_EQ(outcome.launch, ErrorStatus::NONE);
    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK(ready.isOutputRight());
}

TEST_CASE("an asynchronous execution outlives the client's request and prepared model [MP-3]") {
    ReadyRelu ready;
    ready.service.port.pause();
    auto request = std::make_unique<nn::V1_3::Request>(ready.request());
    struct Callback : nn::V1_3::IExecutionCallback {
        android::hardware::Return<void> notify(nn::V1_0::ErrorStatus) override { return {}; }
        android::hardware::Return<void> notify_1_2(
                nn::V1_0::ErrorStatus, const android::hardware::hidl_vec<nn::V1_2::OutputShape>&,
                const nn::V1_2::Timing&) override {
            return {};
        }
        android::hardware::Return<void> notify_1_3(
                ErrorStatus status, const android::hardware::hidl_vec<nn::V1_2::OutputShape>&,
                const nn::V1_2::Timing&) override {
            told = status;
            return {};
        }
        ErrorStatus told = ErrorStatus::GENERAL_FAILURE;
    };
    const android::sp<Callback> callback = new Callback;
    const ErrorStatus launched =
            ready.prepared.model->execute_1_3(*request, MeasureTiming::NO, {}, {}, callback);
    request.reset();
    ready.prepared.model = nullptr;

    ready.service.port.resume();
    ready.service.port.joinPosted();

    CHECK_EQ(launched, ErrorStatus::NONE);
    CHECK_EQ(callback->told, ErrorStatus::NONE);
    CHECK(ready.isOutputRight());
    CHECK_EQ(ready.service.counters().livePreparedModels, 0);
    CHECK_EQ(ready.service.counters().liveContexts, 0);
}

TEST_CASE("an invalid request is refused on both paths, without shapes or timing [MP-3]") {
    ReadyRelu ready;
    nn::V1_3::Request request = ready.request();
    request.inputs = {};

    checkFailed(executeSync(ready.prepared.model, request, MeasureTiming::YES),
                ErrorStatus::INVALID_ARGUMENT);
    const Outcome outcome =
            executeAsync(ready.service, ready.prepared.model, request, MeasureTiming::YES);
    CHECK_EQ(outcome.launch, ErrorStatus::INVALID_ARGUMENT);
    checkFailed(outcome, ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("a missing callback is refused [MP-3]") {
    ReadyRelu ready;

    const ErrorStatus status =
            ready.prepared.model->execute_1_3(ready.request(), MeasureTiming::NO, {}, {}, nullptr);

    CHECK_EQ(status, ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("timing comes from the completion record and the device clock, in microseconds [E-3]") {
    ReadyRelu ready;

    const Outcome outcome = executeSync(ready.prepared.model, ready.request(), MeasureTiming::YES);

    CHECK_EQ(outcome.timing.timeOnDevice, FakeDevicePort::kJobCycles / 1000);
    // 5 us to submit, 0.1 us until the start, 7 us of work, 3 us to complete; everything else takes
    // no time.
    CHECK_EQ(outcome.timing.timeInDriver, 15);
}

TEST_CASE("without measuring both times are unknown [E-3]") {
    ReadyRelu ready;

    const Outcome outcome = executeSync(ready.prepared.model, ready.request(), MeasureTiming::NO);

    CHECK_EQ(outcome.timing.timeOnDevice, UINT64_MAX);
    CHECK_EQ(outcome.timing.timeInDriver, UINT64_MAX);
}

TEST_CASE("an output with too little memory is reported with all shapes, and nothing runs [MP-3]") {
    ReadyRelu ready;
    nn::V1_3::Request request = ready.request();
    request.outputs[0].location.length = kReluBytes - 1;

    const Outcome outcome = executeSync(ready.prepared.model, request, MeasureTiming::YES);

    CHECK_EQ(outcome.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    REQUIRE_EQ(outcome.shapes.size(), 1);
    CHECK_FALSE(outcome.shapes[0].isSufficient);
    CHECK_EQ(std::vector<std::uint32_t>(outcome.shapes[0].dimensions),
             std::vector<std::uint32_t>{1, kReluBytes});
    CHECK_EQ(outcome.timing.timeOnDevice, UINT64_MAX);
    CHECK(ready.service.port.jobs().empty());
}

TEST_CASE("open shapes are compiled when a request gives them, once for each shape [MP-3]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({0, 8}));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    CHECK_EQ(compiledModelOf(prepared.model), nullptr);
    const Pool input(64);
    const Pool output(64);
    const auto execute = [&](std::uint32_t rows) {
        nn::V1_3::Request request = requestOf(input, output, rows * 8);
        request.inputs[0].dimensions = {rows, 8};
        return executeSync(prepared.model, request);
    };

    const Outcome two = execute(2);
    REQUIRE_EQ(two.status, ErrorStatus::NONE);
    CHECK_EQ(std::vector<std::uint32_t>(two.shapes[0].dimensions),
             std::vector<std::uint32_t>{2, 8});
    const Outcome five = execute(5);
    CHECK_EQ(std::vector<std::uint32_t>(five.shapes[0].dimensions),
             std::vector<std::uint32_t>{5, 8});
    CHECK_EQ(execute(2).status, ErrorStatus::NONE);

    REQUIRE_EQ(service.compiler.seenOptions.size(), 2);
    CHECK_EQ(service.compiler.seenOptions[0].inputDimensions,
             std::vector<std::vector<std::uint32_t>>{{2, 8}});
}

TEST_CASE("a form that is ready runs while another is compiled [Q-5]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({0, 8}));
    const auto execute = [&](std::uint32_t rows) {
        const Pool input(64);
        const Pool output(64);
        nn::V1_3::Request request = requestOf(input, output, rows * 8);
        request.inputs[0].dimensions = {rows, 8};
        return executeSync(prepared.model, request).status;
    };
    REQUIRE_EQ(execute(2), ErrorStatus::NONE);
    std::future<ErrorStatus> other;
    service.compiler.whileCompiling = [&] {
        other = std::async(std::launch::async, execute, 2);
        CHECK(other.wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    };
    CHECK_EQ(execute(5), ErrorStatus::NONE);
    CHECK_EQ(other.get(), ErrorStatus::NONE);
}

TEST_CASE("many shapes of one model take no more device memory than a few [Q-6]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({0, 8}));
    const Pool input(256);
    const Pool output(256);
    std::uint64_t atFour = 0;
    for (std::uint32_t rows = 1; rows <= 20; ++rows) {
        nn::V1_3::Request request = requestOf(input, output, rows * 8);
        request.inputs[0].dimensions = {rows, 8};
        REQUIRE_EQ(executeSync(prepared.model, request).status, ErrorStatus::NONE);
        atFour = rows == 4 ? service.counters().dmaBytes : atFour;
    }
    CHECK_EQ(service.counters().dmaBytes, atFour);
}

TEST_CASE("a wrong output shape in the request is refused [MP-3]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({0, 8}));
    const Pool input(64);
    const Pool output(64);
    nn::V1_3::Request request = requestOf(input, output, 16);
    request.inputs[0].dimensions = {2, 8};
    request.outputs[0].dimensions = {3, 8};

    checkFailed(executeSync(prepared.model, request), ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("an operand that the model needs cannot be omitted [MP-3]") {
    ReadyRelu ready;
    nn::V1_3::Request request = ready.request();
    request.inputs[0] = {.hasNoValue = true, .location = {}, .dimensions = {}};

    checkFailed(executeSync(ready.prepared.model, request), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a fault on the device fails the execution and is reported with cause and place [E-7]") {
    ReadyRelu ready;
    ready.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kMmuFault; });

    checkFailed(executeSync(ready.prepared.model, ready.request(), MeasureTiming::YES),
                ErrorStatus::GENERAL_FAILURE);

    CHECK(ready.service.observer.hasLogged(
            std::string(hw::jobStatusName(hw::JobStatus::kMmuFault))));
    CHECK(ready.service.observer.hasLogged("command at byte 24"));
    CHECK(ready.service.observer.hasLogged("0xbad000"));
    ready.service.port.setJobFunction(FakeCompiler::jobFunction());
    CHECK_EQ(executeSync(ready.prepared.model, ready.request()).status, ErrorStatus::NONE);
}

TEST_CASE("however a job fails, the caller gets GENERAL_FAILURE [E-7]") {
    ReadyRelu ready;
    for (auto status = 1U; status <= static_cast<unsigned>(hw::JobStatus::kEngineHang); ++status) {
        ready.service.port.setJobFunction([status](FakeMemory&, const ObservedJob&) {
            return static_cast<hw::JobStatus>(status);
        });
        checkFailed(executeSync(ready.prepared.model, ready.request()),
                    ErrorStatus::GENERAL_FAILURE);
    }
}

TEST_CASE(
        "a deadline that has passed is missed for good, on both paths, and the launch is fine "
        "[Q-6] [Q-7]") {
    ReadyRelu ready;
    const auto past = at(ready.service.port.now());

    checkFailed(executeSync(ready.prepared.model, ready.request(), MeasureTiming::YES, past),
                ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    const Outcome outcome = executeAsync(ready.service, ready.prepared.model, ready.request(),
                                         MeasureTiming::YES, past);
    CHECK_EQ(outcome.launch, ErrorStatus::NONE);
    checkFailed(outcome, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK(ready.service.port.jobs().empty());
}

TEST_CASE("a deadline that passes behind earlier executions is missed for now [Q-6]") {
    ReadyRelu ready;
    FakeDevicePort& port = ready.service.port;
    port.pause();
    std::vector<std::thread> earlier;
    std::vector<ErrorStatus> statuses(2);
    earlier.reserve(statuses.size());
    for (ErrorStatus& status : statuses) {  // both workspaces are taken
        earlier.emplace_back(
                [&] { status = executeSync(ready.prepared.model, ready.request()).status; });
    }
    while (ready.service.counters().jobsSubmitted < 2) {
        std::this_thread::yield();
    }
    const auto deadline = at(port.now() + std::chrono::microseconds(10));  // two jobs take 14
    Outcome late;
    std::thread third([&] {
        late = executeSync(ready.prepared.model, ready.request(), MeasureTiming::NO, deadline);
    });
    port.awaitTimedWaiters(3);  // two for their jobs, one for a workspace
    port.advance(std::chrono::microseconds(10));
    port.resume();
    for (std::thread& thread : earlier) {
        thread.join();
    }
    third.join();

    CHECK_EQ(statuses, std::vector<ErrorStatus>{ErrorStatus::NONE, ErrorStatus::NONE});
    checkFailed(late, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
}

TEST_CASE("concurrent executions of one model all give the right results [MP-6]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, kReluBytes}));
    std::vector<std::thread> clients;
    std::vector<int> wrong(6, 0);
    for (std::size_t c = 0; c < wrong.size(); ++c) {
        clients.emplace_back([&, c] {
            const Pool input(kReluBytes);
            const Pool output(kReluBytes);
            for (std::uint8_t round = 1; round <= 20; ++round) {
                std::fill_n(input.bytes(), kReluBytes,
                            static_cast<std::uint8_t>(std::size_t{7} * round + c));
                const Outcome outcome =
                        executeSync(prepared.model, requestOf(input, output, kReluBytes));
                wrong[c] += outcome.status != ErrorStatus::NONE ||
                            !std::equal(input.bytes(), input.bytes() + kReluBytes, output.bytes());
            }
        });
    }
    for (std::thread& client : clients) {
        client.join();
    }
    CHECK_EQ(wrong, std::vector<int>(6, 0));
    CHECK_EQ(service.counters().jobsCompleted, 120);
    CHECK_EQ(service.port.withMemory([](FakeMemory& memory) { return memory.staleTlbEntries(); }),
             0);
}

TEST_CASE("more jobs than a ring holds wait for room [E-1]") {
    Service service;
    std::vector<PrepareOutcome> prepared;
    for (int i = 0; i < 12; ++i) {
        prepared.push_back(service.prepare(reluModel({1, 4})));
        REQUIRE_EQ(prepared.back().status, ErrorStatus::NONE);
    }
    service.port.pause();
    std::vector<std::thread> clients;
    std::vector<ErrorStatus> statuses(24, ErrorStatus::GENERAL_FAILURE);
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        clients.emplace_back([&, i] {
            const Pool input(4);
            const Pool output(4);
            statuses[i] = executeSync(prepared[i / 2].model, requestOf(input, output, 4)).status;
        });
    }
    while (service.counters().jobsSubmitted < 16) {
        std::this_thread::yield();
    }
    CHECK_EQ(static_cast<nn::V1_0::DeviceStatus>(service.device->getStatus()),
             nn::V1_0::DeviceStatus::BUSY);
    service.port.resume();
    for (std::thread& client : clients) {
        client.join();
    }
    CHECK_EQ(statuses, std::vector<ErrorStatus>(24, ErrorStatus::NONE));
    CHECK_EQ(service.port.jobs().size(), 24);
}

TEST_CASE("observers see each call, its job and how both ended [E-6]") {
    ReadyRelu ready;
    REQUIRE_EQ(executeSync(ready.prepared.model, ready.request()).status, ErrorStatus::NONE);

    const auto call = ready.service.observer.calls().back();
    const auto submitted = ready.service.observer.submitted();
    const auto completed = ready.service.observer.completed();

    CHECK_EQ(call.name, "executeSynchronously_1_3");
    CHECK_EQ(call.end, ErrorStatus::NONE);
    REQUIRE_EQ(submitted.size(), 1);
    CHECK_EQ(submitted[0].second, call.id);
    REQUIRE_EQ(completed.size(), 1);
    CHECK_EQ(completed[0].first, submitted[0].first);
    CHECK_EQ(completed[0].second, ErrorStatus::NONE);
}

TEST_CASE("executions by HAL 1.0 and 1.2 give the same results [MP-3]") {
    ReadyRelu ready;
    const nn::V1_0::Request request{.inputs = {argument(0, 0, kReluBytes)},
                                    .outputs = {argument(1, 0, kReluBytes)},
                                    .pools = {ready.input.memory, ready.output.memory}};
    nn::V1_0::ErrorStatus told = nn::V1_0::ErrorStatus::GENERAL_FAILURE;
    const auto returned = ready.prepared.model->executeSynchronously(
            request, MeasureTiming::NO,
            [&](nn::V1_0::ErrorStatus status,
                const android::hardware::hidl_vec<nn::V1_2::OutputShape>&,
                const nn::V1_2::Timing&) { told = status; });

    CHECK(returned.isOk());
    CHECK_EQ(told, nn::V1_0::ErrorStatus::NONE);
    CHECK(ready.isOutputRight());
}

TEST_CASE("a loop timeout is taken by every execution call of 1.3, up to the limit [Q-7]") {
    ReadyRelu ready;
    const auto& model = ready.prepared.model;
    nn::V1_3::OptionalTimeoutDuration timeout;
    ErrorStatus told{};
    const auto synchronous = [&](ErrorStatus status, const auto&, const auto&) { told = status; };
    const auto fenced = [&](ErrorStatus status, const auto&, const auto&) { told = status; };
    const android::sp<AnyCallback> callback = new AnyCallback;
    const auto answers = [&] {
        std::vector<ErrorStatus> all;
        CHECK(model->executeSynchronously_1_3(ready.request(), MeasureTiming::NO, {}, timeout,
                                              synchronous)
                      .isOk());
        all.push_back(told);
        CHECK(model->executeFenced(ready.request(), {}, MeasureTiming::NO, {}, timeout, {}, fenced)
                      .isOk());
        all.push_back(told);
        all.push_back(
                model->execute_1_3(ready.request(), MeasureTiming::NO, {}, timeout, callback));
        ready.service.port.joinPosted();
        return all;
    };
    constexpr auto kMaximum = static_cast<std::uint64_t>(nn::V1_3::LoopTimeoutDurationNs::MAXIMUM);
    timeout.nanoseconds(kMaximum);
    CHECK_EQ(answers(), std::vector<ErrorStatus>(3, ErrorStatus::NONE));
    timeout.nanoseconds(kMaximum + 1);
    CHECK_EQ(answers(), std::vector<ErrorStatus>(3, ErrorStatus::INVALID_ARGUMENT));
    CHECK(ready.service.observer.hasLogged("loop timeout is 15000000001 ns"));
}

TEST_SUITE_END();
