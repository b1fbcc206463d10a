// SPDX-License-Identifier: Apache-2.0
// Executions with tensors whose sizes only the device determines.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "hw_model/regs/command_stream.h"
#include "tests/driver/support/memory_domain_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace hw = vnpu::hw;

TEST_SUITE_BEGIN("driver/execution/dynamic_shapes");

namespace {

constexpr std::uint32_t kPoolBytes = 256;  // of the pools

/// The device's view of memory at an offset in a region of a job.
std::byte* at(FakeMemory& memory, const ObservedJob& job, std::size_t region,
              std::uint64_t offset) {
    std::byte* byte = memory.translate(job.context, job.regions[region].address + offset, true);
    REQUIRE(byte != nullptr);
    return byte;
}

/// The device's part: writes `count` bytes through a tensor of that size. Regions are input, output
/// and scratch.
struct Copier {
    std::uint32_t count = 0;
    std::uint64_t neededInside = 0;  // 0: as many
    bool isMute = false;             // reports no shapes

    hw::JobStatus operator()(FakeMemory& memory, const ObservedJob& job) const {
        const std::uint64_t inside = neededInside != 0 ? neededInside : count;
        const std::uint64_t room =
                job.regions[2].sizeBytes - 2 * sizeof(hw::DspShape) - CompiledModel::kSpareBytes;
        if (isMute) {
            return hw::JobStatus::kNoRoom;
        }
        tell(memory, job, 1, inside, inside <= room);
        if (inside > room) {
            return hw::JobStatus::kNoRoom;
        }
        const bool fits = count <= job.regions[1].sizeBytes;
        tell(memory, job, 0, count, fits);
        for (std::uint32_t i = 0; fits && i < count; ++i) {
            *at(memory, job, 1, i) = static_cast<std::byte>(i + 1);
        }
        return fits ? hw::JobStatus::kOk : hw::JobStatus::kNoRoom;
    }

    static void tell(FakeMemory& memory, const ObservedJob& job, std::size_t index,
                     std::uint64_t bytes, bool fits) {
        hw::DspShape shape{};
        shape.state = fits ? hw::kShapeKnown : hw::kShapeTooLarge;
        shape.rank = 1;
        shape.dimensions[0] = static_cast<std::uint32_t>(bytes);
        shape.neededBytes = bytes;
        std::memcpy(at(memory, job, 2, index * sizeof(shape)), &shape, sizeof(shape));
    }
};

/// A RELU with an output whose size the device determines.
struct Dynamic {
    explicit Dynamic(const Copier& copier = {}) : input(kPoolBytes), output(kPoolBytes) {
        service.compiler.isDynamic = true;
        does(copier);
        nn::V1_3::Model relu = reluModel({kPoolBytes});
        relu.main.operands[1].dimensions = {0};
        const PrepareOutcome prepared = service.prepare(relu);
        REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
        model = prepared.model;
        compiledAtStart = service.compiler.seenOptions.size();
    }

    void does(const Copier& copier) { service.port.setJobFunction(copier); }
    Outcome run(std::uint32_t room = kPoolBytes) {
        nn::V1_3::Request request = requestOf(input, output, kPoolBytes);
        request.outputs[0].location.length = room;
        return executeSync(model, request);
    }
    std::size_t compilations() const {
        return service.compiler.seenOptions.size() - compiledAtStart;
    }
    bool isWritten(std::uint32_t count) const {
        for (std::uint32_t i = 0; i < kPoolBytes; ++i) {
            if (output.bytes()[i] != (i < count ? static_cast<std::uint8_t>(i + 1) : 0)) {
                return false;
            }
        }
        return true;
    }

    Service service;
    Pool input, output;
    android::sp<nn::V1_3::IPreparedModel> model;
    std::size_t compiledAtStart = 0;
};

std::vector<std::uint32_t> dimensionsOf(const Outcome& outcome) {
    REQUIRE_EQ(outcome.shapes.size(), 1);
    return outcome.shapes[0].dimensions;
}

}  // namespace

TEST_CASE("the caller gets the shape that the device computed [MP-3]") {
    Dynamic dynamic({.count = 7});
    const Outcome outcome = dynamic.run();
    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK_EQ(dimensionsOf(outcome), std::vector<std::uint32_t>{7});
    CHECK(outcome.shapes[0].isSufficient);
    CHECK(dynamic.isWritten(7));
    CHECK_EQ(dynamic.service.port.jobs().size(), 1);
    CHECK_EQ(dynamic.compilations(), 0);
}

TEST_CASE("an output that is too small is reported with the device's shape [MP-3]") {
    Dynamic dynamic({.count = 7});
    const Outcome outcome = dynamic.run(6);
    CHECK_EQ(outcome.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    CHECK_EQ(dimensionsOf(outcome), std::vector<std::uint32_t>{7});
    CHECK_FALSE(outcome.shapes[0].isSufficient);
    CHECK(dynamic.isWritten(0));
    CHECK_EQ(dynamic.run(7).status, ErrorStatus::NONE);
}

TEST_CASE("an intermediate tensor gets more memory when it needs it, and keeps it [Q-6]") {
    Dynamic dynamic({.count = 100});
    CHECK_EQ(dynamic.run().status, ErrorStatus::NONE);
    CHECK(dynamic.isWritten(100));
    CHECK_EQ(dynamic.service.port.jobs().size(), 2);
    REQUIRE_EQ(dynamic.compilations(), 1);
    CHECK_EQ(dynamic.service.compiler.seenOptions.back().capacities,
             std::vector<std::uint64_t>{0, 125});  // a quarter more than needed

    dynamic.does({.count = 120});
    CHECK_EQ(dynamic.run().status, ErrorStatus::NONE);
    CHECK(dynamic.isWritten(120));
    CHECK_EQ(dynamic.compilations(), 1);
    CHECK_EQ(dynamic.service.port.jobs().size(), 3);
}

TEST_CASE("first the device's memory and then the caller's may be too small [MP-3]") {
    Dynamic dynamic({.count = 100});
    const Outcome outcome = dynamic.run(99);
    CHECK_EQ(outcome.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    CHECK_EQ(dimensionsOf(outcome), std::vector<std::uint32_t>{100});
    CHECK_EQ(dynamic.service.port.jobs().size(), 2);
}

TEST_CASE("shapes of one execution do not affect the next [MP-3]") {
    Dynamic dynamic({.count = 7});
    CHECK_EQ(dynamic.run().status, ErrorStatus::NONE);
    dynamic.does({.isMute = true});
    const Outcome outcome = dynamic.run();
    CHECK_EQ(outcome.status, ErrorStatus::GENERAL_FAILURE);
    CHECK(outcome.shapes.empty());
    CHECK(dynamic.service.observer.hasLogged(
            "the device reports too little room, but no tensor needs more"));
}

TEST_CASE("a request with another shape is refused after the job [MP-3]") {
    Dynamic dynamic({.count = 7});
    nn::V1_3::Request request = requestOf(dynamic.input, dynamic.output, kPoolBytes);
    request.outputs[0].dimensions = {8};
    CHECK_EQ(executeSync(dynamic.model, request).status, ErrorStatus::INVALID_ARGUMENT);
    request.outputs[0].dimensions = {7};
    CHECK_EQ(executeSync(dynamic.model, request).status, ErrorStatus::NONE);
}

TEST_CASE("tensors that outgrow all memory end the execution [E-7]") {
    Dynamic dynamic;
    std::uint64_t needed = 100;
    dynamic.service.port.setJobFunction([&](FakeMemory& memory, const ObservedJob& job) {
        needed += needed / 2;
        return Copier{.count = 1, .neededInside = needed}(memory, job);
    });
    CHECK_EQ(dynamic.run().status, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    dynamic.does({.count = 9});
    CHECK_EQ(dynamic.run().status, ErrorStatus::NONE);  // the device is not affected
}

TEST_CASE("an output in a buffer without a shape gets the device's [MD-5]") {
    for (const std::uint32_t count : {7U, 100U}) {
        CAPTURE(count);
        Dynamic dynamic({.count = count});
        const Allocated allocated = allocate(dynamic.service, {dynamic.model}, {}, {role(0)});
        REQUIRE_EQ(allocated.status, ErrorStatus::NONE);
        nn::V1_3::Request request =
                requestWith(argument(0, 0, kPoolBytes), memoryPool(dynamic.input), whole(1),
                            tokenPool(allocated.token));
        const Outcome outcome = executeSync(dynamic.model, request);
        CHECK_EQ(outcome.status, ErrorStatus::NONE);
        CHECK_EQ(dimensionsOf(outcome), std::vector<std::uint32_t>{count});
        const Pool copy(count);
        CHECK_EQ(allocated.buffer->copyTo(copy.memory), ErrorStatus::NONE);
        CHECK_EQ(copy.bytes()[0], 1);
        CHECK_EQ(copy.bytes()[count - 1], count);
    }
}

TEST_CASE("a buffer whose execution failed has no contents [MD-3]") {
    Dynamic dynamic({.isMute = true});
    const Allocated allocated = allocate(dynamic.service, {dynamic.model}, {}, {role(0)});
    REQUIRE_EQ(allocated.status, ErrorStatus::NONE);
    const nn::V1_3::Request request =
            requestWith(argument(0, 0, kPoolBytes), memoryPool(dynamic.input), whole(1),
                        tokenPool(allocated.token));
    CHECK_EQ(executeSync(dynamic.model, request).status, ErrorStatus::GENERAL_FAILURE);
    const Pool copy(7);
    CHECK_EQ(allocated.buffer->copyTo(copy.memory), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("the compiler is told which arguments are omitted [MP-3]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(twoReluModel({1, kPoolBytes}));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    const Pool input(kPoolBytes);
    const Pool output(kPoolBytes);
    nn::V1_3::Request request = requestOf(input, output, kPoolBytes);
    request.inputs.resize(2);
    request.inputs[1].hasNoValue = true;
    request.outputs.resize(2);
    request.outputs[1] = request.outputs[0];
    request.outputs[0] = {};
    request.outputs[0].hasNoValue = true;
    executeSync(prepared.model, request);
    const CompileOptions& seen = service.compiler.seenOptions.back();
    CHECK_EQ(seen.omittedInputs, std::vector<bool>{false, true});
    CHECK_EQ(seen.omittedOutputs, std::vector<bool>{true, false});
}

TEST_CASE("a loop's limit is the caller's timeout in cycles, two seconds by default [Q-7]") {
    Dynamic dynamic({.count = 7});
    const nn::V1_3::Request request = requestOf(dynamic.input, dynamic.output, kPoolBytes);
    const auto cyclesFor = [&](const nn::V1_3::OptionalTimeoutDuration& timeout) {
        ErrorStatus told{};
        CHECK(dynamic.model
                      ->executeSynchronously_1_3(
                              request, nn::V1_2::MeasureTiming::NO, {}, timeout,
                              [&](ErrorStatus status, const auto&, const auto&) { told = status; })
                      .isOk());
        CHECK_EQ(told, ErrorStatus::NONE);
        return dynamic.service.port.jobs().back().slot.loopTimeoutCycles;
    };
    nn::V1_3::OptionalTimeoutDuration timeout;
    CHECK_EQ(cyclesFor(timeout), 2'000'000'000);  // a cycle is a nanosecond
    timeout.nanoseconds(5000);
    CHECK_EQ(cyclesFor(timeout), 5000);
    timeout.nanoseconds(0);
    CHECK_EQ(cyclesFor(timeout), 1);  // 0 would be no limit
    timeout.nanoseconds(15'000'000'000);
    CHECK_EQ(cyclesFor(timeout), 15'000'000'000);
}

TEST_CASE("a loop that takes too long misses its deadline permanently [Q-7]") {
    Dynamic dynamic;
    dynamic.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kLoopTimeout; });
    const Outcome outcome = dynamic.run();
    CHECK_EQ(outcome.status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK(outcome.shapes.empty());
    dynamic.does({.count = 7});
    CHECK_EQ(dynamic.run().status, ErrorStatus::NONE);
}

TEST_SUITE_END();
