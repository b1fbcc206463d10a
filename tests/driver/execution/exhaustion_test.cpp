// SPDX-License-Identifier: Apache-2.0
// A device with too little memory: a request that can never fit is refused permanently, one that
// may fit later is refused for now and works once memory has been freed.
#include <doctest/doctest.h>

#include <deque>

#include "driver/memory/pool_cache.h"
#include "tests/driver/support/memory_domain_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace hw = vnpu::hw;

TEST_SUITE_BEGIN("driver/execution/exhaustion");

namespace {

constexpr std::uint64_t kAll = FakeDevicePort::kMemoryBytes;
constexpr std::uint64_t kMost = kAll * 3 / 4;

/// A RELU whose number of rows is given by each request, on a device whose jobs compute nothing.
struct OpenModel {
    OpenModel() {
        service.port.setJobFunction(
                [](FakeMemory&, const ObservedJob&) { return hw::JobStatus::kOk; });
        model = service.prepare(reluModel({0, 8})).model;
        REQUIRE_NE(model, nullptr);
    }

    ErrorStatus execute(std::uint32_t rows, Path path = Path::kSync) {
        nn::V1_3::Request request = requestOf(input, output, rows * 8);
        request.inputs[0].dimensions = {rows, 8};
        request.outputs[0].dimensions = {rows, 8};
        return run(service, model, request, path);
    }

    Service service;
    android::sp<nn::V1_3::IPreparedModel> model;
    Pool input{1024};
    Pool output{1024};
};

bool isAsAtStart(const Service& service) {
    const DriverCounters now = service.counters();
    return now.dmaBytes == service.atStart.dmaBytes && now.livePoolMappings == 0 &&
           now.liveContexts == 0 && now.liveRings == 0 && now.livePreparedModels == 0;
}

}  // namespace

TEST_CASE("a model that leaves no memory for the driver never fits [Q-6]") {
    Service service;
    for (const std::uint64_t scratch : {kAll + kPage, kAll, kAll - kPage, kAll - 8 * kPage}) {
        CAPTURE(scratch);
        service.compiler.scratchBytes = scratch;
        CHECK_EQ(service.prepare(reluModel({1, 16})).status, kNever);
        CHECK(isAsAtStart(service));
    }
    service.compiler.scratchBytes = kAll - 32 * kPage;
    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::NONE);
    CHECK(isAsAtStart(service));
}

TEST_CASE("an idle device never refuses a model for now only [Q-6]") {
    Service service;
    ErrorStatus before = kNever;
    for (std::uint64_t scratch = kAll; scratch > kAll - 40 * kPage; scratch -= kPage) {
        CAPTURE(scratch);
        service.compiler.scratchBytes = scratch;
        const ErrorStatus status = service.prepare(reluModel({1, 16})).status;
        CHECK((status == kNever || status == ErrorStatus::NONE));
        CHECK((status == before || before == kNever));
        before = status;
    }
    CHECK_EQ(before, ErrorStatus::NONE);
}

TEST_CASE("a model that does not fit beside another one fits after it [Q-6]") {
    Service service;
    service.compiler.scratchBytes = kMost;
    PrepareOutcome first = service.prepare(reluModel({1, 16}));
    REQUIRE_EQ(first.status, ErrorStatus::NONE);
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(service.prepare(reluModel({1, 16})).status, kNotNow);
    }
    first.model = nullptr;
    CHECK(isAsAtStart(service));
    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::NONE);
    CHECK(isAsAtStart(service));
}

TEST_CASE("an execution that needs more than the whole memory is refused permanently [Q-6]") {
    for (const Path path : kPaths) {
        CAPTURE(static_cast<int>(path));
        OpenModel open;
        open.service.compiler.scratchBytes = kAll;
        CHECK_EQ(open.execute(1, path), kNever);
        open.service.compiler.scratchBytes = kPage;
        CHECK_EQ(open.execute(2, path), ErrorStatus::NONE);
    }
}

TEST_CASE("an execution that does not fit beside another model works after it [Q-6]") {
    for (const Path path : kPaths) {
        CAPTURE(static_cast<int>(path));
        OpenModel open;
        Service& service = open.service;
        REQUIRE_EQ(open.execute(1, path), ErrorStatus::NONE);
        service.compiler.scratchBytes = kMost;
        PrepareOutcome hog = service.prepare(reluModel({1, 16}));
        REQUIRE_EQ(hog.status, ErrorStatus::NONE);
        CHECK_EQ(open.execute(2, path), kNotNow);
        const std::uint64_t before = service.counters().dmaBytes;
        CHECK_EQ(open.execute(2, path), kNotNow);
        CHECK_EQ(service.counters().dmaBytes, before);
        hog.model = nullptr;
        CHECK_EQ(open.execute(2, path), ErrorStatus::NONE);
        open.model = nullptr;
        CHECK(isAsAtStart(service));
    }
}

TEST_CASE("cached shapes are dropped for one that needs the memory [Q-6]") {
    OpenModel open;
    open.service.compiler.scratchBytes = kAll / 5;
    for (std::uint32_t rows = 1; rows <= 3; ++rows) {
        REQUIRE_EQ(open.execute(rows), ErrorStatus::NONE);
    }
    open.service.compiler.scratchBytes = kMost;
    CHECK_EQ(open.execute(4), ErrorStatus::NONE);
    CHECK_EQ(open.execute(5), ErrorStatus::NONE);
    open.service.compiler.scratchBytes = kAll / 5;
    CHECK_EQ(open.execute(1), ErrorStatus::NONE);
}

TEST_CASE("a buffer that leaves no memory for the driver never fits [MD-6]") {
    DomainService domain({0, static_cast<std::uint32_t>(kPage)});
    const auto allocatePages = [&](std::uint64_t pages) {
        return domain.allocateBoth(
                {static_cast<std::uint32_t>(pages), static_cast<std::uint32_t>(kPage)});
    };
    const std::uint64_t before = domain.service.counters().dmaBytes;
    for (const std::uint64_t pages : {kAll / kPage + 1, kAll / kPage, kAll / kPage - 8}) {
        CHECK_EQ(allocatePages(pages).status, kNever);
    }
    Allocated first = allocatePages(kMost / kPage);
    CHECK_EQ(first.status, ErrorStatus::NONE);
    CHECK_EQ(allocatePages(kMost / kPage).status, kNotNow);
    first = {};
    CHECK_EQ(domain.service.counters().dmaBytes, before);
    CHECK_EQ(allocatePages(kMost / kPage).status, ErrorStatus::NONE);
    CHECK_EQ(domain.service.counters().dmaBytes, before);
}

TEST_CASE(
        "an output buffer that can never become that large is refused permanently [MD-5] [MD-6]") {
    OpenModel open;
    const Allocated buffer = allocate(open.service, {open.model}, {}, {role(0)});
    constexpr std::uint32_t kRows = kAll / 8;
    const Pool rows(kAll);
    nn::V1_3::Request request = intoBuffer(rows, buffer.token);
    request.inputs[0] = argument(0, 0, kRows * 8, {kRows, 8});
    request.outputs[0].dimensions = {kRows, 8};
    for (const Path path : kPaths) {
        CHECK_EQ(run(open.service, open.model, request, path), kNever);
    }
    request.inputs[0] = argument(0, 0, 8, {1, 8});
    request.outputs[0].dimensions = {1, 8};
    CHECK_EQ(run(open.service, open.model, request), ErrorStatus::NONE);
}

TEST_CASE("a pool whose page tables exceed the memory is refused permanently [Q-6]") {
    OpenModel open;
    // 4096 tables of 4 KiB: twice the device's memory. The pool itself is never accessed.
    const Pool vast(std::uint64_t{8} << 30);
    nn::V1_3::Request request = requestOf(vast, open.output, 8);
    request.inputs[0].dimensions = {1, 8};
    request.outputs[0].dimensions = {1, 8};
    const std::uint64_t before = open.service.counters().dmaBytes;
    for (const Path path : kPaths) {
        CHECK_EQ(run(open.service, open.model, request, path), kNever);
    }
    CHECK_EQ(open.service.counters().dmaBytes, before);
    CHECK_EQ(open.service.counters().livePoolMappings, 0);
}

TEST_CASE(
        "a pool without memory for page tables for now is mapped later, and leaves no tables "
        "behind [Q-6]") {
    OpenModel open;
    const Pool vast(std::uint64_t{2} << 30);  // 1024 tables: half the device
    nn::V1_3::Request request = requestOf(vast, open.output, 8);
    request.inputs[0].dimensions = {1, 8};
    open.service.compiler.scratchBytes = kMost;
    PrepareOutcome hog = open.service.prepare(reluModel({1, 16}));
    REQUIRE_EQ(hog.status, ErrorStatus::NONE);
    const std::uint64_t before = open.service.counters().dmaBytes;
    CHECK_EQ(run(open.service, open.model, request), kNotNow);
    CHECK_EQ(open.service.counters().dmaBytes, before);
    hog.model = nullptr;
    open.service.compiler.scratchBytes = kPage;
    CHECK_EQ(run(open.service, open.model, request), ErrorStatus::NONE);
}

TEST_CASE(
        "an execution for which there is no thread is refused for now, and leaves nothing [Q-6]") {
    DomainService domain;
    const Allocated buffer = domain.allocateBoth();
    REQUIRE_EQ(buffer.status, ErrorStatus::NONE);
    const nn::V1_3::Request request = intoBuffer(domain.values, buffer.token);
    for (const Path path : {Path::kAsync, Path::kFenced}) {
        CAPTURE(static_cast<int>(path));
        domain.service.port.denyThreads();
        CHECK_EQ(run(domain.service, domain.model, request, path), kNotNow);
        CHECK(domain.service.observer.hasLogged("no thread for the work"));
        domain.service.port.denyThreads(false);
        // The buffer is claimed by no execution, and without contents until the first one.
        if (path == Path::kAsync) {
            CHECK_EQ(run(domain.service, domain.model, fromBuffer(buffer.token, domain.result)),
                     ErrorStatus::GENERAL_FAILURE);
        }
        REQUIRE_EQ(run(domain.service, domain.model, request, path), ErrorStatus::NONE);
        REQUIRE_EQ(run(domain.service, domain.model, fromBuffer(buffer.token, domain.result), path),
                   ErrorStatus::NONE);
        CHECK(isResultRight(domain));
    }
}

TEST_CASE("surplus pools are unmapped although there is no thread to do it later [Q-6]") {
    OpenModel open;
    open.service.port.denyThreads();
    std::deque<Pool> pools;
    for (std::uint64_t i = 0; i < 2 * PoolCache::kCapacity; ++i) {
        nn::V1_3::Request request = requestOf(pools.emplace_back(1024), open.output, 8);
        request.inputs[0].dimensions = {1, 8};
        request.outputs[0].dimensions = {1, 8};
        REQUIRE_EQ(run(open.service, open.model, request), ErrorStatus::NONE);
        CHECK_LE(open.service.counters().livePoolMappings, PoolCache::kCapacity + 1);
    }
}

TEST_SUITE_END();
