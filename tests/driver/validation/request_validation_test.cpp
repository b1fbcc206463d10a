// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/request_validation.h"

#include <doctest/doctest.h>

#include "tests/driver/validation/valid_models.h"

using namespace vnpu::driver::test;
using android::hardware::hidl_memory;
using nn::V1_0::RequestArgument;
using nn::V1_3::Request;
using vnpu::driver::ErrorStatus;
using vnpu::driver::validateRequest;

TEST_SUITE_BEGIN("driver/validation/request_validation");

namespace {

constexpr std::uint32_t kBytes = 24;  // 2x3 float32
constexpr std::uint32_t kPoolBytes = 100;

RequestArgument argument(std::uint32_t pool, std::uint32_t offset, std::uint32_t length) {
    return {.hasNoValue = false,
            .location = {.poolIndex = pool, .offset = offset, .length = length},
            .dimensions = {}};
}

/// A request for additionModel().
Request additionRequest() {
    Request request;
    request.inputs = {argument(0, 0, kBytes), argument(0, kBytes, kBytes)};
    request.outputs = {argument(1, 0, kBytes)};
    request.pools.resize(2);
    request.pools[0].hidlMemory(hidl_memory("ashmem", nullptr, kPoolBytes));
    request.pools[1].hidlMemory(hidl_memory("mmap_fd", nullptr, kPoolBytes));
    return request;
}

void checkInvalid(const Request& request, const std::string& reason,
                  const Model& model = additionModel()) {
    const auto result = validateRequest(request, model);
    REQUIRE_FALSE(result.has_value());
    CHECK_EQ(result.error().status, ErrorStatus::INVALID_ARGUMENT);
    INFO("expected: ", reason, ", got: ", result.error().reason);
    CHECK_NE(result.error().reason.find(reason), std::string::npos);
}

void checkValid(const Request& request, const Model& model = additionModel()) {
    const auto result = validateRequest(request, model);
    const std::string reason = result.has_value() ? "" : result.error().reason;
    INFO(reason);
    CHECK(result.has_value());
}

/// additionModel() with an open first dimension of the first input and output.
Model openModel() {
    Model model = additionModel();
    model.main.operands[kAddLeft].dimensions = {0, 3};
    model.main.operands[kAddOutput].dimensions = {0, 3};
    return model;
}

}  // namespace

TEST_CASE("the request that all cases start from is valid [MP-3]") {
    checkValid(additionRequest());
}

TEST_CASE("there are as many inputs and outputs as in the model [MP-3]") {
    Request request = additionRequest();
    request.inputs = {request.inputs[0]};
    checkInvalid(request, "request has 1 inputs, the model 2");
    request = additionRequest();
    request.outputs = {};
    checkInvalid(request, "request has 0 outputs, the model 1");
    request = additionRequest();
    request.outputs = {request.outputs[0], request.outputs[0]};
    checkInvalid(request, "request has 2 outputs, the model 1");
}

TEST_CASE("an argument names a pool that exists [MP-3]") {
    Request request = additionRequest();
    request.inputs[1].location.poolIndex = 2;
    checkInvalid(request, "input 1: lies in pool 2 of 2");
    request.pools = {};
    checkInvalid(request, "pool 0 of 0");
}

TEST_CASE("an argument lies within its pool [MP-3]") {
    Request request = additionRequest();
    request.outputs[0].location.offset = kPoolBytes - kBytes + 1;
    checkInvalid(request, "output 0: lies at 77 to 101 of pool 1 with 100 bytes");
    request.outputs[0].location.offset = kPoolBytes - kBytes;
    checkValid(request);
}

TEST_CASE("an offset that overflows with the length is not within the pool [MP-3]") {
    Request request = additionRequest();
    request.outputs[0].location.offset = 0xFFFFFFF0;
    checkInvalid(request, "of pool 1");
}

TEST_CASE("an argument has at least one byte [MP-3]") {
    Request request = additionRequest();
    request.outputs[0].location.length = 0;
    checkInvalid(request, "length 0");
}

TEST_CASE("an input has exactly the bytes of its operand [MP-3]") {
    Request request = additionRequest();
    request.inputs[0].location.length = kBytes - 1;
    checkInvalid(request, "input 0: has 23 bytes, expected 24");
    request.inputs[0].location.length = kBytes + 1;
    checkInvalid(request, "input 0: has 25 bytes, expected 24");
}

TEST_CASE("an output may have more or fewer bytes; the execution decides [MP-3]") {
    Request request = additionRequest();
    request.outputs[0].location.length = 1;
    checkValid(request);
    request.outputs[0].location.length = kBytes + 8;
    checkValid(request);
}

TEST_CASE("dimensions agree with the model's [MP-3]") {
    Request request = additionRequest();
    request.inputs[0].dimensions = {2, 3};
    checkValid(request);
    request.inputs[0].dimensions = {3, 2};
    checkInvalid(request, "dimension 0 is 3, elsewhere 2");
    request.inputs[0].dimensions = {2, 3, 1};
    checkInvalid(request, "rank is 3, elsewhere 2");
    request.inputs[0].dimensions = {2, 0};  // 0: as in the model
    checkValid(request);
}

TEST_CASE("the request fills in what the model leaves open [MP-3]") {
    Request request = additionRequest();
    checkInvalid(request, "not fully known", openModel());
    request.inputs[0].dimensions = {2, 3};
    checkValid(request, openModel());
    request.inputs[0].dimensions = {0, 3};
    checkInvalid(request, "not fully known", openModel());
    request.inputs[0].dimensions = {3, 3};
    checkInvalid(request, "has 24 bytes, expected 36", openModel());
}

TEST_CASE("an output's shape may stay open [MP-3]") {
    Request request = additionRequest();
    request.inputs[0].dimensions = {2, 3};
    request.outputs[0].dimensions = {0, 3};
    checkValid(request, openModel());
    request.outputs[0].dimensions = {0, 4};
    checkInvalid(request, "output 0: dimension 1 is 4", openModel());
}

TEST_CASE("the request gives the rank where the model does not [MP-3]") {
    Model model = additionModel();
    model.main.operands[kAddLeft].dimensions = {};
    Request request = additionRequest();
    checkInvalid(request, "not fully known", model);
    request.inputs[0].dimensions = {1, 2, 3};
    checkValid(request, model);
}

TEST_CASE("dimensions whose product overflows are refused [MP-3]") {
    Request request = additionRequest();
    request.inputs[0].dimensions = {0x80000000, 3};
    checkInvalid(request, "4 GiB", openModel());
}

TEST_CASE("an argument without value has no location and no dimensions [MP-3]") {
    Request request = additionRequest();
    request.inputs[0] = {.hasNoValue = true, .location = {}, .dimensions = {}};
    checkValid(request);
    for (auto* field : {&request.inputs[0].location.poolIndex, &request.inputs[0].location.offset,
                        &request.inputs[0].location.length}) {
        *field = 1;
        checkInvalid(request, "has no value, but a location");
        *field = 0;
    }
    request.inputs[0].dimensions = {2};
    checkInvalid(request, "has no value, but");
}

TEST_CASE("pools are of a kind that exists [MP-4]") {
    Request request = additionRequest();
    request.pools[0].hidlMemory(hidl_memory("hardware_buffer_blob", nullptr, kPoolBytes));
    checkValid(request);
    request.pools[0].hidlMemory(hidl_memory("", nullptr, kPoolBytes));
    checkInvalid(request, "pool 0 is a \"\"");
}

TEST_CASE("an argument in a hardware buffer that is no BLOB is all of it [MP-4]") {
    Request request = additionRequest();
    request.pools[0].hidlMemory(hidl_memory("hardware_buffer", nullptr, 0));
    request.inputs = {argument(0, 0, 0), argument(0, 0, 0)};
    checkValid(request);
    request.inputs[1] = argument(0, 0, kBytes);
    checkInvalid(request, "input 1: has 24 bytes at 0 of a hardware buffer");
    request.inputs[1] = argument(0, 4, 0);
    checkInvalid(request, "input 1: has 0 bytes at 4 of a hardware buffer");
    request.inputs[1] = argument(0, 0, 0);
    request.outputs[0] = argument(0, 0, 1);
    checkInvalid(request, "output 0: has 1 bytes at 0 of a hardware buffer");
    request.outputs[0] = argument(0, 0, 0);
    checkValid(request);
    checkInvalid(request, "input 0: shape of an input is not fully known", openModel());
}

TEST_CASE("an argument in a memory domain has neither offset nor length [MD-3]") {
    Request request = additionRequest();
    request.pools[0].token(1);
    request.inputs = {argument(0, 0, 0), argument(0, 0, 0)};
    checkValid(request);
    checkValid(request, openModel());  // the buffer has the shape of its contents
    request.inputs[1] = argument(0, 0, kBytes);
    checkInvalid(request, "input 1: has 24 bytes at 0 of a memory domain");
    request.inputs[1] = argument(0, 4, 0);
    checkInvalid(request, "input 1: has 0 bytes at 4 of a memory domain");
    request = additionRequest();
    request.pools[1].token(1);
    request.outputs[0] = argument(1, 0, 1);
    checkInvalid(request, "output 0: has 1 bytes at 0 of a memory domain");
    request.outputs[0] = argument(1, 0, 0);
    request.outputs[0].dimensions = {2, 3, 1};
    checkInvalid(request, "output 0: rank is 3");
}

TEST_CASE("scalars have no dimensions in a request either [MP-3]") {
    ValidModelBuilder builder;
    const auto left = builder.input(OperandType::TENSOR_FLOAT32, {2, 3});
    const auto activation = builder.input(OperandType::INT32, {});
    const auto output = builder.output(OperandType::TENSOR_FLOAT32, {2, 3});
    builder.operation(OperationType::ADD, {left, left, activation}, {output});
    Request request = additionRequest();
    request.inputs[1].location.length = 4;
    checkValid(request, builder.build());
    request.inputs[1].dimensions = {1};
    checkInvalid(request, "is a scalar", builder.build());
}

TEST_CASE("a loop timeout is up to fifteen seconds, or left out [Q-7]") {
    nn::V1_3::OptionalTimeoutDuration duration;
    CHECK(vnpu::driver::checkLoopTimeout(duration).has_value());
    for (const std::uint64_t allowed : {0ULL, 1'000'000ULL, 15'000'000'000ULL}) {
        duration.nanoseconds(allowed);
        CHECK(vnpu::driver::checkLoopTimeout(duration).has_value());
    }
    duration.nanoseconds(15'000'000'001);
    const auto refused = vnpu::driver::checkLoopTimeout(duration);
    REQUIRE_FALSE(refused.has_value());
    CHECK_EQ(refused.error().reason, "loop timeout is 15000000001 ns, expected up to 15000000000");
}

TEST_SUITE_END();
