// SPDX-License-Identifier: Apache-2.0
// Every operation with operands that are right, and with one thing wrong. What types and numbers
// of operands tell is refused by addOperation, as in Android; shapes at the latest when the model
// is compiled, values at the latest when it is computed.
#include <doctest/doctest.h>

#include <cstring>
#include <string_view>

#include "driver/validation/operand_types.h"
#include "sim/models/operand_types.h"
#include "tests/sim/ndk_interface/operation_examples.h"

namespace {

using namespace vnpu::test;

/// The codes of the steps from an example to a compilation, up to the first that failed.
struct Outcome {
    std::string addOperation, compilation = "not reached";
    std::string operands = "NO_ERROR";  // of addOperand and setOperandValue
};

/// Builds a model of one operation.
class ExampleModel {
  public:
    explicit ExampleModel(const OperationExample& example) : example_(example) {}

    Outcome build() {
        for (const ExampleOperand& operand : example_.inputs) {
            inputs_.push_back(add(operand));
            if (!operand.value) {
                modelInputs_.push_back(inputs_.back());
            }
        }
        for (const ExampleOperand& operand : example_.outputs) {
            outputs_.push_back(add(operand));
        }
        if (outcome_.operands != "NO_ERROR") {
            return outcome_;
        }
        outcome_.addOperation =
                code(ndk().modelAddOperation(model_.get(), example_.row->operation, size(inputs_),
                                             dataOf(inputs_), size(outputs_), dataOf(outputs_)));
        if (outcome_.addOperation == "NO_ERROR") {
            outcome_.compilation = compileModel();
        }
        return outcome_;
    }

    /// The code of an execution of the model that build() has compiled, with inputs of zeros.
    std::string compute() {
        const NdkExecution execution = newExecution(compilation_.get());
        std::vector<std::vector<std::byte>> buffers;
        std::int32_t input = 0;
        for (const ExampleOperand& operand : example_.inputs) {
            if (!operand.value) {
                auto& bytes = buffers.emplace_back(bytesOf(operand));
                require(ndk().executionSetInput(execution.get(), input++, nullptr, bytes.data(),
                                                bytes.size()));
            }
        }
        std::int32_t output = 0;
        for (const ExampleOperand& operand : example_.outputs) {
            auto& bytes = buffers.emplace_back(bytesOf(operand));
            require(ndk().executionSetOutput(execution.get(), output++, nullptr, bytes.data(),
                                             bytes.size()));
        }
        return code(ndk().executionCompute(execution.get()));
    }

  private:
    /// Zeros for an operand; many if its shape is not fully known.
    static std::vector<std::byte> bytesOf(const ExampleOperand& operand) {
        return std::vector<std::byte>(
                vnpu::driver::sizeOfData(static_cast<vnpu::sim::nn::OperandType>(operand.spec.type),
                                         operand.spec.dimensions)
                        .value_or(4096));
    }

    static std::uint32_t size(const std::vector<std::uint32_t>& list) {
        return static_cast<std::uint32_t>(list.size());
    }

    /// Not null for an empty list either, which would be another mistake.
    static const std::uint32_t* dataOf(const std::vector<std::uint32_t>& list) {
        static constexpr std::uint32_t kNothing = 0;
        return list.empty() ? &kNothing : list.data();
    }

    std::uint32_t add(const ExampleOperand& operand) {
        const std::uint32_t index = count_++;
        keep(code(addOperand(model_.get(), operand.spec)));
        const auto signedIndex = static_cast<std::int32_t>(index);
        if (operand.spec.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) {
            const std::vector<float> scales(operand.spec.dimensions[0], 0.5F);
            const ANeuralNetworksSymmPerChannelQuantParams parameters = {
                    0, static_cast<std::uint32_t>(scales.size()), scales.data()};
            keep(code(ndk().modelSetOperandSymmPerChannelQuantParams(model_.get(), signedIndex,
                                                                     &parameters)));
        }
        if (operand.value) {
            keep(code(ndk().modelSetOperandValue(model_.get(), signedIndex, operand.value->data(),
                                                 operand.value->size())));
        }
        return index;
    }

    void keep(const std::string& result) {
        if (outcome_.operands == "NO_ERROR") {
            outcome_.operands = result;
        }
    }

    /// The first code from identifyInputsAndOutputs on that is not NO_ERROR, or NO_ERROR.
    std::string compileModel() {
        int result = ndk().modelIdentifyInputsAndOutputs(model_.get(), size(modelInputs_),
                                                         dataOf(modelInputs_), size(outputs_),
                                                         outputs_.data());
        if (result == ANEURALNETWORKS_NO_ERROR) {
            result = ndk().modelFinish(model_.get());
        }
        if (result != ANEURALNETWORKS_NO_ERROR) {
            return code(result);
        }
        compilation_ = newCompilation(model_.get());
        return code(ndk().compilationFinish(compilation_.get()));
    }

    const OperationExample& example_;
    const NdkModel model_ = newModel();
    NdkCompilation compilation_{nullptr, nullptr};
    Outcome outcome_;
    std::uint32_t count_ = 0;
    std::vector<std::uint32_t> inputs_, outputs_, modelInputs_;
};

Outcome build(const OperationExample& example) {
    return ExampleModel(example).build();
}

/// The first code that is not NO_ERROR.
std::string refusalOf(const Outcome& outcome) {
    return outcome.addOperation != "NO_ERROR" ? outcome.addOperation : outcome.compilation;
}

void forEachExample(const std::function<void(OperationExample)>& body) {
    ndkCase([&] {
        for (const OperationExample& example : operationExamples()) {
            CAPTURE(example.name);
            body(example);
        }
    });
}

bool isTensor(const ExampleOperand& operand) {
    return !operand.spec.dimensions.empty();
}

bool takesAnyTensor(const OperationExample& example, std::size_t input) {
    return example.row->operation == ANEURALNETWORKS_RANK ||
           (example.row->operation == ANEURALNETWORKS_LSH_PROJECTION && input == 1);
}

/// An operand of a type that no operation of the table takes in this place.
ExampleOperand ofWrongType(const ExampleOperand& operand) {
    if (isTensor(operand)) {
        return {{ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, operand.spec.dimensions, 1.0F, 0}};
    }
    ExampleOperand wrong{{ANEURALNETWORKS_UINT32}};
    wrong.value = std::vector<std::byte>(4);
    return wrong;
}

/// Values outside the range of a scalar's role.
std::vector<std::int32_t> wrongValues(ScalarRole role) {
    switch (role) {
        case ScalarRole::kActivation:
            return {-1, 7, 1000};  // RNN and SVDF also have 4, tanh, and 6, sigmoid
        case ScalarRole::kPadding:
            return {-1, 0, 3};
        case ScalarRole::kPositive:
            return {0, -1};
        default:
            return {};
    }
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/operation_validation");

TEST_CASE("every operation of the table is taken in each of its types, and compiles") {
    CHECK(operationExamples().size() > 290);
    forEachExample([](const OperationExample& example) {
        const Outcome outcome = build(example);
        CHECK(outcome.operands == "NO_ERROR");
        CHECK(outcome.addOperation == "NO_ERROR");
        CHECK(outcome.compilation == "NO_ERROR");
    });
}

TEST_CASE("optional inputs may be left out") {
    forEachExample([](OperationExample example) {
        for (std::size_t i = 0; i < example.row->optional; ++i) {
            example.inputs.pop_back();
            // One dilation cannot be left out alone.
            const bool isHalfPair =
                    i == 0 && example.row->name.find("CONV_2D") != std::string::npos;
            CHECK(build(example).addOperation == (isHalfPair ? "BAD_DATA" : "NO_ERROR"));
        }
    });
}

TEST_CASE("an input too few is refused") {
    forEachExample([](OperationExample example) {
        example.inputs.resize(example.inputs.size() - example.row->optional - 1);
        if (!example.inputs.empty()) {
            CHECK(build(example).addOperation == "BAD_DATA");
        }
    });
}

TEST_CASE("an input too many is refused") {
    forEachExample([](OperationExample example) {
        example.inputs.push_back(example.inputs.back());
        CHECK(build(example).addOperation == "BAD_DATA");
    });
}

TEST_CASE("an output too few or too many is refused") {
    forEachExample([](const OperationExample& example) {
        if (!example.row->hasFixedOutputs) {
            return;
        }
        OperationExample more = example, fewer = example;
        more.outputs.push_back(more.outputs.back());
        CHECK(build(more).addOperation == "BAD_DATA");
        fewer.outputs.pop_back();
        CHECK(build(fewer).addOperation == "BAD_DATA");
    });
}

TEST_CASE("an input of a wrong type is refused, whichever it is") {
    forEachExample([](const OperationExample& example) {
        for (std::size_t i = 0; i < example.inputs.size(); ++i) {
            if (takesAnyTensor(example, i)) {
                continue;
            }
            CAPTURE(i);
            OperationExample wrong = example;
            wrong.inputs[i] = ofWrongType(example.inputs[i]);
            const Outcome outcome = build(wrong);
            CHECK(outcome.operands == "NO_ERROR");
            CHECK(outcome.addOperation == "BAD_DATA");
        }
    });
}

TEST_CASE("an output of a wrong type is refused, whichever it is") {
    forEachExample([](const OperationExample& example) {
        for (std::size_t i = 0; i < example.outputs.size(); ++i) {
            CAPTURE(i);
            OperationExample wrong = example;
            wrong.outputs[i] = ofWrongType(example.outputs[i]);
            wrong.outputs[i].value.reset();
            CHECK(build(wrong).addOperation == "BAD_DATA");
        }
    });
}

TEST_CASE("a scalar in place of a tensor, and the reverse, are refused") {
    forEachExample([](const OperationExample& example) {
        for (std::size_t i = 0; i < example.inputs.size(); ++i) {
            CAPTURE(i);
            OperationExample wrong = example;
            if (isTensor(example.inputs[i])) {
                wrong.inputs[i] = {{ANEURALNETWORKS_UINT32}};
                wrong.inputs[i].value = std::vector<std::byte>(4);
            } else {
                wrong.inputs[i] = {{ANEURALNETWORKS_TENSOR_BOOL8, {1}}};
            }
            CHECK(build(wrong).addOperation == "BAD_DATA");
        }
    });
}

TEST_CASE("a dimension too many is refused where the rank is fixed") {
    forEachExample([](OperationExample example) {
        if (example.row->hasFixedRank) {
            example.inputs[0].spec.dimensions.push_back(1);
            CHECK(refusalOf(build(example)) == "BAD_DATA");
        }
    });
}

TEST_CASE(
        "activations, padding schemes and sizes outside their values fail, at the latest when they "
        "are computed") {
    forEachExample([](const OperationExample& example) {
        for (std::size_t i = 0; i < example.inputs.size(); ++i) {
            for (const std::int32_t value : wrongValues(example.inputs[i].role)) {
                CAPTURE(i);
                CAPTURE(value);
                OperationExample wrong = example;
                std::memcpy(wrong.inputs[i].value->data(), &value, sizeof(value));
                ExampleModel model(wrong);
                const std::string refusal = refusalOf(model.build());
                if (refusal == "NO_ERROR") {
                    CHECK(model.compute() == "OP_FAILED");
                } else {
                    CHECK(refusal == "BAD_DATA");
                }
            }
        }
    });
}

TEST_SUITE_END();
