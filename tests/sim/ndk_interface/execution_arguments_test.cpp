// SPDX-License-Identifier: Apache-2.0
// Wrong arguments of the functions for executions.
#include <doctest/doctest.h>

#include <limits>
#include <memory>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;

/// A compiled sum and an execution without arguments.
struct Rig {
    SumModel model;
    NdkCompilation compilation = compile(model.get());
    NdkExecution owner = newExecution(compilation.get());
    ANeuralNetworksExecution* const execution = owner.get();
    SumArguments arguments;

    std::string setInput(std::int32_t index, const void* buffer, std::size_t length,
                         const OperandSpec* type = nullptr) const {
        const ANeuralNetworksOperandType given =
                type != nullptr ? type->get() : ANeuralNetworksOperandType{};
        return code(ndk().executionSetInput(execution, index, type != nullptr ? &given : nullptr,
                                            buffer, length));
    }
    std::string setOutput(std::int32_t index, void* buffer, std::size_t length,
                          const OperandSpec* type = nullptr) const {
        const ANeuralNetworksOperandType given =
                type != nullptr ? type->get() : ANeuralNetworksOperandType{};
        return code(ndk().executionSetOutput(execution, index, type != nullptr ? &given : nullptr,
                                             buffer, length));
    }
    void compute() {
        arguments.giveTo(execution);
        REQUIRE(ndk().executionCompute(execution) == ANEURALNETWORKS_NO_ERROR);
    }
};

void rigCase(const std::function<void(Rig&)>& body) {
    ndkCase([&] {
        Rig rig;
        body(rig);
    });
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/execution_arguments");

TEST_CASE("setInput refuses null, other inputs and lengths other than the operand's") {
    rigCase([](Rig& rig) {
        const float values[4] = {};
        CHECK(code(ndk().executionSetInput(nullptr, 0, nullptr, values, 8)) == "UNEXPECTED_NULL");
        CHECK(rig.setInput(0, nullptr, 8) == "UNEXPECTED_NULL");
        CHECK(rig.setInput(2, values, 8) == "BAD_DATA");
        CHECK(rig.setInput(-1, values, 8) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 4) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 12) == "BAD_DATA");
        CHECK(rig.setInput(0, values, std::numeric_limits<std::size_t>::max()) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 8) == "NO_ERROR");
    });
}

TEST_CASE("setInput takes a type that agrees with the model and refuses others") {
    rigCase([](Rig& rig) {
        const float values[4] = {};
        const OperandSpec same{.dimensions = {2}}, longer{.dimensions = {3}},
                square{.dimensions = {1, 2}}, open{.dimensions = {0}},
                other{.type = ANEURALNETWORKS_TENSOR_INT32, .dimensions = {2}},
                scaled{.dimensions = {2}, .scale = 1.0F};
        CHECK(rig.setInput(0, values, 8, &longer) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 12, &longer) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 8, &square) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 8, &other) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 8, &scaled) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 8, &open) == "BAD_DATA");
        CHECK(rig.setInput(0, values, 8, &same) == "NO_ERROR");
    });
}

TEST_CASE("setOutput refuses null, other outputs and lengths other than the operand's") {
    rigCase([](Rig& rig) {
        float values[4] = {};
        CHECK(code(ndk().executionSetOutput(nullptr, 0, nullptr, values, 8)) == "UNEXPECTED_NULL");
        CHECK(rig.setOutput(0, nullptr, 8) == "UNEXPECTED_NULL");
        CHECK(rig.setOutput(1, values, 8) == "BAD_DATA");
        CHECK(rig.setOutput(-1, values, 8) == "BAD_DATA");
        CHECK(rig.setOutput(0, values, 4) == "BAD_DATA");
        CHECK(rig.setOutput(0, values, std::numeric_limits<std::size_t>::max()) == "BAD_DATA");
        const OperandSpec other{.dimensions = {4}};
        CHECK(rig.setOutput(0, values, 16, &other) == "BAD_DATA");
        CHECK(rig.setOutput(0, values, 8) == "NO_ERROR");
    });
}

TEST_CASE("setInputFromMemory refuses null, other inputs and parts outside the memory") {
    rigCase([](Rig& rig) {
        const MemoryFile file(16);
        const NdkMemory memory = file.memory();
        const auto set = [&](std::int32_t index, std::size_t offset, std::size_t length) {
            return code(ndk().executionSetInputFromMemory(rig.execution, index, nullptr,
                                                          memory.get(), offset, length));
        };
        CHECK(code(ndk().executionSetInputFromMemory(nullptr, 0, nullptr, memory.get(), 0, 8)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().executionSetInputFromMemory(rig.execution, 0, nullptr, nullptr, 0, 8)) ==
              "UNEXPECTED_NULL");
        CHECK(set(2, 0, 8) == "BAD_DATA");
        CHECK(set(-1, 0, 8) == "BAD_DATA");
        CHECK(set(0, 0, 12) == "BAD_DATA");
        CHECK(set(0, 12, 8) == "BAD_DATA");
        CHECK(set(0, std::numeric_limits<std::size_t>::max() - 3, 8) == "BAD_DATA");
        CHECK(set(0, 8, 8) == "NO_ERROR");
    });
}

TEST_CASE("setOutputFromMemory refuses null, other outputs and parts outside the memory") {
    rigCase([](Rig& rig) {
        const MemoryFile file(16);
        const NdkMemory memory = file.memory();
        const auto set = [&](std::int32_t index, std::size_t offset, std::size_t length) {
            return code(ndk().executionSetOutputFromMemory(rig.execution, index, nullptr,
                                                           memory.get(), offset, length));
        };
        CHECK(code(ndk().executionSetOutputFromMemory(nullptr, 0, nullptr, memory.get(), 0, 8)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().executionSetOutputFromMemory(rig.execution, 0, nullptr, nullptr, 0, 8)) ==
              "UNEXPECTED_NULL");
        CHECK(set(1, 0, 8) == "BAD_DATA");
        CHECK(set(-1, 0, 8) == "BAD_DATA");
        CHECK(set(0, 0, 4) == "BAD_DATA");
        CHECK(set(0, 12, 8) == "BAD_DATA");
        CHECK(set(0, std::numeric_limits<std::size_t>::max() - 3, 8) == "BAD_DATA");
        CHECK(set(0, 8, 8) == "NO_ERROR");
    });
}

TEST_CASE("an execution needs all its arguments") {
    rigCase([](Rig& rig) {
        CHECK(code(ndk().executionCompute(rig.execution)) == "BAD_DATA");
        const NdkExecution noOutput = newExecution(rig.compilation.get());
        REQUIRE(ndk().executionSetInput(noOutput.get(), 0, nullptr, rig.arguments.first, 8) == 0);
        REQUIRE(ndk().executionSetInput(noOutput.get(), 1, nullptr, rig.arguments.second, 8) == 0);
        CHECK(code(ndk().executionCompute(noOutput.get())) == "BAD_DATA");
        const NdkExecution noInput = newExecution(rig.compilation.get());
        REQUIRE(ndk().executionSetInput(noInput.get(), 0, nullptr, rig.arguments.first, 8) == 0);
        REQUIRE(ndk().executionSetOutput(noInput.get(), 0, nullptr, rig.arguments.sum, 8) == 0);
        ANeuralNetworksEvent* event = nullptr;
        CHECK(code(ndk().executionStartCompute(noInput.get(), &event)) == "BAD_DATA");
        CHECK(event == nullptr);
    });
}

TEST_CASE("all ways to compute refuse null") {
    rigCase([](Rig& rig) {
        rig.arguments.giveTo(rig.execution);
        ANeuralNetworksEvent* event = nullptr;
        CHECK(code(ndk().executionCompute(nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionStartCompute(nullptr, &event)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionStartCompute(rig.execution, nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionBurstCompute(rig.execution, nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionStartComputeWithDependencies(nullptr, nullptr, 0, 0, &event)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().executionStartComputeWithDependencies(rig.execution, nullptr, 0, 0,
                                                               nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionStartComputeWithDependencies(rig.execution, nullptr, 1, 0,
                                                               &event)) == "UNEXPECTED_NULL");
        const ANeuralNetworksEvent* const none[] = {nullptr};
        CHECK(code(ndk().executionStartComputeWithDependencies(rig.execution, none, 1, 0,
                                                               &event)) == "UNEXPECTED_NULL");
        CHECK(event == nullptr);
        CHECK(code(ndk().executionCompute(rig.execution)) == "NO_ERROR");
    });
}

TEST_CASE("a burst computes executions of its own compilation") {
    rigCase([](Rig& rig) {
        const NdkCompilation other = compile(rig.model.get());
        ANeuralNetworksBurst* made = nullptr;
        REQUIRE(ndk().burstCreate(other.get(), &made) == ANEURALNETWORKS_NO_ERROR);
        const NdkBurst foreign(made, ndk().burstFree);
        rig.arguments.giveTo(rig.execution);
        CHECK(code(ndk().executionBurstCompute(rig.execution, foreign.get())) == "BAD_DATA");
        REQUIRE(ndk().burstCreate(rig.compilation.get(), &made) == ANEURALNETWORKS_NO_ERROR);
        const NdkBurst own(made, ndk().burstFree);
        CHECK(code(ndk().executionBurstCompute(nullptr, own.get())) == "UNEXPECTED_NULL");
        for (int i = 0; i < 3; ++i) {
            const NdkExecution execution = newExecution(rig.compilation.get());
            SumArguments arguments;
            arguments.giveTo(execution.get());
            CHECK(code(ndk().executionBurstCompute(execution.get(), own.get())) == "NO_ERROR");
            CHECK(arguments.areSummed());
        }
    });
}

TEST_CASE("an execution is computed once and cannot change afterwards") {
    rigCase([](Rig& rig) {
        rig.compute();
        CHECK(rig.arguments.areSummed());
        const MemoryFile file(8);
        const NdkMemory memory = file.memory();
        ANeuralNetworksEvent* event = nullptr;
        CHECK(code(ndk().executionCompute(rig.execution)) == "BAD_STATE");
        CHECK(code(ndk().executionStartCompute(rig.execution, &event)) == "BAD_STATE");
        CHECK(event == nullptr);
        CHECK(code(ndk().executionStartComputeWithDependencies(rig.execution, nullptr, 0, 0,
                                                               &event)) == "BAD_STATE");
        CHECK(event == nullptr);
        CHECK(rig.setInput(0, rig.arguments.first, 8) == "BAD_STATE");
        CHECK(rig.setOutput(0, rig.arguments.sum, 8) == "BAD_STATE");
        CHECK(code(ndk().executionSetInputFromMemory(rig.execution, 0, nullptr, memory.get(), 0,
                                                     8)) == "BAD_STATE");
        CHECK(code(ndk().executionSetOutputFromMemory(rig.execution, 0, nullptr, memory.get(), 0,
                                                      8)) == "BAD_STATE");
        CHECK(code(ndk().executionSetMeasureTiming(rig.execution, true)) == "BAD_STATE");
        CHECK(code(ndk().executionSetTimeout(rig.execution, 1'000'000'000)) == "BAD_STATE");
        CHECK(code(ndk().executionSetLoopTimeout(rig.execution, 1'000'000'000)) == "BAD_STATE");
    });
}

TEST_CASE("times are told if they were asked for, after the computation") {
    rigCase([](Rig& rig) {
        std::uint64_t duration = 0;
        const auto ask = [&](ANeuralNetworksExecution* execution, std::int32_t which) {
            return code(ndk().executionGetDuration(execution, which, &duration));
        };
        CHECK(code(ndk().executionSetMeasureTiming(nullptr, true)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionSetMeasureTiming(rig.execution, true)) == "NO_ERROR");
        CHECK(ask(rig.execution, ANEURALNETWORKS_DURATION_ON_HARDWARE) == "BAD_STATE");
        rig.compute();
        CHECK(ask(nullptr, ANEURALNETWORKS_DURATION_ON_HARDWARE) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionGetDuration(rig.execution, 0, nullptr)) == "UNEXPECTED_NULL");
        CHECK(ask(rig.execution, -1) == "BAD_DATA");
        CHECK(ask(rig.execution, 4) == "BAD_DATA");
        REQUIRE(ask(rig.execution, ANEURALNETWORKS_DURATION_ON_HARDWARE) == "NO_ERROR");
        const std::uint64_t onHardware = duration;
        REQUIRE(ask(rig.execution, ANEURALNETWORKS_DURATION_IN_DRIVER) == "NO_ERROR");
        CHECK(onHardware > 0);
        CHECK(onHardware <= duration);
        CHECK(duration < UINT64_MAX);
    });
}

TEST_CASE("times that were not asked for are not told") {
    rigCase([](Rig& rig) {
        rig.compute();
        std::uint64_t duration = 0;
        CHECK(code(ndk().executionGetDuration(rig.execution, ANEURALNETWORKS_DURATION_ON_HARDWARE,
                                              &duration)) == "BAD_STATE");
    });
}

TEST_CASE("times and timeouts are for exactly one chosen device") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation forAll = newCompilation(model.get(), true);
        REQUIRE(ndk().compilationFinish(forAll.get()) == ANEURALNETWORKS_NO_ERROR);
        const NdkExecution execution = newExecution(forAll.get());
        CHECK(code(ndk().executionSetMeasureTiming(execution.get(), true)) == "BAD_DATA");
        CHECK(code(ndk().executionSetTimeout(execution.get(), 1'000'000'000)) == "BAD_DATA");
        SumArguments arguments;
        arguments.giveTo(execution.get());
        ANeuralNetworksEvent* event = nullptr;
        CHECK(code(ndk().executionStartComputeWithDependencies(
                      execution.get(), nullptr, 0, 1'000'000'000, &event)) == "BAD_DATA");
        CHECK(event == nullptr);
    });
}

TEST_CASE("timeouts refuse null, and loops have documented ones") {
    rigCase([](Rig& rig) {
        CHECK(code(ndk().executionSetTimeout(nullptr, 1)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionSetLoopTimeout(nullptr, 1)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionSetTimeout(rig.execution, 60'000'000'000)) == "NO_ERROR");
        CHECK(code(ndk().executionSetLoopTimeout(rig.execution, 0)) == "NO_ERROR");
        CHECK(code(ndk().executionSetLoopTimeout(rig.execution, UINT64_MAX)) == "NO_ERROR");
        CHECK(ndk().getDefaultLoopTimeout() == 2'000'000'000U);
        CHECK(ndk().getMaximumLoopTimeout() == 15'000'000'000U);
        rig.compute();
        CHECK(rig.arguments.areSummed());
    });
}

TEST_CASE("ranks and dimensions of outputs are told after the computation") {
    rigCase([](Rig& rig) {
        std::uint32_t rank = 0, dimension = 0;
        CHECK(code(ndk().executionGetOutputOperandRank(rig.execution, 0, &rank)) == "BAD_STATE");
        CHECK(code(ndk().executionGetOutputOperandDimensions(rig.execution, 0, &dimension)) ==
              "BAD_STATE");
        rig.compute();
        CHECK(code(ndk().executionGetOutputOperandRank(nullptr, 0, &rank)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionGetOutputOperandRank(rig.execution, 0, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().executionGetOutputOperandDimensions(nullptr, 0, &dimension)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().executionGetOutputOperandDimensions(rig.execution, 0, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().executionGetOutputOperandRank(rig.execution, 1, &rank)) == "BAD_DATA");
        CHECK(code(ndk().executionGetOutputOperandRank(rig.execution, -1, &rank)) == "BAD_DATA");
        CHECK(code(ndk().executionGetOutputOperandDimensions(rig.execution, 1, &dimension)) ==
              "BAD_DATA");
        CHECK(code(ndk().executionGetOutputOperandRank(rig.execution, 0, &rank)) == "NO_ERROR");
        CHECK(code(ndk().executionGetOutputOperandDimensions(rig.execution, 0, &dimension)) ==
              "NO_ERROR");
        CHECK(rank == 1);
        CHECK(dimension == 2);
    });
}

TEST_CASE("events refuse null and descriptors that are no fence") {
    rigCase([](Rig& rig) {
        ANeuralNetworksEvent* event = nullptr;
        int descriptor = 5;
        CHECK(code(ndk().eventWait(nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().eventCreateFromSyncFenceFd(-1, &event)) == "BAD_DATA");
        CHECK(code(ndk().eventCreateFromSyncFenceFd(9999, &event)) == "BAD_DATA");
        CHECK(code(ndk().eventCreateFromSyncFenceFd(1, nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().eventGetSyncFenceFd(nullptr, &descriptor)) == "UNEXPECTED_NULL");
        CHECK(descriptor == -1);
        CHECK(event == nullptr);
        rig.arguments.giveTo(rig.execution);
        REQUIRE(ndk().executionStartCompute(rig.execution, &event) == ANEURALNETWORKS_NO_ERROR);
        const NdkEvent owner(event, ndk().eventFree);
        CHECK(code(ndk().eventGetSyncFenceFd(event, nullptr)) == "UNEXPECTED_NULL");
        descriptor = 5;
        CHECK(code(ndk().eventGetSyncFenceFd(event, &descriptor)) == "BAD_DATA");
        CHECK(descriptor == -1);
        CHECK(code(ndk().eventWait(event)) == "NO_ERROR");
        CHECK(rig.arguments.areSummed());
    });
}

TEST_SUITE_END();
