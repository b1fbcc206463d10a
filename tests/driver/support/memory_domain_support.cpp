// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/memory_domain_support.h"

#include <android/sync.h>
#include <doctest/doctest.h>

#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {

using android::sp;
using android::hardware::hidl_handle;

nn::V1_3::BufferRole role(std::uint32_t io, std::uint32_t model, float frequency) {
    return {.modelIndex = model, .ioIndex = io, .frequency = frequency};
}

Allocated allocate(Service& service, const Models& models, const Roles& inputs,
                   const Roles& outputs, const std::vector<std::uint32_t>& dimensions) {
    Allocated allocated;
    int calls = 0;
    const auto returned = service.device->allocate(
            {.dimensions = dimensions}, models, inputs, outputs,
            [&](ErrorStatus status, const sp<nn::V1_3::IBuffer>& buffer, std::uint32_t token) {
                ++calls;
                allocated = {status, buffer, token};
            });
    CHECK(returned.isOk());
    CHECK_EQ(calls, 1);
    CHECK_EQ(allocated.buffer != nullptr, allocated.status == ErrorStatus::NONE);
    CHECK_EQ(allocated.token != 0, allocated.status == ErrorStatus::NONE);
    return allocated;
}

nn::V1_3::Model twoReluModel(const std::vector<std::uint32_t>& dimensions) {
    ModelBuilder builder;
    const TensorSpec spec{kByte, dimensions, 0.5F};
    for (int i = 0; i < 2; ++i) {
        builder.input(spec);
    }
    for (const std::uint32_t input : {0U, 1U}) {
        builder.operation(OperationType::RELU, {input}, builder.output(spec));
    }
    return builder.build();
}

nn::V1_3::Request::MemoryPool tokenPool(std::uint32_t token) {
    nn::V1_3::Request::MemoryPool pool;
    pool.token(token);
    return pool;
}

nn::V1_3::Request::MemoryPool memoryPool(const Pool& pool) {
    nn::V1_3::Request::MemoryPool memory;
    memory.hidlMemory(pool.memory);
    return memory;
}

nn::V1_0::RequestArgument whole(std::uint32_t pool, const std::vector<std::uint32_t>& dimensions) {
    return argument(pool, 0, 0, dimensions);
}

nn::V1_3::Request requestWith(const nn::V1_0::RequestArgument& input,
                              const nn::V1_3::Request::MemoryPool& inputPool,
                              const nn::V1_0::RequestArgument& output,
                              const nn::V1_3::Request::MemoryPool& outputPool) {
    nn::V1_3::Request request;
    request.inputs = {input};
    request.outputs = {output};
    request.pools = {inputPool, outputPool};
    return request;
}

nn::V1_3::Request fromBuffer(std::uint32_t token, const Pool& output) {
    const auto length = static_cast<std::uint32_t>(output.view->size());
    return requestWith(whole(0), tokenPool(token), argument(1, 0, length), memoryPool(output));
}

nn::V1_3::Request intoBuffer(const Pool& input, std::uint32_t token) {
    const auto length = static_cast<std::uint32_t>(input.view->size());
    return requestWith(argument(0, 0, length), memoryPool(input), whole(1), tokenPool(token));
}

namespace {

ErrorStatus checkedStatus(const Outcome& outcome) {
    if (outcome.status != ErrorStatus::NONE) {
        CHECK(outcome.shapes.empty());
    }
    CHECK_EQ(outcome.timing.timeOnDevice, UINT64_MAX);
    CHECK_EQ(outcome.timing.timeInDriver, UINT64_MAX);
    return outcome.status;
}

ErrorStatus runFenced(Service& service, const sp<nn::V1_3::IPreparedModel>& model,
                      const nn::V1_3::Request& request) {
    ErrorStatus told = ErrorStatus::NONE;
    hidl_handle fence;
    sp<nn::V1_3::IFencedExecutionCallback> callback;
    const auto returned =
            model->executeFenced(request, {}, nn::V1_2::MeasureTiming::NO, {}, {}, {},
                                 [&](ErrorStatus status, const hidl_handle& handle,
                                     const sp<nn::V1_3::IFencedExecutionCallback>& info) {
                                     told = status;
                                     fence = handle;
                                     callback = info;
                                 });
    CHECK(returned.isOk());
    service.port.joinPosted();
    CHECK_EQ(callback != nullptr, told == ErrorStatus::NONE);
    if (callback == nullptr) {
        CHECK_EQ(fence.getNativeHandle(), nullptr);
        return told;
    }
    CHECK(callback->getExecutionInfo([&](ErrorStatus status, const nn::V1_2::Timing&,
                                         const nn::V1_2::Timing&) { told = status; })
                  .isOk());
    return told;
}

}  // namespace

ErrorStatus run(Service& service, const sp<nn::V1_3::IPreparedModel>& model,
                const nn::V1_3::Request& request, Path path) {
    switch (path) {
        case Path::kSync:
            return checkedStatus(executeSync(model, request));
        case Path::kAsync:
            return checkedStatus(executeAsync(service, model, request));
        case Path::kFenced:
            return runFenced(service, model, request);
    }
    return ErrorStatus::GENERAL_FAILURE;
}

DomainService::DomainService(const std::vector<std::uint32_t>& dimensions,
                             std::uint32_t residentKib)
    : service({}, residentKib), values(kDomainBytes), result(kDomainBytes) {
    const PrepareOutcome prepared = service.prepare(reluModel(dimensions));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    model = prepared.model;
    for (std::uint32_t i = 0; i < kDomainBytes; ++i) {
        values.bytes()[i] = static_cast<std::uint8_t>(3 * i + 1);
    }
}

void checkBufferIsLast(DomainService& domain) {
    Allocated allocated = domain.allocateBoth();
    domain.model = nullptr;
    domain.service.device = nullptr;
    CHECK_EQ(allocated.buffer->copyFrom(domain.values.memory, {}), ErrorStatus::NONE);
    CHECK_EQ(allocated.buffer->copyTo(domain.result.memory), ErrorStatus::NONE);
    CHECK_EQ(domain.result.bytes()[1], domain.values.bytes()[1]);
    allocated = {};
    CHECK_EQ(domain.service.port.withMemory(
                     [](FakeMemory& memory) { return memory.allocatedBytes(); }),
             0);
}

bool isResultRight(const DomainService& domain) {
    return std::equal(domain.values.bytes(), domain.values.bytes() + kDomainBytes,
                      domain.result.bytes());
}

nn::V1_3::Request rowsInto(const Pool& rows, std::uint32_t count, std::uint32_t token) {
    return requestWith(argument(0, 0, count * kDomainBytes, {count, kDomainBytes}),
                       memoryPool(rows), whole(1), tokenPool(token));
}

}  // namespace vnpu::driver::test
