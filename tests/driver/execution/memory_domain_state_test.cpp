// SPDX-License-Identifier: Apache-2.0
// Shape changes and concurrent use of buffers of memory domains.
#include <android/sync.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/driver/support/memory_domain_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using android::sp;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
namespace hw = vnpu::hw;

TEST_SUITE_BEGIN("driver/execution/memory_domain/state");

namespace {

/// A fenced execution from its caller's point of view.
struct FencedLaunch {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    hidl_handle fence;
    sp<nn::V1_3::IFencedExecutionCallback> callback;

    ErrorStatus outcome() const {
        ErrorStatus told = ErrorStatus::NONE;
        CHECK(callback->getExecutionInfo([&](ErrorStatus ended, const nn::V1_2::Timing&,
                                             const nn::V1_2::Timing&) { told = ended; })
                      .isOk());
        return told;
    }
};

FencedLaunch launchFenced(const DomainService& domain, const nn::V1_3::Request& request,
                          const hidl_vec<hidl_handle>& waitFor = {}) {
    FencedLaunch launched;
    CHECK(domain.model
                  ->executeFenced(request, waitFor, nn::V1_2::MeasureTiming::NO, {}, {}, {},
                                  [&](ErrorStatus status, const hidl_handle& fence,
                                      const sp<nn::V1_3::IFencedExecutionCallback>& callback) {
                                      launched = {status, fence, callback};
                                  })
                  .isOk());
    return launched;
}

/// Launches without waiting; the callback is ignored.
struct SilentCallback : nn::V1_3::IExecutionCallback {
    android::hardware::Return<void> notify(nn::V1_0::ErrorStatus) override {
        return android::hardware::Void();
    }
    android::hardware::Return<void> notify_1_2(nn::V1_0::ErrorStatus,
                                               const hidl_vec<nn::V1_2::OutputShape>&,
                                               const nn::V1_2::Timing&) override {
        return android::hardware::Void();
    }
    android::hardware::Return<void> notify_1_3(ErrorStatus ended,
                                               const hidl_vec<nn::V1_2::OutputShape>&,
                                               const nn::V1_2::Timing&) override {
        status = ended;
        return android::hardware::Void();
    }

    std::atomic<ErrorStatus> status{ErrorStatus::DEVICE_UNAVAILABLE};
};

sp<SilentCallback> launch(const DomainService& domain, const nn::V1_3::Request& request) {
    const sp<SilentCallback> callback = new SilentCallback;
    REQUIRE_EQ(domain.model->execute_1_3(request, nn::V1_2::MeasureTiming::NO, {}, {}, callback),
               ErrorStatus::NONE);
    return callback;
}

}  // namespace

TEST_CASE("a buffer of open shape grows and shrinks with what is written to it [MD-5]") {
    DomainService domain({0, kDomainBytes});
    Service& service = domain.service;
    const Pool rows(std::uint64_t{100} * kDomainBytes);
    for (std::uint32_t i = 0; i < 100 * kDomainBytes; ++i) {
        rows.bytes()[i] = static_cast<std::uint8_t>(i % 251);
    }
    const Allocated allocated = domain.allocateBoth();
    for (const std::uint32_t count : {1U, 100U, 2U}) {
        CAPTURE(count);
        const Outcome written = executeSync(domain.model, rowsInto(rows, count, allocated.token));
        CHECK_EQ(written.status, ErrorStatus::NONE);
        REQUIRE_EQ(written.shapes.size(), 1);
        CHECK_EQ(written.shapes[0].dimensions, hidl_vec<std::uint32_t>({count, kDomainBytes}));
        CHECK(written.shapes[0].isSufficient);

        const Pool copy(std::uint64_t{count} * kDomainBytes);
        CHECK_EQ(allocated.buffer->copyTo(copy.memory), ErrorStatus::NONE);
        CHECK(std::equal(copy.bytes(), copy.bytes() + std::size_t{count} * kDomainBytes,
                         rows.bytes()));
        // The shape of an input is that of its contents.
        const Pool read(std::uint64_t{count} * kDomainBytes);
        CHECK_EQ(run(service, domain.model, fromBuffer(allocated.token, read)), ErrorStatus::NONE);
        CHECK(std::equal(read.bytes(), read.bytes() + std::size_t{count} * kDomainBytes,
                         rows.bytes()));
    }
}

TEST_CASE("an input keeps the shape that it was written with [MD-5]") {
    DomainService domain({0, kDomainBytes});
    const Allocated allocated = domain.allocateBoth();
    const Pool two(std::uint64_t{2} * kDomainBytes);
    REQUIRE_EQ(allocated.buffer->copyFrom(two.memory, {2, kDomainBytes}), ErrorStatus::NONE);
    const auto readAs = [&](const std::vector<std::uint32_t>& dimensions) {
        return run(domain.service, domain.model,
                   requestWith(whole(0, dimensions), tokenPool(allocated.token),
                               argument(1, 0, 2 * kDomainBytes), memoryPool(two)));
    };
    CHECK_EQ(readAs({1, kDomainBytes}), ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(readAs({2, kDomainBytes}), ErrorStatus::NONE);
    CHECK_EQ(readAs({0, kDomainBytes}), ErrorStatus::NONE);
    CHECK_EQ(readAs({}), ErrorStatus::NONE);
}

TEST_CASE("an output that cannot grow fails; the next one may fit [MD-5] [MD-6]") {
    DomainService domain({0, kDomainBytes});
    constexpr std::uint32_t kMany = (6U << 20) / kDomainBytes;
    const Pool rows(std::uint64_t{kMany} * kDomainBytes);
    domain.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kOk; });
    Allocated hog = domain.allocateBoth({kMany / 2, kDomainBytes});
    const Allocated allocated = domain.allocateBoth();
    CHECK_EQ(run(domain.service, domain.model, rowsInto(rows, kMany, allocated.token)),
             ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
    CHECK_EQ(run(domain.service, domain.model, rowsInto(rows, 1, allocated.token)),
             ErrorStatus::NONE);
    hog = {};
    CHECK_EQ(run(domain.service, domain.model, rowsInto(rows, kMany, allocated.token)),
             ErrorStatus::NONE);
}

TEST_CASE("a released buffer lives on in the execution that uses it [MD-3]") {
    DomainService domain;
    const std::uint64_t before = domain.service.counters().dmaBytes;
    Allocated allocated = domain.allocateBoth();
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    domain.service.port.pause();
    const auto callback = launch(domain, fromBuffer(allocated.token, domain.result));
    const std::uint32_t token = allocated.token;
    allocated = {};
    CHECK_EQ(run(domain.service, domain.model, fromBuffer(token, domain.result)),
             ErrorStatus::INVALID_ARGUMENT);  // the token is invalid in either case
    CHECK_EQ(domain.service.counters().dmaBytes, before + 4096);
    domain.service.port.resume();
    domain.service.port.joinPosted();
    CHECK_EQ(callback->status.load(), ErrorStatus::NONE);
    CHECK(isResultRight(domain));
    CHECK_EQ(domain.service.counters().dmaBytes, before);
    CHECK_EQ(domain.service.port.withMemory(
                     [](FakeMemory& memory) { return memory.staleTlbEntries(); }),
             0);
}

TEST_CASE("a released output buffer is still written [MD-3]") {
    DomainService domain;
    const std::uint64_t before = domain.service.counters().dmaBytes;
    Allocated allocated = domain.allocateBoth();
    domain.service.port.pause();
    const auto callback = launch(domain, intoBuffer(domain.values, allocated.token));
    allocated = {};
    domain.service.port.resume();
    domain.service.port.joinPosted();
    CHECK_EQ(callback->status.load(), ErrorStatus::NONE);
    CHECK_EQ(domain.service.counters().dmaBytes, before);
}

TEST_CASE("a fenced execution reads the output of the one that it waits for [MD-3] [Q-6]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    domain.service.port.pause();
    const FencedLaunch writer = launchFenced(domain, intoBuffer(domain.values, allocated.token));
    REQUIRE_EQ(writer.status, ErrorStatus::NONE);
    const FencedLaunch reader =
            launchFenced(domain, fromBuffer(allocated.token, domain.result), {writer.fence});
    REQUIRE_EQ(reader.status, ErrorStatus::NONE);  // although there are no contents yet
    domain.service.port.resume();
    domain.service.port.joinPosted();
    CHECK_EQ(writer.outcome(), ErrorStatus::NONE);
    CHECK_EQ(reader.outcome(), ErrorStatus::NONE);
    CHECK(isResultRight(domain));
}

TEST_CASE("a fenced execution that never starts leaves its output without contents [MD-3]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    domain.service.port.setJobFunction(
            [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kBusError; });
    const FencedLaunch failing =
            launchFenced(domain, requestOf(domain.values, domain.result, kDomainBytes));
    const FencedLaunch waiting =
            launchFenced(domain, intoBuffer(domain.values, allocated.token), {failing.fence});
    domain.service.port.joinPosted();
    CHECK_EQ(waiting.outcome(), ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(domain.service.port.jobs().size(), 1);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a buffer that is being written is refused to all others without waiting [MD-7]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    domain.service.port.pause();
    const auto writer = launch(domain, intoBuffer(domain.values, allocated.token));
    while (allocated.buffer->copyTo(domain.result.memory) != ErrorStatus::GENERAL_FAILURE ||
           !domain.service.observer.hasLogged("buffer is being written")) {
        std::this_thread::yield();  // until the writer has started
    }
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(run(domain.service, domain.model, fromBuffer(allocated.token, domain.result)),
             ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(run(domain.service, domain.model, intoBuffer(domain.values, allocated.token)),
             ErrorStatus::GENERAL_FAILURE);
    domain.service.port.resume();
    domain.service.port.joinPosted();
    CHECK_EQ(writer->status.load(), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);
    CHECK(isResultRight(domain));
}

TEST_CASE("a buffer can be read by many executions at once, and not written meanwhile [MD-7]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    REQUIRE_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    const Pool second(kDomainBytes);
    domain.service.port.pause();
    const auto first = launch(domain, fromBuffer(allocated.token, domain.result));
    const auto other = launch(domain, fromBuffer(allocated.token, second));
    while (domain.service.observer.submitted().size() < 2) {
        std::this_thread::yield();
    }
    const Pool third(kDomainBytes);
    CHECK_EQ(allocated.buffer->copyTo(third.memory), ErrorStatus::NONE);
    CHECK_EQ(run(domain.service, domain.model, intoBuffer(domain.values, allocated.token)),
             ErrorStatus::GENERAL_FAILURE);
    domain.service.port.resume();
    domain.service.port.joinPosted();
    CHECK_EQ(first->status.load(), ErrorStatus::NONE);
    CHECK_EQ(other->status.load(), ErrorStatus::NONE);
    CHECK(isResultRight(domain));
    CHECK_EQ(second.bytes()[5], domain.values.bytes()[5]);
    CHECK_EQ(run(domain.service, domain.model, intoBuffer(domain.values, allocated.token)),
             ErrorStatus::NONE);  // the readers are gone
}

TEST_CASE("threads that compete for a buffer all get an answer [MD-7]") {
    DomainService domain;
    const Allocated allocated = domain.allocateBoth();
    std::atomic<int> odd{0};
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            const Pool own(kDomainBytes);
            for (int i = 0; i < 25; ++i) {
                ErrorStatus status = ErrorStatus::NONE;
                if (thread == 0) {
                    status = allocated.buffer->copyFrom(domain.values.memory, {});
                } else if (thread == 1) {
                    status = allocated.buffer->copyTo(own.memory);
                } else {
                    const auto request = thread == 2 ? intoBuffer(domain.values, allocated.token)
                                                     : fromBuffer(allocated.token, own);
                    status = executeSync(domain.model, request).status;
                }
                odd += status != ErrorStatus::NONE && status != ErrorStatus::GENERAL_FAILURE;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK_EQ(odd.load(), 0);
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);
    CHECK(isResultRight(domain));
}

TEST_SUITE_END();
