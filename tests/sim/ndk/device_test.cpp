// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "tests/sim/ndk/test_model.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {

TEST_SUITE_BEGIN("sim/ndk/device");

TEST_CASE("the device of this process and the CPU give the values of the model") {
    simCase([] {
        const TestModel model = affineModel(100);
        for (const char* prefix : {"vnpu-edge", "nnapi-reference"}) {
            const OwnedCompilation compilation = compileFor(model, findDevice(prefix));
            std::vector<float> output(100);
            CHECK(computeFloats(compilation, ramp(100), output) == ANEURALNETWORKS_NO_ERROR);
            CHECK(output == affine(ramp(100)));
        }
    });
}

TEST_CASE("the device measures, the CPU does not know") {
    simCase([] {
        const TestModel model = affineModel(100);
        for (const char* prefix : {"vnpu-edge", "nnapi-reference"}) {
            const OwnedCompilation compilation = compileFor(model, findDevice(prefix));
            OwnedExecution execution;
            REQUIRE(ANeuralNetworksExecution_create(compilation.get(), execution.place()) ==
                    ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_setMeasureTiming(execution.get(), true) ==
                    ANEURALNETWORKS_NO_ERROR);
            const std::vector<float> input = ramp(100);
            std::vector<float> output(100);
            REQUIRE(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, input.data(),
                                                      400) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(),
                                                       400) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_compute(execution.get()) == ANEURALNETWORKS_NO_ERROR);
            std::uint64_t device = 0;
            std::uint64_t driver = 0;
            CHECK(ANeuralNetworksExecution_getDuration(execution.get(), 0, &device) ==
                  ANEURALNETWORKS_NO_ERROR);
            CHECK(ANeuralNetworksExecution_getDuration(execution.get(), 1, &driver) ==
                  ANEURALNETWORKS_NO_ERROR);
            if (std::string(prefix) == "nnapi-reference") {
                CHECK(device == UINT64_MAX);
                CHECK(driver == UINT64_MAX);
            } else {
                CHECK(device > 0);
                CHECK(device <= driver);
                CHECK(driver < 1'000'000'000);
            }
            CHECK(ANeuralNetworksExecution_compute(execution.get()) == ANEURALNETWORKS_BAD_STATE);
        }
    });
}

TEST_CASE("several threads compute one compilation at once, in bursts and without") {
    simCase([] {
        const TestModel model = affineModel(64);
        const OwnedCompilation compilation = compileFor(model, findDevice("vnpu-edge"));
        std::vector<std::thread> threads;
        std::vector<int> mistakes(8, 0);
        for (std::size_t t = 0; t < mistakes.size(); ++t) {
            threads.emplace_back([&, t] {
                OwnedBurst burst;
                if (t % 2 == 0) {
                    ANeuralNetworksBurst_create(compilation.get(), burst.place());
                }
                for (int round = 0; round < 20; ++round) {
                    std::vector<float> input(
                            64, static_cast<float>(t * 100) + static_cast<float>(round));
                    std::vector<float> output(64);
                    OwnedExecution execution;
                    ANeuralNetworksExecution_create(compilation.get(), execution.place());
                    ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, input.data(),
                                                      256);
                    ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(),
                                                       256);
                    const int code = t % 2 == 0 ? ANeuralNetworksExecution_burstCompute(
                                                          execution.get(), burst.get())
                                                : ANeuralNetworksExecution_compute(execution.get());
                    mistakes[t] += code != ANEURALNETWORKS_NO_ERROR || output != affine(input);
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        CHECK(mistakes == std::vector<int>(8, 0));
    });
}

TEST_CASE("objects may be freed before those that were made from them") {
    simCase([] {
        auto model = std::make_unique<TestModel>(affineModel(8));
        OwnedCompilation compilation = compileFor(*model, findDevice("vnpu-edge"));
        model.reset();
        OwnedExecution execution;
        REQUIRE(ANeuralNetworksExecution_create(compilation.get(), execution.place()) ==
                ANEURALNETWORKS_NO_ERROR);
        ANeuralNetworksCompilation_free(compilation.release());
        const std::vector<float> input = ramp(8);
        std::vector<float> output(8);
        REQUIRE(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, input.data(), 32) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(),
                                                   32) == ANEURALNETWORKS_NO_ERROR);
        CHECK(ANeuralNetworksExecution_compute(execution.get()) == ANEURALNETWORKS_NO_ERROR);
        CHECK(output == affine(input));
    });
}

TEST_CASE("an output of open shape reports its size and what it lacks") {
    simCase([] {
        for (const char* prefix : {"vnpu-edge", "nnapi-reference"}) {
            TestModel model;
            const std::uint32_t input = model.floats({6});
            const std::uint32_t sum = model.binary(ANEURALNETWORKS_ADD, input, input, {0});
            model.finish({input}, {sum});
            const OwnedCompilation compilation = compileFor(model, findDevice(prefix));
            const std::vector<float> values = ramp(6);
            for (const std::size_t room : {std::size_t{5}, std::size_t{0}, std::size_t{6}}) {
                OwnedExecution execution;
                std::vector<float> output(6, -1.0F);
                REQUIRE(ANeuralNetworksExecution_create(compilation.get(), execution.place()) ==
                        ANEURALNETWORKS_NO_ERROR);
                REQUIRE(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr,
                                                          values.data(),
                                                          24) == ANEURALNETWORKS_NO_ERROR);
                REQUIRE(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr,
                                                           output.data(),
                                                           room * 4) == ANEURALNETWORKS_NO_ERROR);
                const int expected = room == 6 ? ANEURALNETWORKS_NO_ERROR
                                               : ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE;
                CHECK(ANeuralNetworksExecution_compute(execution.get()) == expected);
                std::uint32_t rank = 0;
                std::uint32_t size = 0;
                CHECK(ANeuralNetworksExecution_getOutputOperandRank(execution.get(), 0, &rank) ==
                      expected);
                CHECK(ANeuralNetworksExecution_getOutputOperandDimensions(execution.get(), 0,
                                                                          &size) == expected);
                CHECK(rank == 1);
                CHECK(size == 6);
                CHECK(output[0] == (room == 6 ? 2.0F : -1.0F));
            }
        }
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
