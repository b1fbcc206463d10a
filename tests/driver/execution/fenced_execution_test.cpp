// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/fenced_execution.h"

#include <android/sync.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "tests/driver/cache/temporary_files.h"
#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using namespace std::chrono_literals;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using nn::V1_2::MeasureTiming;
namespace hw = vnpu::hw;

TEST_SUITE_BEGIN("driver/execution/fenced_execution");

namespace {

struct Launched {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    hidl_handle fence;
    android::sp<nn::V1_3::IFencedExecutionCallback> callback;

    int descriptor() const { return fence.getNativeHandle()->data[0]; }
    bool isSignaled() const { return sync_wait(descriptor(), 0) == 0; }
};

struct Info {
    ErrorStatus status = ErrorStatus::NONE;
    nn::V1_2::Timing launched{}, fenced{};
};

struct FenceWish {
    hidl_vec<hidl_handle> waitFor{};
    MeasureTiming measure = MeasureTiming::NO;
    nn::V1_3::OptionalTimePoint deadline{};
    nn::V1_3::OptionalTimeoutDuration duration{};
};

struct FencedRelu : ReadyRelu {
    Launched launch(const FenceWish& wish = {}) { return launch(request(), wish); }
    Launched launch(const nn::V1_3::Request& request, const FenceWish& wish) {
        Launched launched;
        int calls = 0;
        const auto returned = prepared.model->executeFenced(
                request, wish.waitFor, wish.measure, wish.deadline, {}, wish.duration,
                [&](ErrorStatus status, const hidl_handle& fence,
                    const android::sp<nn::V1_3::IFencedExecutionCallback>& callback) {
                    ++calls;
                    launched = {status, fence, callback};
                });
        CHECK(returned.isOk());
        CHECK_EQ(calls, 1);
        return launched;
    }
};

Info infoOf(const Launched& launched) {
    Info info;
    REQUIRE(launched.callback != nullptr);
    CHECK(launched.callback
                  ->getExecutionInfo([&](ErrorStatus status, const nn::V1_2::Timing& first,
                                         const nn::V1_2::Timing& second) {
                      info = {status, first, second};
                  })
                  .isOk());
    return info;
}

void checkRefused(const Launched& launched, ErrorStatus status) {
    CHECK_EQ(launched.status, status);
    CHECK_EQ(launched.fence.getNativeHandle(), nullptr);
    CHECK_EQ(launched.callback, nullptr);
}

/// A foreign fence, which becomes readable when open() is called.
struct ForeignFence {
    ForeignFence() : descriptor(::eventfd(0, EFD_CLOEXEC)) {
        native_handle_t* native = native_handle_create(1, 0);
        native->data[0] = descriptor;
        handle.setTo(native, true);
    }
    void open() const { REQUIRE_EQ(::eventfd_write(descriptor, 1), 0); }

    int descriptor;
    hidl_handle handle;
};

}  // namespace

TEST_CASE("the fence is signaled when the results are there [Q-6]") {
    FencedRelu ready;
    ready.service.port.pause();
    const Launched launched = ready.launch();
    REQUIRE_EQ(launched.status, ErrorStatus::NONE);
    REQUIRE(launched.fence.getNativeHandle() != nullptr);
    CHECK_EQ(launched.fence->numFds, 1);
    CHECK_FALSE(launched.isSignaled());
    CHECK_EQ(infoOf(launched).status, ErrorStatus::GENERAL_FAILURE);  // not before the fence

    ready.service.port.resume();
    CHECK_EQ(sync_wait(launched.descriptor(), -1), 0);
    CHECK(ready.isOutputRight());
    const Info info = infoOf(launched);
    CHECK_EQ(info.status, ErrorStatus::NONE);
    CHECK_EQ(info.launched.timeOnDevice, UINT64_MAX);  // not requested
    CHECK_EQ(info.fenced.timeInDriver, UINT64_MAX);
    ready.service.port.joinPosted();
}

TEST_CASE("a reader cannot unsignal a fence [Q-7]") {
    FencedRelu ready;
    const Launched launched = ready.launch();
    ready.service.port.joinPosted();
    char bytes[8];
    CHECK_EQ(::read(launched.descriptor(), bytes, sizeof(bytes)), 1);
    CHECK_EQ(::read(launched.descriptor(), bytes, sizeof(bytes)), 0);
    CHECK(launched.isSignaled());
}

TEST_CASE("an execution waits for the fence of another one [Q-6]") {
    FencedRelu ready;
    ready.service.port.pause();
    const Launched first = ready.launch();
    const Launched second = ready.launch({.waitFor = {first.fence}});
    REQUIRE_EQ(second.status, ErrorStatus::NONE);
    CHECK_FALSE(second.isSignaled());
    ready.service.port.resume();
    CHECK_EQ(sync_wait(second.descriptor(), -1), 0);
    CHECK(first.isSignaled());
    CHECK_EQ(infoOf(second).status, ErrorStatus::NONE);
    CHECK_EQ(ready.service.port.jobs().size(), 2);
    ready.service.port.joinPosted();
}

TEST_CASE("an execution fails when the one it waits for did [Q-7]") {
    FencedRelu ready;
    ready.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kBusError; });
    const Launched first = ready.launch();
    const Launched second = ready.launch({.waitFor = {first.fence}});
    ready.service.port.joinPosted();
    CHECK(second.isSignaled());
    CHECK_EQ(infoOf(first).status, ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(infoOf(second).status, ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(ready.service.port.jobs().size(), 1);
    CHECK(ready.service.observer.hasLogged("execution to wait for failed"));
}

TEST_CASE("an execution fails when the one it waits for did long ago [Q-7]") {
    FencedRelu ready;
    ready.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kBusError; });
    const Launched first = ready.launch();
    ready.service.port.joinPosted();
    CHECK(first.isSignaled());
    const Launched second = ready.launch({.waitFor = {first.fence}});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(second).status, ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(ready.service.port.jobs().size(), 1);
}

TEST_CASE("an execution ends with the status of the one it waits for, however long ago [Q-7]") {
    FencedRelu ready;
    ready.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kLoopTimeout; });
    ready.service.port.pause();
    const Launched first = ready.launch();
    const Launched waiting = ready.launch({.waitFor = {first.fence}});
    ready.service.port.resume();
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(first).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(infoOf(waiting).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    const Launched later = ready.launch({.waitFor = {first.fence}});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(later).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    const Launched last = ready.launch({.waitFor = {later.fence}});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(last).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(ready.service.port.jobs().size(), 1);
}

TEST_CASE("a foreign pipe that ends without a byte is a failure of unknown kind [Q-7]") {
    FencedRelu ready;
    int ends[2] = {-1, -1};
    REQUIRE_EQ(::pipe2(ends, O_CLOEXEC), 0);
    native_handle_t* native = native_handle_create(1, 0);
    native->data[0] = ends[0];
    hidl_handle handle;
    handle.setTo(native, true);
    ::close(ends[1]);
    const Launched launched = ready.launch({.waitFor = {handle}});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(launched).status, ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("an execution waits for a foreign descriptor [Q-6]") {
    FencedRelu ready;
    ForeignFence foreign;
    foreign.open();
    const Launched launched = ready.launch({.waitFor = {foreign.handle}});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(launched).status, ErrorStatus::NONE);
    CHECK(ready.isOutputRight());
}

TEST_CASE("a fence that is never signaled does not block forever [Q-7]") {
    FencedRelu ready;
    const ForeignFence foreign;
    const auto begin = ready.service.port.now();
    const Launched launched = ready.launch({.waitFor = {foreign.handle}});
    ready.service.port.joinPosted();
    CHECK(launched.isSignaled());
    CHECK_EQ(infoOf(launched).status, ErrorStatus::GENERAL_FAILURE);
    CHECK(ready.service.port.now() - begin >= 10s);
    CHECK(ready.service.port.jobs().empty());
}

TEST_CASE("a deadline that passes before a fence is missed [Q-6]") {
    FencedRelu ready;
    const ForeignFence foreign;
    const Launched launched = ready.launch(
            {.waitFor = {foreign.handle}, .deadline = at(ready.service.port.now() + 50us)});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(launched).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK(ready.service.port.now() < 1s);
}

TEST_CASE("the duration counts from the last fence [Q-6]") {
    FencedRelu ready;
    ForeignFence foreign;
    foreign.open();
    nn::V1_3::OptionalTimeoutDuration duration{};
    duration.nanoseconds(0);  // no time is left when the fences are signaled
    const Launched none = ready.launch({.waitFor = {foreign.handle}, .duration = duration});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(none).status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    duration.nanoseconds(UINT64_MAX);  // longer than any clock counts
    const Launched ages = ready.launch({.duration = duration});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(ages).status, ErrorStatus::NONE);
}

TEST_CASE("timings count from the launch and from the fences [Q-6]") {
    FencedRelu ready;
    ready.service.port.pause();
    const Launched first = ready.launch();
    const Launched second = ready.launch({.waitFor = {first.fence}, .measure = MeasureTiming::YES});
    ready.service.port.advance(3ms);
    ready.service.port.resume();
    CHECK_EQ(sync_wait(second.descriptor(), -1), 0);
    ready.service.port.joinPosted();
    const Info info = infoOf(second);
    CHECK_EQ(info.launched.timeOnDevice, FakeDevicePort::kJobCycles / 1000);  // 1 GHz
    CHECK_EQ(info.fenced.timeOnDevice, info.launched.timeOnDevice);
    CHECK(info.launched.timeInDriver >= 3000);
    CHECK(info.fenced.timeInDriver >= info.fenced.timeOnDevice);
    CHECK(info.fenced.timeInDriver < 3000);
}

TEST_CASE("handles that are no fences are refused at once [Q-7]") {
    FencedRelu ready;
    checkRefused(ready.launch({.waitFor = {hidl_handle(nullptr)}}), ErrorStatus::INVALID_ARGUMENT);

    native_handle_t* empty = native_handle_create(0, 1);
    hidl_handle none;
    none.setTo(empty, true);
    checkRefused(ready.launch({.waitFor = {none}}), ErrorStatus::INVALID_ARGUMENT);

    const ForeignFence foreign;
    CHECK(ready.service.port.jobs().empty());
    checkRefused(ready.launch({}, {}), ErrorStatus::INVALID_ARGUMENT);  // a request without pools
}

TEST_CASE("a file that cannot be polled counts as signaled [Q-7]") {
    FencedRelu ready;
    native_handle_t* native = native_handle_create(1, 0);
    native->data[0] = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    hidl_handle handle;
    handle.setTo(native, true);
    const Launched launched = ready.launch({.waitFor = {handle}});
    ready.service.port.joinPosted();
    CHECK_EQ(infoOf(launched).status, ErrorStatus::NONE);
}

TEST_CASE("an output without a shape is refused, because a fence cannot report it [Q-6]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({0, kReluBytes}));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    const Pool input(kReluBytes);
    const Pool output(kReluBytes);
    auto request = requestOf(input, output, kReluBytes);
    request.inputs[0].dimensions = {1, kReluBytes};
    const auto launch = [&] {
        ErrorStatus told{};
        const auto returned = prepared.model->executeFenced(
                request, {}, MeasureTiming::NO, {}, {}, {},
                [&](ErrorStatus status, const hidl_handle&,
                    const android::sp<nn::V1_3::IFencedExecutionCallback>&) { told = status; });
        CHECK(returned.isOk());
        service.port.joinPosted();
        return told;
    };
    CHECK_EQ(launch(), ErrorStatus::INVALID_ARGUMENT);
    request.outputs[0].dimensions = {1, kReluBytes};
    CHECK_EQ(launch(), ErrorStatus::NONE);
}

TEST_CASE("an output with too little memory is refused, because a fence cannot report it [Q-6]") {
    FencedRelu ready;
    auto request = ready.request();
    request.outputs[0].location.length = kReluBytes - 1;
    checkRefused(ready.launch(request, {}), ErrorStatus::INVALID_ARGUMENT);
    request.outputs[0].dimensions = {1, kReluBytes};
    checkRefused(ready.launch(request, {}), ErrorStatus::INVALID_ARGUMENT);
    CHECK(ready.service.port.jobs().empty());
}

TEST_CASE("fences leave no descriptors open [Q-7]") {
    FencedRelu ready;
    ready.launch();
    ready.service.port.joinPosted();
    const int before = openDescriptors();
    for (int i = 0; i < 50; ++i) {
        const Launched first = ready.launch();
        const Launched second = ready.launch({.waitFor = {first.fence, first.fence}});
        checkRefused(ready.launch({.waitFor = {first.fence, hidl_handle(nullptr)}}),
                     ErrorStatus::INVALID_ARGUMENT);
        ready.service.port.joinPosted();
        CHECK_EQ(infoOf(second).status, ErrorStatus::NONE);
    }
    CHECK_EQ(openDescriptors(), before);
}

TEST_SUITE_END();
