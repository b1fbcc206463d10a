// SPDX-License-Identifier: Apache-2.0
// Requests without an input or output, for every method that executes them.
#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <doctest/doctest.h>

#include <vector>

#include "tests/driver/support/memory_domain_support.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using android::sp;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Void;
using nn::V1_2::MeasureTiming;

TEST_SUITE_BEGIN("driver/hal/request_refusal");

namespace {

constexpr std::uint32_t kOperandBytes = 16;

/// The results that a callback of an execution receives.
struct Told {
    int notifications = 0;
    nn::V1_0::ErrorStatus status = nn::V1_0::ErrorStatus::NONE;
    std::size_t shapes = 0;
    nn::V1_2::Timing timing{UINT64_MAX, UINT64_MAX};

    bool isRefusal() const {
        return notifications == 1 && status == nn::V1_0::ErrorStatus::INVALID_ARGUMENT &&
               shapes == 0 && timing.timeOnDevice == UINT64_MAX &&
               timing.timeInDriver == UINT64_MAX;
    }
};

struct Callback10 : nn::V1_0::IExecutionCallback {
    Return<void> notify(nn::V1_0::ErrorStatus status) override {
        told = {told.notifications + 1, status, 0, {UINT64_MAX, UINT64_MAX}};
        return Void();
    }
    Told told;
};

struct Callback12 : nn::V1_2::IExecutionCallback {
    Return<void> notify(nn::V1_0::ErrorStatus) override {
        FAIL("1.2 executions answer in words of 1.2");
        return Void();
    }
    Return<void> notify_1_2(nn::V1_0::ErrorStatus status,
                            const hidl_vec<nn::V1_2::OutputShape>& shapes,
                            const nn::V1_2::Timing& timing) override {
        told = {told.notifications + 1, status, shapes.size(), timing};
        return Void();
    }
    Told told;
};

/// Two inputs and two outputs in memory; one of them is omitted.
struct Mutants {
    Mutants() : model(service.prepare(twoReluModel({1, kOperandBytes})).model) {
        REQUIRE_NE(model, nullptr);
        const auto whole = argument(0, 0, kOperandBytes);
        nn::V1_0::Request request{.inputs = {whole, whole}, .outputs = {whole, whole}, .pools = {}};
        request.pools = {memory.memory};
        good = request;
        request.inputs = {whole};
        requests.push_back(request);
        request.inputs = {whole, whole};
        request.outputs = {whole};
        requests.push_back(request);
        request.outputs = {whole, whole, whole};
        requests.push_back(request);
    }
    ~Mutants() { CHECK(service.port.jobs().empty()); }

    /// The request as types of 1.3.
    nn::V1_3::Request later(const nn::V1_0::Request& request) const {
        nn::V1_3::Request result;
        result.inputs = request.inputs;
        result.outputs = request.outputs;
        result.pools = {memoryPool(memory)};
        return result;
    }

    Service service;
    sp<nn::V1_3::IPreparedModel> model;
    Pool memory{kOperandBytes};
    nn::V1_0::Request good;
    std::vector<nn::V1_0::Request> requests;
};

constexpr auto kInvalid = nn::V1_0::ErrorStatus::INVALID_ARGUMENT;

}  // namespace

TEST_CASE("execute refuses by its result and its callback [MP-3]") {
    const Mutants mutants;
    for (const auto& request : mutants.requests) {
        const sp<Callback10> callback = new Callback10;
        CHECK_EQ(mutants.model->execute(request, callback), kInvalid);
        CHECK(callback->told.isRefusal());
    }
    CHECK_EQ(mutants.model->execute(mutants.good, nullptr), kInvalid);
}

TEST_CASE("execute_1_2 refuses by its result and its callback, without shapes or times [MP-3]") {
    const Mutants mutants;
    for (const auto& request : mutants.requests) {
        for (const auto measure : {MeasureTiming::NO, MeasureTiming::YES}) {
            const sp<Callback12> callback = new Callback12;
            CHECK_EQ(mutants.model->execute_1_2(request, measure, callback), kInvalid);
            CHECK(callback->told.isRefusal());
        }
    }
    CHECK_EQ(mutants.model->execute_1_2(mutants.good, MeasureTiming::NO, nullptr), kInvalid);
}

TEST_CASE("executeSynchronously refuses, without shapes or times [MP-3]") {
    const Mutants mutants;
    for (const auto& request : mutants.requests) {
        Told told;
        const auto returned = mutants.model->executeSynchronously(
                request, MeasureTiming::YES,
                [&](nn::V1_0::ErrorStatus status, const hidl_vec<nn::V1_2::OutputShape>& shapes,
                    const nn::V1_2::Timing& timing) {
                    told = {told.notifications + 1, status, shapes.size(), timing};
                });
        CHECK(returned.isOk());
        CHECK(told.isRefusal());
    }
}

TEST_CASE("the methods of 1.3 refuse, without shapes, times, fence or info [MP-3]") {
    Mutants mutants;
    for (const auto& request : mutants.requests) {
        for (const Path path : kPaths) {
            CHECK_EQ(run(mutants.service, mutants.model, mutants.later(request), path),
                     ErrorStatus::INVALID_ARGUMENT);
        }
        CHECK_EQ(executeAsync(mutants.service, mutants.model, mutants.later(request),
                              MeasureTiming::YES)
                         .launch,
                 ErrorStatus::INVALID_ARGUMENT);
    }
}

TEST_SUITE_END();
