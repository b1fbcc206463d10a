// SPDX-License-Identifier: Apache-2.0
// Valid models and their arguments, without which few sequences of calls would reach a computation.
#include "tests/fuzz/ndk_caller.h"

namespace vnpu::fuzz {

namespace {

using NdkModel = sim::NdkHandle<ANeuralNetworksModel>;
using Pair = std::array<float, 2>;

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

/// Makes model `of` the value of an operand. Returns whether that is accepted.
bool refer(ANeuralNetworksModel* model, std::int32_t operand, ANeuralNetworksModel* of) {
    const int code = ndkUnderTest().modelSetOperandValueFromModel(model, operand, of);
    require(code >= 0 && code <= ANEURALNETWORKS_DEAD_OBJECT, "a result that is no ResultCode");
    return code == ANEURALNETWORKS_NO_ERROR;
}

/// A finished model of two vectors of that size: whether a comparison holds for any element.
NdkModel newCondition(std::int32_t comparison, std::uint32_t size) {
    const sim::NdkFunctions& ndk = ndkUnderTest();
    NdkModel model = newModel();
    const std::uint32_t one = 1;
    const ANeuralNetworksOperandType vector = vectorOf(size);
    const ANeuralNetworksOperandType flags = {ANEURALNETWORKS_TENSOR_BOOL8, 1, &size, 0, 0};
    const ANeuralNetworksOperandType axes = {ANEURALNETWORKS_TENSOR_INT32, 1, &one, 0, 0};
    const ANeuralNetworksOperandType keepsRank = {ANEURALNETWORKS_BOOL, 0, nullptr, 0, 0};
    const ANeuralNetworksOperandType flag = {ANEURALNETWORKS_TENSOR_BOOL8, 1, &one, 0, 0};
    for (const auto* type : {&vector, &vector, &flags, &axes, &keepsRank, &flag}) {
        succeed(ndk.modelAddOperand(model.get(), type));
    }
    const std::int32_t firstAxis = 0;
    const std::uint8_t yes = 1;
    succeed(ndk.modelSetOperandValue(model.get(), 3, &firstAxis, sizeof(firstAxis)));
    succeed(ndk.modelSetOperandValue(model.get(), 4, &yes, sizeof(yes)));
    const std::array<std::uint32_t, 2> inputs = {0, 1};
    const std::array<std::uint32_t, 3> reduced = {2, 3, 4};
    const std::uint32_t compared = 2, output = 5;
    succeed(ndk.modelAddOperation(model.get(), comparison, 2, inputs.data(), 1, &compared));
    succeed(ndk.modelAddOperation(model.get(), ANEURALNETWORKS_REDUCE_ANY, 3, reduced.data(), 1,
                                  &output));
    succeed(ndk.modelIdentifyInputsAndOutputs(model.get(), 2, inputs.data(), 1, &output));
    succeed(ndk.modelFinish(model.get()));
    return model;
}

/// What a model of two vectors with two elements gives on a device.
Pair computeOnce(ANeuralNetworksModel* model, const ANeuralNetworksDevice* device,
                 const Pair& first, const Pair& second) {
    const sim::NdkFunctions& ndk = ndkUnderTest();
    ANeuralNetworksCompilation* compilation = nullptr;
    succeed(ndk.compilationCreateForDevices(model, &device, 1, &compilation));
    const sim::NdkHandle<ANeuralNetworksCompilation> ownedCompilation(compilation,
                                                                      ndk.compilationFree);
    succeed(ndk.compilationFinish(compilation));
    ANeuralNetworksExecution* execution = nullptr;
    succeed(ndk.executionCreate(compilation, &execution));
    const sim::NdkHandle<ANeuralNetworksExecution> ownedExecution(execution, ndk.executionFree);
    Pair result{};
    succeed(ndk.executionSetInput(execution, 0, nullptr, first.data(), sizeof(first)));
    succeed(ndk.executionSetInput(execution, 1, nullptr, second.data(), sizeof(second)));
    succeed(ndk.executionSetOutput(execution, 0, nullptr, result.data(), sizeof(result)));
    succeed(ndk.executionCompute(execution));
    return result;
}

/// The operands of a loop over two vectors, of which its body replaces the first.
NdkModel newLoopOperands(std::uint32_t size) {
    NdkModel model = newModel();
    const ANeuralNetworksOperandType vector = vectorOf(size);
    const ANeuralNetworksOperandType reference = {ANEURALNETWORKS_MODEL, 0, nullptr, 0, 0};
    for (const auto* type : {&reference, &reference, &vector, &vector, &vector}) {
        succeed(ndkUnderTest().modelAddOperand(model.get(), type));
    }
    return model;
}

/// Adds WHILE to the operands of newLoopOperands and finishes the model; returns the codes.
std::array<int, 3> completeLoop(ANeuralNetworksModel* model) {
    const sim::NdkFunctions& ndk = ndkUnderTest();
    const std::array<std::uint32_t, 4> operands = {0, 1, 2, 3};
    const std::uint32_t output = 4;
    return {ndk.modelAddOperation(model, ANEURALNETWORKS_WHILE, 4, operands.data(), 1, &output),
            ndk.modelIdentifyInputsAndOutputs(model, 2, &operands[2], 1, &output),
            ndk.modelFinish(model)};
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
        if (refer(model, static_cast<std::int32_t>(1 + i), branches[i])) {
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

/// A model that repeats another as long as a condition holds. It is finished if the repeated model
/// is one of makeSum and the condition is not another model.
void NdkCaller::makeLoop() {
    constexpr std::array<std::int32_t, 4> kComparisons = {
            ANEURALNETWORKS_LESS, ANEURALNETWORKS_GREATER, ANEURALNETWORKS_EQUAL,
            ANEURALNETWORKS_NOT_EQUAL};
    const std::uint32_t size = in_.below(4) == 0 ? 0 : 2;
    if (!models_.isFull()) {
        models_.add(newCondition(kComparisons[in_.below(4)], size).release());
    }
    if (models_.isFull()) {
        return;
    }
    ANeuralNetworksModel* const condition =
            in_.below(8) == 0 ? models_.choose(in_) : models_.all().back();
    ANeuralNetworksModel* const body = models_.choose(in_);
    ANeuralNetworksModel* const model = newLoopOperands(size).release();
    models_.add(model);
    const std::array<ANeuralNetworksModel*, 2> parts = {condition, body};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (refer(model, static_cast<std::int32_t>(i), parts[i])) {
            models_.keep(parts[i]);
        }
    }
    for (const int code : completeLoop(model)) {
        known(code);
    }
    hasLooped_ = true;
}

/// The arguments of a model of makeSum, makeChoice or makeLoop.
void NdkCaller::giveSumTo(ANeuralNetworksExecution* execution) {
    const std::uint32_t size = 2;
    const ANeuralNetworksOperandType pair = vectorOf(size);
    const std::size_t room = in_.below(8) == 0 ? 4 : 8;
    known(ndk_.executionSetInput(execution, 0, &pair, bytes(8), 8));
    known(ndk_.executionSetInput(execution, 1, &pair, bytes(8), 8));
    known(ndk_.executionSetInput(execution, 2, nullptr, bytes(1), 1));  // fails without condition
    known(ndk_.executionSetOutput(execution, 0, nullptr, bytes(room), room));
    known(ndk_.executionSetLoopTimeout(execution, kLoopTimeoutNs));
}

/// An execution with arguments of a new model, which may be a choice or a loop around earlier ones.
void NdkCaller::makeComputation() {
    constexpr std::array<Step, 4> kSteps = {&NdkCaller::makeSum, &NdkCaller::makeChoice,
                                            &NdkCaller::makeChoice, &NdkCaller::makeLoop};
    makeSum();
    (this->*kSteps[in_.below(kSteps.size())])();
    ANeuralNetworksModel* const model = models_.newest();
    const ANeuralNetworksDevice* const on = device();
    make(compilations_, [&](auto** out) {
        return on == nullptr ? ndk_.compilationCreate(model, out)
                             : ndk_.compilationCreateForDevices(model, &on, 1, out);
    });
    known(ndk_.compilationFinish(compilations_.newest()));
    ANeuralNetworksCompilation* const compilation = compilations_.newest();
    make(executions_, [&](auto** out) { return ndk_.executionCreate(compilation, out); });
    giveSumTo(executions_.newest());
}

/// A memory for an input and the output of the newest compilation, and its use by an execution.
void NdkCaller::makeRoleMemory() {
    const ANeuralNetworksCompilation* const compilation = compilations_.newest();
    const std::uint32_t size = 2;
    make(descs_, [&](auto** out) { return ndk_.memoryDescCreate(out); });
    ANeuralNetworksMemoryDesc* const desc = descs_.newest();
    known(ndk_.memoryDescAddInputRole(desc, compilation, static_cast<std::uint32_t>(in_.below(2)),
                                      1.0F));
    known(ndk_.memoryDescAddOutputRole(desc, compilation, 0, 1.0F));
    if (in_.flip()) {
        known(ndk_.memoryDescSetDimensions(desc, 1, &size));
    }
    known(ndk_.memoryDescFinish(desc));
    make(memories_, [&](auto** out) { return ndk_.memoryCreateFromDesc(desc, out); });
    ANeuralNetworksExecution* const execution = executions_.newest();
    if (in_.below(4) == 0) {
        known(ndk_.executionSetInputFromMemory(execution, static_cast<std::int32_t>(in_.below(2)),
                                               nullptr, memories_.newest(), 0, 0));
    } else {
        known(ndk_.executionSetOutputFromMemory(execution, 0, nullptr, memories_.newest(), 0, 0));
    }
}

/// New models are compiled for a device and give 1 + 10 and 2 + 20, whatever was called before, and
/// after loops also 10 - 3 * 3 and 20 - 3 * 6, by subtraction as long as one is greater.
void NdkCaller::checkValues() {
    std::uint32_t count = 0;
    ANeuralNetworksDevice* device = nullptr;
    succeed(ndk_.getDeviceCount(&count));
    succeed(ndk_.getDevice(static_cast<std::uint32_t>(in_.below(count)), &device));
    const NdkModel sum = newSum(ANEURALNETWORKS_ADD, 2, ANEURALNETWORKS_FUSED_NONE);
    require(computeOnce(sum.get(), device, {1, 2}, {10, 20}) == Pair{11, 22},
            "a valid model gives wrong values");
    if (!hasLooped_) {
        return;
    }
    const NdkModel condition = newCondition(ANEURALNETWORKS_GREATER, 2);
    const NdkModel difference = newSum(ANEURALNETWORKS_SUB, 2, ANEURALNETWORKS_FUSED_NONE);
    const NdkModel loop = newLoopOperands(2);
    require(refer(loop.get(), 0, condition.get()) && refer(loop.get(), 1, difference.get()),
            "a valid call fails");
    for (const int code : completeLoop(loop.get())) {
        succeed(code);
    }
    require(computeOnce(loop.get(), device, {10, 20}, {3, 6}) == Pair{1, 2},
            "a valid loop gives wrong values");
}

}  // namespace vnpu::fuzz
