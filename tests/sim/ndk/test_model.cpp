// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ndk/test_model.h"

#include <algorithm>
#include <numeric>

namespace vnpu::test {

TestModel::TestModel() {
    REQUIRE(ANeuralNetworksModel_create(model_.place()) == ANEURALNETWORKS_NO_ERROR);
}

std::uint32_t TestModel::operand(std::int32_t type, const Indexes& dimensions, float scale,
                                 std::int32_t zeroPoint) {
    const ANeuralNetworksOperandType operand{type, static_cast<std::uint32_t>(dimensions.size()),
                                             dimensions.data(), scale, zeroPoint};
    REQUIRE(ANeuralNetworksModel_addOperand(model_.get(), &operand) == ANEURALNETWORKS_NO_ERROR);
    return operands_++;
}

std::uint32_t TestModel::integer(std::int32_t value) {
    const std::uint32_t index = operand(ANEURALNETWORKS_INT32);
    REQUIRE(ANeuralNetworksModel_setOperandValue(model_.get(), static_cast<std::int32_t>(index),
                                                 &value,
                                                 sizeof(value)) == ANEURALNETWORKS_NO_ERROR);
    return index;
}

std::uint32_t TestModel::constant(const Indexes& dimensions, const std::vector<float>& values) {
    const std::uint32_t index = floats(dimensions);
    REQUIRE(ANeuralNetworksModel_setOperandValue(model_.get(), static_cast<std::int32_t>(index),
                                                 values.data(), values.size() * sizeof(float)) ==
            ANEURALNETWORKS_NO_ERROR);
    return index;
}

void TestModel::operation(std::int32_t type, const Indexes& inputs, const Indexes& outputs) {
    REQUIRE(ANeuralNetworksModel_addOperation(
                    model_.get(), type, static_cast<std::uint32_t>(inputs.size()), inputs.data(),
                    static_cast<std::uint32_t>(outputs.size()),
                    outputs.data()) == ANEURALNETWORKS_NO_ERROR);
}

void TestModel::finish(const Indexes& inputs, const Indexes& outputs) {
    REQUIRE(ANeuralNetworksModel_identifyInputsAndOutputs(
                    model_.get(), static_cast<std::uint32_t>(inputs.size()), inputs.data(),
                    static_cast<std::uint32_t>(outputs.size()),
                    outputs.data()) == ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksModel_finish(model_.get()) == ANEURALNETWORKS_NO_ERROR);
}

std::uint32_t TestModel::binary(std::int32_t type, std::uint32_t left, std::uint32_t right,
                                const Indexes& dimensions) {
    const std::uint32_t activation = integer(ANEURALNETWORKS_FUSED_NONE);
    const std::uint32_t output = floats(dimensions);
    operation(type, {left, right, activation}, {output});
    return output;
}

TestModel affineModel(std::uint32_t count) {
    TestModel model;
    const std::uint32_t input = model.floats({count});
    const std::uint32_t two = model.constant({1}, {2});
    const std::uint32_t one = model.constant({1}, {1});
    const std::uint32_t product = model.binary(ANEURALNETWORKS_MUL, input, two, {count});
    const std::uint32_t sum = model.binary(ANEURALNETWORKS_ADD, product, one, {count});
    model.finish({input}, {sum});
    return model;
}

ANeuralNetworksDevice* findDevice(const std::string& prefix) {
    std::uint32_t count = 0;
    REQUIRE(ANeuralNetworks_getDeviceCount(&count) == ANEURALNETWORKS_NO_ERROR);
    for (std::uint32_t i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = nullptr;
        const char* name = nullptr;
        REQUIRE(ANeuralNetworks_getDevice(i, &device) == ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksDevice_getName(device, &name) == ANEURALNETWORKS_NO_ERROR);
        if (std::string(name).starts_with(prefix)) {
            return device;
        }
    }
    return nullptr;
}

OwnedCompilation compileFor(const TestModel& model, const ANeuralNetworksDevice* device) {
    OwnedCompilation compilation;
    REQUIRE(ANeuralNetworksCompilation_createForDevices(
                    model.get(), &device, 1, compilation.place()) == ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksCompilation_finish(compilation.get()) == ANEURALNETWORKS_NO_ERROR);
    return compilation;
}

int computeFloats(const OwnedCompilation& compilation, const std::vector<float>& input,
                  std::vector<float>& output) {
    OwnedExecution execution;
    REQUIRE(ANeuralNetworksExecution_create(compilation.get(), execution.place()) ==
            ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, input.data(),
                                              input.size() * sizeof(float)) ==
            ANEURALNETWORKS_NO_ERROR);
    REQUIRE(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(),
                                               output.size() * sizeof(float)) ==
            ANEURALNETWORKS_NO_ERROR);
    return ANeuralNetworksExecution_compute(execution.get());
}

std::vector<float> ramp(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
}

std::vector<float> affine(const std::vector<float>& input) {
    std::vector<float> result(input.size());
    std::transform(input.begin(), input.end(), result.begin(), [](float x) { return x * 2 + 1; });
    return result;
}

}  // namespace vnpu::test
