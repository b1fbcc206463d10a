// SPDX-License-Identifier: Apache-2.0
// Which requests for buffers of memory domains are granted.
#include <doctest/doctest.h>
#include <vnpu/hal/caller_identity.h>

#include <cmath>
#include <memory>
#include <set>
#include <vector>

#include "tests/driver/support/memory_domain_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using android::sp;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Void;
using nn::V1_3::OperandType;

TEST_SUITE_BEGIN("driver/execution/memory_domain/allocate");

namespace {

/// A prepared model of another driver.
struct ForeignModel : nn::V1_3::IPreparedModel {
    using Timing = nn::V1_2::MeasureTiming;
    using Deadline = nn::V1_3::OptionalTimePoint;
    using Duration = nn::V1_3::OptionalTimeoutDuration;

    Return<nn::V1_0::ErrorStatus> execute(const nn::V1_0::Request&,
                                          const sp<nn::V1_0::IExecutionCallback>&) override {
        return nn::V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    Return<nn::V1_0::ErrorStatus> execute_1_2(const nn::V1_0::Request&, Timing,
                                              const sp<nn::V1_2::IExecutionCallback>&) override {
        return nn::V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    Return<ErrorStatus> execute_1_3(const nn::V1_3::Request&, Timing, const Deadline&,
                                    const Duration&,
                                    const sp<nn::V1_3::IExecutionCallback>&) override {
        return ErrorStatus::GENERAL_FAILURE;
    }
    Return<void> executeSynchronously(const nn::V1_0::Request&, Timing,
                                      executeSynchronously_cb) override {
        return Void();
    }
    Return<void> executeSynchronously_1_3(const nn::V1_3::Request&, Timing, const Deadline&,
                                          const Duration&, executeSynchronously_1_3_cb) override {
        return Void();
    }
    Return<void> executeFenced(const nn::V1_3::Request&, const hidl_vec<hidl_handle>&, Timing,
                               const Deadline&, const Duration&, const Duration&,
                               executeFenced_cb) override {
        return Void();
    }
    Return<void> configureExecutionBurst(
            const sp<nn::V1_2::IBurstCallback>&,
            const android::hardware::MQDescriptorSync<nn::V1_2::FmqRequestDatum>&,
            const android::hardware::MQDescriptorSync<nn::V1_2::FmqResultDatum>&,
            configureExecutionBurst_cb) override {
        return Void();
    }
};

/// Checks a refusal with this reason in the log.
void checkInvalid(Service& service, const Allocated& allocated, const char* reason) {
    CHECK_EQ(allocated.status, ErrorStatus::INVALID_ARGUMENT);
    CHECK_MESSAGE(service.observer.hasLogged(reason), reason);
}

/// A RELU model whose operands are changed before it is prepared.
template <typename F>
sp<nn::V1_3::IPreparedModel> prepareChanged(Service& service, F&& change) {
    nn::V1_3::Model model = reluModel({1, kDomainBytes});
    for (nn::V1_3::Operand& operand : model.main.operands) {
        change(operand);
    }
    const PrepareOutcome prepared = service.prepare(model);
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    return prepared.model;
}

}  // namespace

TEST_CASE("a buffer comes with device memory and a token of its own [MD-1] [MD-2]") {
    DomainService domain;
    const std::uint64_t before = domain.service.counters().dmaBytes;

    Allocated first = domain.allocateBoth();
    const Allocated second = domain.allocateBoth({1, kDomainBytes});

    CHECK_EQ(first.status, ErrorStatus::NONE);
    CHECK_EQ(second.status, ErrorStatus::NONE);
    CHECK_NE(first.token, second.token);
    CHECK_EQ(domain.service.counters().dmaBytes, before + 8192);
    first = {};
    CHECK_EQ(domain.service.counters().dmaBytes, before + 4096);
    CHECK_EQ(domain.service.counters().hostCopiedBytes, 0);
}

TEST_CASE("a buffer without a role is refused [MD-1]") {
    DomainService domain;
    checkInvalid(domain.service, allocate(domain.service, {domain.model}, {}, {}), "no role");
    checkInvalid(domain.service, allocate(domain.service, {}, {}, {}, {1, 2}), "no role");
}

TEST_CASE("prepared models must be this device's own [MD-1]") {
    DomainService domain;
    DomainService other;
    const sp<nn::V1_3::IPreparedModel> foreign = new ForeignModel;

    checkInvalid(domain.service, allocate(domain.service, {nullptr}, {role(0)}, {}), "is null");
    checkInvalid(domain.service, allocate(domain.service, {foreign}, {role(0)}, {}),
                 "prepared model 0 is not of this device");
    checkInvalid(domain.service,
                 allocate(domain.service, {domain.model, other.model}, {role(0)}, {}),
                 "prepared model 1 is not of this device");
}

TEST_CASE("a role names a model and an argument that exist [MD-1]") {
    DomainService domain;
    Service& service = domain.service;
    checkInvalid(service, allocate(service, {domain.model}, {role(0, 1)}, {}),
                 "names model 1 of 1");
    checkInvalid(service, allocate(service, {domain.model}, {}, {role(0, 7)}),
                 "names model 7 of 1");
    checkInvalid(service, allocate(service, {domain.model}, {role(1)}, {}),
                 "input role 0: has index 1");
    checkInvalid(service, allocate(service, {domain.model}, {}, {role(1)}),
                 "output role 0: has index 1");
}

TEST_CASE("a role's frequency lies above 0 and up to 1 [MD-1]") {
    DomainService domain;
    for (const float frequency : {10.0F, 0.0F, -0.5F, std::nanf("")}) {
        CAPTURE(frequency);
        CHECK_EQ(allocate(domain.service, {domain.model}, {role(0, 0, frequency)}, {}).status,
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(allocate(domain.service, {domain.model}, {}, {role(0, 0, frequency)}).status,
                 ErrorStatus::INVALID_ARGUMENT);
    }
    CHECK_EQ(allocate(domain.service, {domain.model}, {role(0, 0, 0.01F)}, {}).status,
             ErrorStatus::NONE);
}

TEST_CASE("a role is given once, under whichever model index [MD-1]") {
    DomainService domain;
    Service& service = domain.service;
    const Models twice{domain.model, domain.model};
    checkInvalid(service, allocate(service, {domain.model}, {role(0), role(0)}, {}),
                 "input role 1: is named twice");
    checkInvalid(service, allocate(service, {domain.model}, {}, {role(0), role(0)}),
                 "output role 1: is named twice");
    checkInvalid(service, allocate(service, twice, {role(0, 0), role(0, 1)}, {}), "named twice");
    checkInvalid(service, allocate(service, twice, {}, {role(0, 0), role(0, 1)}), "named twice");
    CHECK_EQ(allocate(service, twice, {role(0, 0)}, {role(0, 1)}).status, ErrorStatus::NONE);
}

TEST_CASE("all roles have one type, scale and zero point [MD-1]") {
    DomainService domain;
    Service& service = domain.service;
    const auto otherType = prepareChanged(service, [](nn::V1_3::Operand& operand) {
        operand.type = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    });
    const auto otherScale =
            prepareChanged(service, [](nn::V1_3::Operand& operand) { operand.scale = 0.25F; });
    const auto otherZero =
            prepareChanged(service, [](nn::V1_3::Operand& operand) { operand.zeroPoint = 1; });
    const auto same = prepareChanged(service, [](nn::V1_3::Operand&) {});

    for (const auto& conflicting : {otherType, otherScale, otherZero}) {
        const Models models{domain.model, conflicting};
        CHECK_EQ(allocate(service, models, {role(0, 0), role(0, 1)}, {}).status,
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(allocate(service, models, {}, {role(0, 0), role(0, 1)}).status,
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(allocate(service, models, {role(0, 0)}, {role(0, 1)}).status,
                 ErrorStatus::INVALID_ARGUMENT);
    }
    CHECK_EQ(allocate(service, {domain.model, same}, {role(0, 0)}, {role(0, 1)}).status,
             ErrorStatus::NONE);
}

TEST_CASE("shapes of roles and description do not contradict each other [MD-5]") {
    DomainService domain;
    Service& service = domain.service;
    const auto withShape = [&](const std::vector<std::uint32_t>& dimensions) {
        return prepareChanged(service,
                              [&](nn::V1_3::Operand& operand) { operand.dimensions = dimensions; });
    };
    for (const auto& shape :
         std::vector<std::vector<std::uint32_t>>{{1, 1, kDomainBytes}, {2, kDomainBytes}}) {
        const Models models{domain.model, withShape(shape)};
        CHECK_EQ(allocate(service, models, {role(0, 0), role(0, 1)}, {}).status,
                 ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(allocate(service, models, {role(0, 0)}, {role(0, 1)}).status,
                 ErrorStatus::INVALID_ARGUMENT);
        checkInvalid(service, allocate(service, {domain.model}, {role(0)}, {}, shape),
                     "description: ");
        CHECK_EQ(allocate(service, {domain.model}, {}, {role(0)}, shape).status,
                 ErrorStatus::INVALID_ARGUMENT);
    }
    const Models open{domain.model, withShape({0, kDomainBytes})};
    CHECK_EQ(allocate(service, open, {role(0, 0)}, {role(0, 1)}, {1, 0}).status, ErrorStatus::NONE);
    CHECK_EQ(allocate(service, open, {role(0, 1)}, {}, {1, kDomainBytes + 1}).status,
             ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("a scalar has no dimensions in the description either [MD-5]") {
    Service service;
    nn::V1_3::Model model = reluModel({1, kDomainBytes});
    nn::V1_3::Operand scalar;
    scalar.type = OperandType::INT32;
    scalar.lifetime = nn::V1_3::OperandLifeTime::SUBGRAPH_INPUT;
    model.main.operands = {model.main.operands[0], model.main.operands[1], scalar};
    model.main.inputIndexes = {0, 2};
    const PrepareOutcome prepared = service.prepare(model);
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);

    checkInvalid(service, allocate(service, {prepared.model}, {role(1)}, {}, {1}),
                 "the roles are scalars");
    CHECK_EQ(allocate(service, {prepared.model}, {role(1)}, {}).status, ErrorStatus::NONE);
}

TEST_CASE("no caller gets a buffer for another caller's model [MD-3]") {
    DomainService domain;
    sp<nn::V1_3::IPreparedModel> theirs;
    {
        const CallerUid uid(10777);
        theirs = domain.service.prepare(reluModel({1, kDomainBytes})).model;
        REQUIRE_NE(theirs, nullptr);
        checkInvalid(domain.service, domain.allocateBoth(), "is not the caller's");
        CHECK_EQ(allocate(domain.service, {theirs}, {role(0)}, {}).status, ErrorStatus::NONE);
    }
    CHECK_EQ(allocate(domain.service, {domain.model, theirs}, {role(0, 0)}, {role(0, 1)}).status,
             ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("a buffer that does not fit is refused and can be retried later [MD-6]") {
    DomainService domain({0, 1U << 20});
    Service& service = domain.service;
    CHECK_EQ(domain.allocateBoth({4096, 1U << 20}).status,
             ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);  // 4 GiB
    CHECK_EQ(domain.allocateBoth({64, 1U << 20}).status,
             ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);  // of 8 MiB
    domain.allocateBoth({5, 1U << 20});                    // its page tables stay
    const std::uint64_t before = service.counters().dmaBytes;
    Allocated first = domain.allocateBoth({5, 1U << 20});
    CHECK_EQ(first.status, ErrorStatus::NONE);
    CHECK_EQ(domain.allocateBoth({5, 1U << 20}).status, ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
    first = {};
    CHECK_EQ(service.counters().dmaBytes, before);
    CHECK_EQ(domain.allocateBoth({5, 1U << 20}).status, ErrorStatus::NONE);
}

TEST_CASE("a token is never reused [MD-3]") {
    DomainService domain;
    std::set<std::uint32_t> tokens;
    for (int i = 0; i < 50; ++i) {
        CHECK(tokens.insert(domain.allocateBoth().token).second);
    }
    CHECK_EQ(domain.service.counters().dmaBytes,
             DomainService().service.counters().dmaBytes);  // all of it was released
}

TEST_CASE("a buffer keeps its caller's context when the last model is gone [MD-1]") {
    DomainService domain;
    Allocated allocated = domain.allocateBoth();
    domain.model = nullptr;
    CHECK_EQ(domain.service.counters().livePreparedModels, 0);
    CHECK_EQ(domain.service.counters().liveContexts, 1);
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    allocated = {};
    CHECK_EQ(domain.service.counters().liveContexts, 0);
    CHECK_EQ(domain.service.counters().dmaBytes, domain.service.atStart.dmaBytes);
}

TEST_CASE("a buffer may outlive the rest of the service [MD-1]") {
    DomainService domain;
    checkBufferIsLast(domain);
}

TEST_SUITE_END();
