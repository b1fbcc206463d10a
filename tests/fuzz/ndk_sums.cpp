// SPDX-License-Identifier: Apache-2.0
// Valid models and their arguments, without which few sequences of calls would reach a computation.
#include "tests/fuzz/ndk_caller.h"

namespace vnpu::fuzz {

namespace {

using NdkModel = sim::NdkHandle<ANeuralNetworksModel>;

void succeed(int code) {
    require(code == ANEURALNETWORKS_NO_ERROR, "a valid call fails");
}

NdkModel newModel() {
    ANeuralNetworksModel* model = nullptr;
    succeed(ndkUnderTest().modelCreate(&model));
    return {model, ndkUnderTest().modelFree};
}

/// A vector of `size` floats; 0 leaves the size open. Refers to `size`.
ANeuralNetworksOperandType vectorOf(const std::uint32_t& size) {
    return {ANEURALNETWORKS_TENSOR_FLOAT32, 1, &size, 0, 0};
}

/// A finished model of one operation on two vectors of that size.
NdkModel newSum(std::int32_t operation, std::uint32_t size, std::int32_t activation) {
    const sim::NdkFunctions& ndk = ndkUnderTest();
    NdkModel model = newModel();
    const ANeuralNetworksOperandType vector = vectorOf(size);
    const ANeuralNetworksOperandType scalar = {ANEURALNETWORKS_INT32, 0, nullptr, 0, 0};
    const std::array<std::uint32_t, 3> inputs = {0, 1, 2};
    const std::uint32_t output = 3;
    succeed(ndk.modelAddOperand(model.get(), &vector));
    succeed(ndk.modelAddOperand(model.get(), &vector));
    succeed(ndk.modelAddOperand(model.get(), &scalar));
    succeed(ndk.modelAddOperand(model.get(), &vector));
    succeed(ndk.modelSetOperandValue(model.get(), 2, &activation, sizeof(activation)));
    succeed(ndk.modelAddOperation(model.get(), operation, 3, inputs.data(), 1, &output));
    succeed(ndk.modelIdentifyInputsAndOutputs(model.get(), 2, inputs.data(), 1, &output));
    succeed(ndk.modelFinish(model.get()));
    return model;
}

}  // namespace

/// A finished model of an operation of two vectors, which may have open sizes.
void NdkCaller::makeSum() {
    constexpr std::array<std::int32_t, 4> kOperations = {ANEURALNETWORKS_ADD, ANEURALNETWORKS_MUL,
                                                         ANEURALNETWORKS_SUB, ANEURALNETWORKS_DIV};
    if (!models_.isFull()) {
        const std::uint32_t size = in_.below(4) == 0 ? 0 : 2;
        const auto activation = static_cast<std::int32_t>(in_.below(4));
        models_.add(newSum(kOperations[in_.below(4)], size, activation).release());
    }
}

/// A model that chooses between two others by a constant or by its third input. It is finished if
/// the others are models of makeSum.
void NdkCaller::makeChoice() {
    if (models_.isFull()) {
        return;
    }
    const std::array<ANeuralNetworksModel*, 2> branches = {models_.choose(in_),
                                                           models_.choose(in_)};
    ANeuralNetworksModel* const model = newModel().release();
    models_.add(model);
    const std::uint32_t one = 1;
    const std::uint32_t size = in_.below(4) == 0 ? 0 : 2;
    const ANeuralNetworksOperandType vector = vectorOf(size);
    const ANeuralNetworksOperandType flag = {ANEURALNETWORKS_TENSOR_BOOL8, 1, &one, 0, 0};
    const ANeuralNetworksOperandType branch = {ANEURALNETWORKS_MODEL, 0, nullptr, 0, 0};
    for (const auto* type : {&flag, &branch, &branch, &vector, &vector, &vector}) {
        known(ndk_.modelAddOperand(model, type));
    }
    for (std::size_t i = 0; i < branches.size(); ++i) {
        if (known(ndk_.modelSetOperandValueFromModel(model, static_cast<std::int32_t>(1 + i),
                                                     branches[i])) == ANEURALNETWORKS_NO_ERROR) {
            models_.keep(branches[i]);
        }
    }
    const std::uint8_t condition = in_.below(2) == 0 ? 0 : 255;
    const bool isConstant = in_.flip();
    if (isConstant) {
        known(ndk_.modelSetOperandValue(model, 0, &condition, 1));
    }
    const std::array<std::uint32_t, 5> operands = {0, 1, 2, 3, 4};
    const std::array<std::uint32_t, 3> inputs = {3, 4, 0};
    const std::uint32_t output = 5;
    known(ndk_.modelAddOperation(model, ANEURALNETWORKS_IF, 5, operands.data(), 1, &output));
    known(ndk_.modelIdentifyInputsAndOutputs(model, isConstant ? 2 : 3, inputs.data(), 1, &output));
    known(ndk_.modelFinish(model));
}

/// The arguments of a model of makeSum or makeChoice.
void NdkCaller::giveSum() {
    ANeuralNetworksExecution* const execution = executions_.choose(in_);
    const std::uint32_t size = 2;
    const ANeuralNetworksOperandType pair = vectorOf(size);
    const std::size_t room = in_.below(8) == 0 ? 4 : 8;
    known(ndk_.executionSetInput(execution, 0, &pair, bytes(8), 8));
    known(ndk_.executionSetInput(execution, 1, &pair, bytes(8), 8));
    known(ndk_.executionSetInput(execution, 2, nullptr, bytes(1), 1));  // fails without condition
    known(ndk_.executionSetOutput(execution, 0, nullptr, bytes(room), room));
}

/// A new model is compiled for a device and gives 1 + 10 and 2 + 20, whatever was called before.
void NdkCaller::checkSum() {
    std::uint32_t count = 0;
    ANeuralNetworksDevice* device = nullptr;
    succeed(ndk_.getDeviceCount(&count));
    succeed(ndk_.getDevice(static_cast<std::uint32_t>(in_.below(count)), &device));
    const NdkModel model = newSum(ANEURALNETWORKS_ADD, 2, ANEURALNETWORKS_FUSED_NONE);
    ANeuralNetworksCompilation* compilation = nullptr;
    succeed(ndk_.compilationCreateForDevices(model.get(), &device, 1, &compilation));
    const sim::NdkHandle<ANeuralNetworksCompilation> ownedCompilation(compilation,
                                                                      ndk_.compilationFree);
    succeed(ndk_.compilationFinish(compilation));
    ANeuralNetworksExecution* execution = nullptr;
    succeed(ndk_.executionCreate(compilation, &execution));
    const sim::NdkHandle<ANeuralNetworksExecution> ownedExecution(execution, ndk_.executionFree);
    const std::array<float, 2> first = {1, 2}, second = {10, 20};
    std::array<float, 2> sum{};
    succeed(ndk_.executionSetInput(execution, 0, nullptr, first.data(), sizeof(first)));
    succeed(ndk_.executionSetInput(execution, 1, nullptr, second.data(), sizeof(second)));
    succeed(ndk_.executionSetOutput(execution, 0, nullptr, sum.data(), sizeof(sum)));
    succeed(ndk_.executionCompute(execution));
    require(sum == std::array<float, 2>{11, 22}, "a valid model gives wrong values");
}

}  // namespace vnpu::fuzz
