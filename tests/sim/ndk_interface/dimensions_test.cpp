// SPDX-License-Identifier: Apache-2.0
// Shapes that the model leaves open, and shapes of outputs that are found out.
#include <doctest/doctest.h>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;

/// Runs the body with a sum whose vectors have an open size, compiled for one device after the
/// other.
void openSumCase(const std::vector<std::uint32_t>& inputDimensions,
                 const std::vector<std::uint32_t>& outputDimensions,
                 const std::function<void(ANeuralNetworksExecution*)>& body) {
    ndkCase([&] {
        const SumModel model(SumModel::Step::kFinished, inputDimensions, outputDimensions);
        for (const ANeuralNetworksDevice* const device : {firstDevice(), cpuDevice()}) {
            const NdkCompilation compilation = compile(model.get(), {device});
            const NdkExecution execution = newExecution(compilation.get());
            body(execution.get());
        }
    });
}

const OperandSpec kThree{.dimensions = {3}};

std::string setInput(ANeuralNetworksExecution* execution, std::int32_t index,
                     const OperandSpec& type, const std::vector<float>& values) {
    const ANeuralNetworksOperandType given = type.get();
    return code(ndk().executionSetInput(execution, index, &given, values.data(),
                                        values.size() * sizeof(float)));
}

std::uint32_t onlyDimension(ANeuralNetworksExecution* execution, const std::string& expected) {
    std::uint32_t rank = 0, dimension = 0;
    CHECK(code(ndk().executionGetOutputOperandRank(execution, 0, &rank)) == expected);
    REQUIRE(rank == 1);
    CHECK(code(ndk().executionGetOutputOperandDimensions(execution, 0, &dimension)) == expected);
    return dimension;
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/dimensions");

TEST_CASE("an execution gives the sizes of its inputs and learns those of its outputs") {
    openSumCase({0}, {0}, [](ANeuralNetworksExecution* execution) {
        const std::vector<float> first = {1, 2, 3}, second = {10, 20, 30};
        std::vector<float> sum(4, -1.0F);
        CHECK(setInput(execution, 0, kThree, first) == "NO_ERROR");
        CHECK(setInput(execution, 1, kThree, second) == "NO_ERROR");
        CHECK(code(ndk().executionSetOutput(execution, 0, nullptr, sum.data(), 16)) == "NO_ERROR");
        CHECK(code(ndk().executionCompute(execution)) == "NO_ERROR");
        CHECK(onlyDimension(execution, "NO_ERROR") == 3);
        for (std::size_t i = 0; i < sum.size(); ++i) {
            CAPTURE(i);
            CHECK(sum[i] == (i < 3 ? first[i] + second[i] : -1.0F));
        }
    });
}

TEST_CASE("a model without a rank takes vectors and matrices") {
    ndkCase([] {
        const SumModel model(SumModel::Step::kFinished, {}, {});
        const NdkCompilation compilation = compile(model.get());
        for (const std::vector<std::uint32_t>& shape :
             {std::vector<std::uint32_t>{4}, std::vector<std::uint32_t>{2, 2}}) {
            const NdkExecution execution = newExecution(compilation.get());
            const OperandSpec type{.dimensions = shape};
            const std::vector<float> ones(4, 1.0F);
            std::vector<float> sum(4);
            CHECK(setInput(execution.get(), 0, type, ones) == "NO_ERROR");
            CHECK(setInput(execution.get(), 1, type, ones) == "NO_ERROR");
            CHECK(code(ndk().executionSetOutput(execution.get(), 0, nullptr, sum.data(), 16)) ==
                  "NO_ERROR");
            CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
            std::uint32_t rank = 0;
            std::vector<std::uint32_t> dimensions(shape.size());
            CHECK(code(ndk().executionGetOutputOperandRank(execution.get(), 0, &rank)) ==
                  "NO_ERROR");
            REQUIRE(rank == shape.size());
            CHECK(code(ndk().executionGetOutputOperandDimensions(execution.get(), 0,
                                                                 dimensions.data())) == "NO_ERROR");
            CHECK(dimensions == shape);
            CHECK(sum == std::vector<float>(4, 2.0F));
        }
    });
}

TEST_CASE("an input whose size stays open is refused") {
    openSumCase({0}, {0}, [](ANeuralNetworksExecution* execution) {
        const float values[3] = {};
        CHECK(code(ndk().executionSetInput(execution, 0, nullptr, values, 12)) == "BAD_DATA");
    });
}

TEST_CASE("an output without room reports its shape, and a new execution succeeds") {
    ndkCase([] {
        const SumModel model(SumModel::Step::kFinished, {3}, {0});
        for (const ANeuralNetworksDevice* const device : {firstDevice(), cpuDevice()}) {
            const NdkCompilation compilation = compile(model.get(), {device});
            const std::vector<float> ones(3, 1.0F);
            std::vector<float> sum(3, -1.0F);
            for (const std::size_t room : {std::size_t{11}, std::size_t{12}}) {
                CAPTURE(room);
                const NdkExecution execution = newExecution(compilation.get());
                CHECK(setInput(execution.get(), 0, kThree, ones) == "NO_ERROR");
                CHECK(setInput(execution.get(), 1, kThree, ones) == "NO_ERROR");
                CHECK(code(ndk().executionSetOutput(execution.get(), 0, nullptr, sum.data(),
                                                    room)) == "NO_ERROR");
                const std::string expected = room < 12 ? "OUTPUT_INSUFFICIENT_SIZE" : "NO_ERROR";
                CHECK(code(ndk().executionCompute(execution.get())) == expected);
                CHECK(onlyDimension(execution.get(), expected) == 3);
                CHECK(sum == std::vector<float>(3, room < 12 ? -1.0F : 2.0F));
            }
        }
    });
}

TEST_CASE("inputs whose given shapes do not fit each other are refused when they are computed") {
    openSumCase({0}, {0}, [](ANeuralNetworksExecution* execution) {
        const std::vector<float> three(3), two(2);
        std::vector<float> sum(4);
        CHECK(setInput(execution, 0, kThree, three) == "NO_ERROR");
        CHECK(setInput(execution, 1, {.dimensions = {2}}, two) == "NO_ERROR");
        CHECK(code(ndk().executionSetOutput(execution, 0, nullptr, sum.data(), 16)) == "NO_ERROR");
        CHECK(code(ndk().executionCompute(execution)) != "NO_ERROR");
    });
}

TEST_CASE("one compilation with open shapes serves executions of several sizes") {
    ndkCase([] {
        const SumModel model(SumModel::Step::kFinished, {0}, {0});
        const NdkCompilation compilation = compile(model.get());
        for (const std::uint32_t size : {1U, 7U, 64U, 3U}) {
            CAPTURE(size);
            const NdkExecution execution = newExecution(compilation.get());
            const std::vector<float> halves(size, 0.5F);
            std::vector<float> sum(size);
            CHECK(setInput(execution.get(), 0, {.dimensions = {size}}, halves) == "NO_ERROR");
            CHECK(setInput(execution.get(), 1, {.dimensions = {size}}, halves) == "NO_ERROR");
            CHECK(code(ndk().executionSetOutput(execution.get(), 0, nullptr, sum.data(),
                                                size * sizeof(float))) == "NO_ERROR");
            CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
            CHECK(onlyDimension(execution.get(), "NO_ERROR") == size);
            CHECK(sum == std::vector<float>(size, 1.0F));
        }
    });
}

TEST_SUITE_END();
