// SPDX-License-Identifier: Apache-2.0
// Memories from descriptions: between executions, with several roles, and as copies.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;

/// A memory of two floats in a file.
struct PairFile {
    MemoryFile file{8};
    NdkMemory memory = file.memory();

    PairFile(float first, float second) {
        file.as<float>()[0] = first;
        file.as<float>()[1] = second;
    }
    float at(std::size_t index) const { return file.as<float>()[index]; }
};

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/domains");

TEST_CASE("inputs and outputs in memories of the device are copied from and to files") {
    ndkCase([] {
        const SumModel model;
        for (const ANeuralNetworksDevice* const device : {firstDevice(), cpuDevice()}) {
            const NdkCompilation compilation = compile(model.get(), {device});
            const PairFile first(1, 2), second(10, 20), sum(0, 0);
            const NdkMemory a = memoryForInput(compilation.get(), 0);
            const NdkMemory b = memoryForInput(compilation.get(), 1);
            const NdkMemory c = memoryForOutput(compilation.get(), 0);
            require(ndk().memoryCopy(first.memory.get(), a.get()));
            require(ndk().memoryCopy(second.memory.get(), b.get()));
            const NdkExecution execution = newExecution(compilation.get());
            require(ndk().executionSetInputFromMemory(execution.get(), 0, nullptr, a.get(), 0, 0));
            require(ndk().executionSetInputFromMemory(execution.get(), 1, nullptr, b.get(), 0, 0));
            require(ndk().executionSetOutputFromMemory(execution.get(), 0, nullptr, c.get(), 0, 0));
            CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
            require(ndk().memoryCopy(c.get(), sum.memory.get()));
            CHECK(sum.at(0) == 11.0F);
            CHECK(sum.at(1) == 22.0F);
        }
    });
}

TEST_CASE("an output's memory with two roles is the next execution's input") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemoryDesc desc = newDesc();
        require(ndk().memoryDescAddInputRole(desc.get(), compilation.get(), 0, 1.0F));
        require(ndk().memoryDescAddOutputRole(desc.get(), compilation.get(), 0, 1.0F));
        require(ndk().memoryDescFinish(desc.get()));
        std::vector<NdkMemory> states;
        for (int i = 0; i < 2; ++i) {
            ANeuralNetworksMemory* made = nullptr;
            require(ndk().memoryCreateFromDesc(desc.get(), &made));
            states.emplace_back(made, ndk().memoryFree);
        }
        const PairFile begin(0, 0);
        const float step[] = {1.0F, 2.0F};
        require(ndk().memoryCopy(begin.memory.get(), states[0].get()));
        for (std::size_t i = 0; i < 5; ++i) {
            const NdkExecution execution = newExecution(compilation.get());
            require(ndk().executionSetInputFromMemory(execution.get(), 0, nullptr,
                                                      states[i % 2].get(), 0, 0));
            require(ndk().executionSetInput(execution.get(), 1, nullptr, step, sizeof(step)));
            require(ndk().executionSetOutputFromMemory(execution.get(), 0, nullptr,
                                                       states[(i + 1) % 2].get(), 0, 0));
            CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
        }
        require(ndk().memoryCopy(states[1].get(), begin.memory.get()));
        CHECK(begin.at(0) == 5.0F);
        CHECK(begin.at(1) == 10.0F);
    });
}

TEST_CASE("an input without contents is not computed") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemory empty = memoryForInput(compilation.get(), 0);
        const NdkExecution execution = newExecution(compilation.get());
        SumArguments arguments;
        arguments.giveTo(execution.get());
        require(ndk().executionSetInputFromMemory(execution.get(), 0, nullptr, empty.get(), 0, 0));
        CHECK(code(ndk().executionCompute(execution.get())) != "NO_ERROR");
    });
}

TEST_CASE("the contents of an output whose execution failed cannot be read") {
    ndkCase([] {
        // The inputs do not fit each other.
        const SumModel model(SumModel::Step::kFinished, {0}, {2});
        const NdkCompilation compilation = compile(model.get());
        const NdkMemory output = memoryForOutput(compilation.get(), 0);
        const NdkExecution execution = newExecution(compilation.get());
        const std::uint32_t two = 2, three = 3;
        const ANeuralNetworksOperandType pair = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, &two, 0, 0};
        const ANeuralNetworksOperandType triple = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, &three, 0, 0};
        const float values[3] = {};
        require(ndk().executionSetInput(execution.get(), 0, &pair, values, 8));
        require(ndk().executionSetInput(execution.get(), 1, &triple, values, 12));
        require(ndk().executionSetOutputFromMemory(execution.get(), 0, nullptr, output.get(), 0,
                                                   0));
        REQUIRE(code(ndk().executionCompute(execution.get())) != "NO_ERROR");
        const PairFile target(0, 0);
        CHECK(code(ndk().memoryCopy(output.get(), target.memory.get())) == "BAD_DATA");
    });
}

TEST_CASE("a memory serves compilations for several devices") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation onDevice = compile(model.get(), {firstDevice()});
        const NdkCompilation onCpu = compile(model.get(), {cpuDevice()});
        const NdkMemoryDesc desc = newDesc();
        require(ndk().memoryDescAddOutputRole(desc.get(), onDevice.get(), 0, 0.5F));
        require(ndk().memoryDescAddInputRole(desc.get(), onCpu.get(), 0, 0.5F));
        require(ndk().memoryDescFinish(desc.get()));
        ANeuralNetworksMemory* made = nullptr;
        require(ndk().memoryCreateFromDesc(desc.get(), &made));
        const NdkMemory shared(made, ndk().memoryFree);
        SumArguments first, second;
        const NdkExecution one = newExecution(onDevice.get());
        first.giveTo(one.get());
        require(ndk().executionSetOutputFromMemory(one.get(), 0, nullptr, shared.get(), 0, 0));
        CHECK(code(ndk().executionCompute(one.get())) == "NO_ERROR");
        const NdkExecution two = newExecution(onCpu.get());
        second.giveTo(two.get());
        require(ndk().executionSetInputFromMemory(two.get(), 0, nullptr, shared.get(), 0, 0));
        CHECK(code(ndk().executionCompute(two.get())) == "NO_ERROR");
        CHECK(second.sum[0] == 21.0F);
        CHECK(second.sum[1] == 42.0F);
    });
}

TEST_SUITE_END();
