// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "sim/ndk/cpu/cpu_device.h"
#include "sim/ndk/model/model.h"
#include "tests/sim/ndk/test_call.h"

namespace vnpu::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

using namespace sim::ndk;  // NOLINT(google-build-using-namespace)

const std::uint32_t kOne = 1;
const ANeuralNetworksOperandType kFloat{ANEURALNETWORKS_TENSOR_FLOAT32, 1, &kOne, 0, 0};
const ANeuralNetworksOperandType kTruth{ANEURALNETWORKS_TENSOR_BOOL8, 1, &kOne, 0, 0};
const ANeuralNetworksOperandType kScalar{ANEURALNETWORKS_INT32, 0, nullptr, 0, 0};
const ANeuralNetworksOperandType kInner{ANEURALNETWORKS_MODEL, 0, nullptr, 0, 0};

/// out = in + value
Model addModel(float value) {
    Model model;
    for (int i = 0; i < 3; ++i) {
        REQUIRE(model.addOperand(kFloat));
    }
    REQUIRE(model.addOperand(kScalar));
    const std::int32_t none = 0;
    REQUIRE(model.setValue(1, &value, sizeof(value)));
    REQUIRE(model.setValue(3, &none, sizeof(none)));
    REQUIRE(model.addOperation(ANEURALNETWORKS_ADD, Numbers{0, 1, 3}, Numbers{2}));
    REQUIRE(model.identify(Numbers{0}, Numbers{2}));
    REQUIRE(model.finish());
    return model;
}

/// out = in < value
Model lessModel(float value) {
    Model model;
    REQUIRE(model.addOperand(kFloat));
    REQUIRE(model.addOperand(kFloat));
    REQUIRE(model.addOperand(kTruth));
    REQUIRE(model.setValue(1, &value, sizeof(value)));
    REQUIRE(model.addOperation(ANEURALNETWORKS_LESS, Numbers{0, 1}, Numbers{2}));
    REQUIRE(model.identify(Numbers{0}, Numbers{2}));
    REQUIRE(model.finish());
    return model;
}

/// out = in, and 1 more again and again while it is below the limit
Model countModel(float limit) {
    const Model condition = lessModel(limit);
    const Model body = addModel(1);
    Model model;
    REQUIRE(model.addOperand(kInner));
    REQUIRE(model.addOperand(kInner));
    REQUIRE(model.addOperand(kFloat));
    REQUIRE(model.addOperand(kFloat));
    REQUIRE(model.setValueFromModel(0, condition));
    REQUIRE(model.setValueFromModel(1, body));
    REQUIRE(model.addOperation(ANEURALNETWORKS_WHILE, Numbers{0, 1, 2}, Numbers{3}));
    REQUIRE(model.identify(Numbers{2}, Numbers{3}));
    REQUIRE(model.finish());
    return model;
}

CallOutcome computeOnCpu(const Model& model, const Call& call) {
    CpuDevice device;
    auto prepared = device.prepare(model.finished(), {});
    REQUIRE(prepared);
    return (*prepared)->compute(call);
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/cpu");

TEST_CASE("a loop runs until its condition is false") {
    for (const float start : {0.5F, 12.0F}) {
        std::vector<float> input{start};
        std::vector<float> output(1);
        Call call = callWith({at(input)}, {at(output)});
        CHECK(computeOnCpu(countModel(10), call).code == ANEURALNETWORKS_NO_ERROR);
        CHECK(output[0] == (start < 10 ? 10.5F : 12.0F));
    }
}

TEST_CASE("a loop ends with its time limit") {
    std::vector<float> input{0};
    std::vector<float> output(1);
    Call call = callWith({at(input)}, {at(output)});
    call.loopTimeout = std::chrono::milliseconds(1);
    // 2^24 + 1 is no float, so that the sum never reaches the limit.
    CHECK(computeOnCpu(countModel(20'000'000), call).code ==
          ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT);
}

TEST_CASE("the condition chooses the branch") {
    const Model more = addModel(10);
    const Model less = addModel(-10);
    Model model;
    REQUIRE(model.addOperand(kTruth));
    REQUIRE(model.addOperand(kInner));
    REQUIRE(model.addOperand(kInner));
    REQUIRE(model.addOperand(kFloat));
    REQUIRE(model.addOperand(kFloat));
    REQUIRE(model.setValueFromModel(1, more));
    REQUIRE(model.setValueFromModel(2, less));
    REQUIRE(model.addOperation(ANEURALNETWORKS_IF, Numbers{0, 1, 2, 3}, Numbers{4}));
    REQUIRE(model.identify(Numbers{0, 3}, Numbers{4}));
    REQUIRE(model.finish());
    for (const bool truth : {false, true}) {
        std::vector<std::uint8_t> condition{static_cast<std::uint8_t>(truth)};
        std::vector<float> input{3};
        std::vector<float> output(1);
        Call call = callWith({at(condition), at(input)}, {at(output)});
        CHECK(computeOnCpu(model, call).code == ANEURALNETWORKS_NO_ERROR);
        CHECK(output[0] == (truth ? 13.0F : -7.0F));
    }
}

TEST_CASE("bytes that are not aligned are used all the same") {
    std::vector<std::byte> input(9);
    std::vector<std::byte> output(9);
    const float value = 4;
    std::memcpy(input.data() + 1, &value, sizeof(value));
    Call call;
    call.inputs.resize(1);
    call.inputs[0].pointer = input.data() + 1;
    call.inputs[0].length = sizeof(value);
    call.outputs.resize(1);
    call.outputs[0].pointer = output.data() + 3;
    call.outputs[0].length = sizeof(value);
    CHECK(computeOnCpu(addModel(3), call).code == ANEURALNETWORKS_NO_ERROR);
    float result = 0;
    std::memcpy(&result, output.data() + 3, sizeof(result));
    CHECK(result == 7);
}

TEST_CASE("a deadline that has passed is persistent") {
    std::vector<float> input{0};
    std::vector<float> output(1);
    Call call = callWith({at(input)}, {at(output)});
    call.deadline = TimePoint::clock::now();
    CHECK(computeOnCpu(addModel(3), call).code == ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT);
}

TEST_SUITE_END();

}  // namespace vnpu::test
