// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/user_share.h"

#include <doctest/doctest.h>

#include <utility>

#include "tests/driver/support/memory_domain_support.h"
#include "vnpu/hal/caller_identity.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/memory/user_share");

namespace {

constexpr std::uint32_t kShareBytes = 64;

/// Makes calls come from the user with this number while it exists.
class AsUser {
  public:
    explicit AsUser(std::uint32_t uid) {
        vnpu::hal::setCallerUidProvider([uid] { return uid; });
    }
    ~AsUser() { vnpu::hal::setCallerUidProvider({}); }
    AsUser(const AsUser&) = delete;
    AsUser& operator=(const AsUser&) = delete;
};

DriverOptions withLimits(const UserLimits& limits) {
    DriverOptions options;
    options.userLimits = limits;
    return options;
}

/// A fenced execution that waits only for the device.
ErrorStatus launch(const android::sp<nn::V1_3::IPreparedModel>& model,
                   const nn::V1_3::Request& request) {
    ErrorStatus launched = ErrorStatus::GENERAL_FAILURE;
    const auto returned = model->executeFenced(
            request, {}, nn::V1_2::MeasureTiming::NO, {}, {}, {},
            [&](ErrorStatus status, const auto&, const auto&) { launched = status; });
    CHECK(returned.isOk());
    return launched;
}

}  // namespace

TEST_CASE("claims never exceed the limit, and are returned [E-5]") {
    UserShare share(10101, {.memoryBytes = 100});
    auto first = share.claimMemory(60);
    REQUIRE(first.has_value());
    CHECK_EQ(share.claimMemory(41).error().status, kNotNow);
    CHECK_EQ(share.claimMemory(41).error().reason,
             "uid 10101 has 60 bytes of device memory and asks for 41, expected at most 100 in "
             "all");
    CHECK_EQ(share.claimMemory(101).error().status, kNever);
    auto second = share.claimMemory(40);
    REQUIRE(second.has_value());
    *first = std::move(*second);  // which releases the object that `first` held
    second = UserClaim();
    CHECK(share.claimMemory(60).has_value());
}

TEST_CASE("one user's memory is limited, others have theirs [E-5]") {
    Service service(withLimits({.memoryBytes = 16 * kPage}));
    service.compiler.scratchBytes = 10 * kPage;
    const AsUser first(10101);
    PrepareOutcome held = service.prepare(reluModel({1, 16}));
    REQUIRE_EQ(held.status, ErrorStatus::NONE);
    CHECK_EQ(service.prepare(reluModel({1, 16})).status, kNotNow);
    CHECK(service.observer.hasLogged("uid 10101 has"));
    {
        const AsUser second(10102);
        CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::NONE);
    }
    const AsUser again(10101);
    held.model = nullptr;
    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::NONE);
    service.compiler.scratchBytes = 17 * kPage;
    CHECK_EQ(service.prepare(reluModel({1, 16})).status, kNever);
}

TEST_CASE("buffers of memory domains count as their user's memory [MD-6]") {
    Service service(withLimits({.memoryBytes = 64 * kPage}));
    const auto model = service.prepare(reluModel({0, static_cast<std::uint32_t>(kPage)})).model;
    REQUIRE_NE(model, nullptr);
    const auto allocatePages = [&](std::uint32_t pages) {
        return allocate(service, {model}, {role(0)}, {role(0)},
                        {pages, static_cast<std::uint32_t>(kPage)});
    };
    CHECK_EQ(allocatePages(65).status, kNever);
    Allocated first = allocatePages(40);
    CHECK_EQ(first.status, ErrorStatus::NONE);
    CHECK_EQ(allocatePages(40).status, kNotNow);
    first = {};
    CHECK_EQ(allocatePages(40).status, ErrorStatus::NONE);
}

TEST_CASE("executions beyond a user's limit are refused until others are over [E-5]") {
    Service service(withLimits({.executions = 2}));
    const PrepareOutcome prepared = service.prepare(reluModel({1, kShareBytes}));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    const Pool input(kShareBytes);
    const Pool output(kShareBytes);
    const nn::V1_3::Request request = requestOf(input, output, kShareBytes);
    PrepareOutcome others;
    {
        const AsUser other(10102);
        others = service.prepare(reluModel({1, kShareBytes}));
        CHECK_EQ(executeSync(others.model, request).status, ErrorStatus::NONE);
    }
    service.port.pause();  // no job ends, and time stands still
    CHECK_EQ(launch(prepared.model, request), ErrorStatus::NONE);
    CHECK_EQ(launch(prepared.model, request), ErrorStatus::NONE);
    CHECK_EQ(launch(prepared.model, request), kNotNow);
    CHECK_EQ(executeSync(prepared.model, request).status, kNotNow);
    CHECK(service.observer.hasLogged("has 2 unfinished executions and asks for 1"));
    {
        const AsUser other(10102);
        CHECK_EQ(launch(others.model, request), ErrorStatus::NONE);
    }
    service.port.resume();
    service.port.joinPosted();
    for (const Path path : kPaths) {
        CHECK_EQ(run(service, prepared.model, request, path), ErrorStatus::NONE);
    }
}

TEST_SUITE_END();
