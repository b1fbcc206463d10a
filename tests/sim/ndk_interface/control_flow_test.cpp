// SPDX-License-Identifier: Apache-2.0
// Models within models: IF and WHILE.
#include <doctest/doctest.h>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;

const OperandSpec kCount{.type = ANEURALNETWORKS_TENSOR_INT32, .dimensions = {1}};
const OperandSpec kCondition{.type = ANEURALNETWORKS_TENSOR_BOOL8, .dimensions = {1}};
const OperandSpec kReference{.type = ANEURALNETWORKS_MODEL};

/// Adds an operation and declares inputs and outputs, and finishes the model.
void complete(ANeuralNetworksModel* model, std::int32_t operation,
              const std::vector<std::uint32_t>& operands, const std::vector<std::uint32_t>& results,
              const std::vector<std::uint32_t>& inputs) {
    const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    require(ndk().modelAddOperation(model, operation, size(operands), operands.data(),
                                    size(results), results.data()));
    require(ndk().modelIdentifyInputsAndOutputs(model, size(inputs), inputs.data(), size(results),
                                                results.data()));
    require(ndk().modelFinish(model));
}

/// first - second, of vectors of two floats.
NdkModel differenceModel() {
    NdkModel model = newModel();
    const std::int32_t none = 0;
    for (const OperandSpec& operand : {kPair, kPair, kScalar, kPair}) {
        require(addOperand(model.get(), operand));
    }
    require(ndk().modelSetOperandValue(model.get(), 2, &none, sizeof(none)));
    complete(model.get(), ANEURALNETWORKS_SUB, {0, 1, 2}, {3}, {0, 1});
    return model;
}

/// The sum where the condition holds, and the difference elsewhere.
class Choice {
  public:
    Choice() {
        for (const OperandSpec& operand :
             {kCondition, kReference, kReference, kPair, kPair, kPair}) {
            require(addOperand(model_.get(), operand));
        }
        require(ndk().modelSetOperandValueFromModel(model_.get(), 1, sum_.get()));
        require(ndk().modelSetOperandValueFromModel(model_.get(), 2, difference_.get()));
        complete(model_.get(), ANEURALNETWORKS_IF, {0, 1, 2, 3, 4}, {5}, {0, 3, 4});
    }

    ANeuralNetworksModel* get() const { return model_.get(); }

  private:
    const SumModel sum_;
    const NdkModel difference_ = differenceModel();
    const NdkModel model_ = newModel();
};

/// count + 1 until it is not below a constant limit.
class Counter {
  public:
    explicit Counter(std::int32_t limit) {
        makeCondition(limit);
        makeStep();
        for (const OperandSpec& operand : {kReference, kReference, kCount, kCount}) {
            require(addOperand(model_.get(), operand));
        }
        require(ndk().modelSetOperandValueFromModel(model_.get(), 0, condition_.get()));
        require(ndk().modelSetOperandValueFromModel(model_.get(), 1, step_.get()));
        complete(model_.get(), ANEURALNETWORKS_WHILE, {0, 1, 2}, {3}, {2});
    }

    ANeuralNetworksModel* get() const { return model_.get(); }

  private:
    void makeCondition(std::int32_t limit) {
        for (const OperandSpec& operand : {kCount, kCount, kCondition}) {
            require(addOperand(condition_.get(), operand));
        }
        require(ndk().modelSetOperandValue(condition_.get(), 1, &limit, sizeof(limit)));
        complete(condition_.get(), ANEURALNETWORKS_LESS, {0, 1}, {2}, {0});
    }
    void makeStep() {
        const std::int32_t one = 1, none = 0;
        for (const OperandSpec& operand : {kCount, kCount, kScalar, kCount}) {
            require(addOperand(step_.get(), operand));
        }
        require(ndk().modelSetOperandValue(step_.get(), 1, &one, sizeof(one)));
        require(ndk().modelSetOperandValue(step_.get(), 2, &none, sizeof(none)));
        complete(step_.get(), ANEURALNETWORKS_ADD, {0, 1, 2}, {3}, {0});
    }

    const NdkModel condition_ = newModel();
    const NdkModel step_ = newModel();
    const NdkModel model_ = newModel();
};

/// The code of computing a counter from 0 on; `count` gets the result.
std::string count(ANeuralNetworksCompilation* compilation, std::uint64_t loopTimeout,
                  std::int32_t& result) {
    const NdkExecution execution = newExecution(compilation);
    const std::int32_t begin = 0;
    require(ndk().executionSetInput(execution.get(), 0, nullptr, &begin, sizeof(begin)));
    require(ndk().executionSetOutput(execution.get(), 0, nullptr, &result, sizeof(result)));
    require(ndk().executionSetLoopTimeout(execution.get(), loopTimeout));
    return code(ndk().executionCompute(execution.get()));
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/control_flow");

TEST_CASE("IF computes the model that its condition chooses") {
    ndkCase([] {
        const Choice model;
        for (const ANeuralNetworksDevice* const device : {firstDevice(), cpuDevice()}) {
            const NdkCompilation compilation = compile(model.get(), {device});
            for (const bool isTrue : {true, false}) {
                const NdkExecution execution = newExecution(compilation.get());
                const auto condition = static_cast<std::uint8_t>(isTrue);
                const float first[] = {5.0F, 7.0F}, second[] = {1.0F, 2.0F};
                float result[2] = {};
                require(ndk().executionSetInput(execution.get(), 0, nullptr, &condition, 1));
                require(ndk().executionSetInput(execution.get(), 1, nullptr, first, 8));
                require(ndk().executionSetInput(execution.get(), 2, nullptr, second, 8));
                require(ndk().executionSetOutput(execution.get(), 0, nullptr, result, 8));
                CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
                CHECK(result[0] == (isTrue ? 6.0F : 4.0F));
                CHECK(result[1] == (isTrue ? 9.0F : 5.0F));
            }
        }
    });
}

TEST_CASE("WHILE repeats its model as long as its condition holds") {
    ndkCase([] {
        const Counter model(9);
        for (const ANeuralNetworksDevice* const device : {firstDevice(), cpuDevice()}) {
            const NdkCompilation compilation = compile(model.get(), {device});
            std::int32_t result = -1;
            CHECK(count(compilation.get(), 1'000'000'000, result) == "NO_ERROR");
            CHECK(result == 9);
        }
    });
}

TEST_CASE("a loop that does not end misses its deadline") {
    ndkCase([] {
        const Counter model(INT32_MAX);
        for (const ANeuralNetworksDevice* const device : {firstDevice(), cpuDevice()}) {
            const NdkCompilation compilation = compile(model.get(), {device});
            std::int32_t result = -1;
            const std::string outcome = count(compilation.get(), 1'000'000, result);
            CHECK((outcome == "MISSED_DEADLINE_TRANSIENT" ||
                   outcome == "MISSED_DEADLINE_PERSISTENT"));
        }
    });
}

TEST_CASE("branches whose arguments differ from those of IF are refused") {
    ndkCase([] {
        const SumModel pairs;
        const SumModel triples(SumModel::Step::kFinished, {3}, {3});
        const NdkModel model = newModel();
        for (const OperandSpec& operand :
             {kCondition, kReference, kReference, kPair, kPair, kPair}) {
            require(addOperand(model.get(), operand));
        }
        require(ndk().modelSetOperandValueFromModel(model.get(), 1, pairs.get()));
        require(ndk().modelSetOperandValueFromModel(model.get(), 2, triples.get()));
        const auto add = [&](const std::vector<std::uint32_t>& inputs) {
            const std::uint32_t output = 5;
            return code(ndk().modelAddOperation(model.get(), ANEURALNETWORKS_IF,
                                                static_cast<std::uint32_t>(inputs.size()),
                                                inputs.data(), 1, &output));
        };
        CHECK(add({0, 1, 2, 3, 4}) == "BAD_DATA");  // other shapes
        CHECK(add({0, 1, 1, 3}) == "BAD_DATA");     // too few
        CHECK(add({3, 1, 1, 3, 4}) == "BAD_DATA");  // the condition is no bool
        CHECK(add({0, 3, 1, 3, 4}) == "BAD_DATA");  // a branch is no model
        CHECK(add({0, 1, 1, 3, 4}) == "NO_ERROR");
    });
}

TEST_CASE("a condition of WHILE with another output than one bool is refused") {
    ndkCase([] {
        const SumModel sum;
        const NdkModel model = newModel();
        for (const OperandSpec& operand : {kReference, kReference, kPair, kPair, kPair}) {
            require(addOperand(model.get(), operand));
        }
        require(ndk().modelSetOperandValueFromModel(model.get(), 0, sum.get()));
        require(ndk().modelSetOperandValueFromModel(model.get(), 1, sum.get()));
        const std::uint32_t inputs[] = {0, 1, 2, 3}, output = 4;
        CHECK(code(ndk().modelAddOperation(model.get(), ANEURALNETWORKS_WHILE, 4, inputs, 1,
                                           &output)) == "BAD_DATA");
    });
}

TEST_SUITE_END();
