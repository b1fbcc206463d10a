// SPDX-License-Identifier: Apache-2.0
// Wrong arguments of the functions for models.
#include <doctest/doctest.h>

#include <limits>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;
using Step = SumModel::Step;

std::string addTo(const NdkModel& model, const OperandSpec& operand) {
    return code(addOperand(model.get(), operand));
}

/// The code of addOperand for a model of its own.
std::string add(const OperandSpec& operand) {
    return addTo(newModel(), operand);
}

/// A model with one operand.
NdkModel modelWith(const OperandSpec& operand) {
    NdkModel model = newModel();
    REQUIRE(addTo(model, operand) == "NO_ERROR");
    return model;
}

/// The code of addOperation(ADD) for a sum's operands, with other indexes.
std::string addSum(std::vector<std::uint32_t> inputs, std::vector<std::uint32_t> outputs) {
    const SumModel model(Step::kOperands);
    return code(ndk().modelAddOperation(
            model.get(), ANEURALNETWORKS_ADD, static_cast<std::uint32_t>(inputs.size()),
            inputs.data(), static_cast<std::uint32_t>(outputs.size()), outputs.data()));
}

std::string identify(ANeuralNetworksModel* model, std::vector<std::uint32_t> inputs,
                     std::vector<std::uint32_t> outputs) {
    return code(ndk().modelIdentifyInputsAndOutputs(
            model, static_cast<std::uint32_t>(inputs.size()), inputs.data(),
            static_cast<std::uint32_t>(outputs.size()), outputs.data()));
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/model_arguments");

TEST_CASE("create and free take null as documented") {
    ndkCase([] { CHECK(code(ndk().modelCreate(nullptr)) == "UNEXPECTED_NULL"); });
}

TEST_CASE("addOperand refuses null and unknown types") {
    ndkCase([] {
        const ANeuralNetworksOperandType type = kPair.get();
        CHECK(code(ndk().modelAddOperand(nullptr, &type)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().modelAddOperand(newModel().get(), nullptr)) == "UNEXPECTED_NULL");
        for (const std::int32_t unknown : {-1, 16, 9999, std::numeric_limits<std::int32_t>::max(),
                                           std::numeric_limits<std::int32_t>::min()}) {
            CAPTURE(unknown);
            CHECK(add({.type = unknown}) == "BAD_DATA");
        }
    });
}

TEST_CASE("addOperand takes each type with fitting parameters") {
    ndkCase([] {
        for (const std::int32_t scalar :
             {ANEURALNETWORKS_FLOAT32, ANEURALNETWORKS_INT32, ANEURALNETWORKS_UINT32,
              ANEURALNETWORKS_BOOL, ANEURALNETWORKS_FLOAT16, ANEURALNETWORKS_MODEL}) {
            CAPTURE(scalar);
            CHECK(add({.type = scalar}) == "NO_ERROR");
        }
        for (const std::int32_t tensor :
             {ANEURALNETWORKS_TENSOR_FLOAT32, ANEURALNETWORKS_TENSOR_FLOAT16,
              ANEURALNETWORKS_TENSOR_INT32, ANEURALNETWORKS_TENSOR_BOOL8,
              ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL}) {
            CAPTURE(tensor);
            CHECK(add({.type = tensor, .dimensions = {2, 3}}) == "NO_ERROR");
        }
        for (const std::int32_t quantized :
             {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED,
              ANEURALNETWORKS_TENSOR_QUANT8_SYMM, ANEURALNETWORKS_TENSOR_QUANT16_SYMM,
              ANEURALNETWORKS_TENSOR_QUANT16_ASYMM}) {
            CAPTURE(quantized);
            CHECK(add({.type = quantized, .dimensions = {2, 3}, .scale = 0.5F}) == "NO_ERROR");
        }
    });
}

TEST_CASE("addOperand refuses a scalar with dimensions") {
    ndkCase([] {
        for (const std::int32_t scalar :
             {ANEURALNETWORKS_FLOAT32, ANEURALNETWORKS_INT32, ANEURALNETWORKS_UINT32,
              ANEURALNETWORKS_BOOL, ANEURALNETWORKS_FLOAT16, ANEURALNETWORKS_MODEL}) {
            CAPTURE(scalar);
            CHECK(add({.type = scalar, .dimensions = {1}}) == "BAD_DATA");
        }
    });
}

TEST_CASE("addOperand refuses scales and zero points where the type has none") {
    ndkCase([] {
        for (const std::int32_t plain :
             {ANEURALNETWORKS_TENSOR_FLOAT32, ANEURALNETWORKS_TENSOR_FLOAT16,
              ANEURALNETWORKS_TENSOR_BOOL8, ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL}) {
            CAPTURE(plain);
            CHECK(add({.type = plain, .dimensions = {2}, .scale = 1.0F}) == "BAD_DATA");
            CHECK(add({.type = plain, .dimensions = {2}, .zeroPoint = 1}) == "BAD_DATA");
        }
        for (const std::int32_t scalar :
             {ANEURALNETWORKS_FLOAT32, ANEURALNETWORKS_INT32, ANEURALNETWORKS_UINT32,
              ANEURALNETWORKS_BOOL, ANEURALNETWORKS_FLOAT16}) {
            CAPTURE(scalar);
            CHECK(add({.type = scalar, .scale = 1.0F}) == "BAD_DATA");
            CHECK(add({.type = scalar, .zeroPoint = 1}) == "BAD_DATA");
        }
    });
}

TEST_CASE("addOperand refuses a scale that is not above 0 for quantized tensors") {
    ndkCase([] {
        for (const std::int32_t type :
             {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED,
              ANEURALNETWORKS_TENSOR_QUANT8_SYMM, ANEURALNETWORKS_TENSOR_QUANT16_SYMM,
              ANEURALNETWORKS_TENSOR_QUANT16_ASYMM}) {
            CAPTURE(type);
            CHECK(add({.type = type, .dimensions = {2}, .scale = 0.0F}) == "BAD_DATA");
            CHECK(add({.type = type, .dimensions = {2}, .scale = -1.0F}) == "BAD_DATA");
        }
        // A bias has a scale of 0 or above.
        CHECK(add({.type = ANEURALNETWORKS_TENSOR_INT32, .dimensions = {2}, .scale = -1.0F}) ==
              "BAD_DATA");
    });
}

TEST_CASE("addOperand refuses zero points outside the type's values") {
    ndkCase([] {
        const auto addWith = [](std::int32_t type, std::int32_t zeroPoint) {
            return add({.type = type, .dimensions = {2}, .scale = 1.0F, .zeroPoint = zeroPoint});
        };
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, -1) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 256) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 255) == "NO_ERROR");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, -129) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, 128) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, -128) == "NO_ERROR");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, -1) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, 65536) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, 65535) == "NO_ERROR");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT8_SYMM, 1) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, 1) == "BAD_DATA");
        CHECK(addWith(ANEURALNETWORKS_TENSOR_INT32, 1) == "BAD_DATA");
    });
}

TEST_CASE("addOperand refuses tensors whose bytes have no 32-bit size") {
    ndkCase([] {
        CHECK(add({.dimensions = {65536, 16384}}) == "BAD_DATA");
        CHECK(add({.dimensions = {UINT32_MAX, UINT32_MAX, 2}}) == "BAD_DATA");
    });
}

TEST_CASE("setOperandValue refuses null, other operands and lengths other than the operand's") {
    ndkCase([] {
        const NdkModel model = modelWith(kPair);
        const float values[3] = {};
        const auto set = [&](std::int32_t index, const void* buffer, std::size_t length) {
            return code(ndk().modelSetOperandValue(model.get(), index, buffer, length));
        };
        CHECK(code(ndk().modelSetOperandValue(nullptr, 0, values, 8)) == "UNEXPECTED_NULL");
        CHECK(set(0, nullptr, 8) == "UNEXPECTED_NULL");
        CHECK(set(1, values, 8) == "BAD_DATA");
        CHECK(set(-1, values, 8) == "BAD_DATA");
        CHECK(set(0, values, 4) == "BAD_DATA");
        CHECK(set(0, values, 12) == "BAD_DATA");
        CHECK(set(0, values, std::numeric_limits<std::size_t>::max()) == "BAD_DATA");
        CHECK(set(0, values, 8) == "NO_ERROR");
    });
}

TEST_CASE("an operand may be left without value, which needs no pointer") {
    ndkCase([] {
        const NdkModel model = modelWith(kPair);
        CHECK(code(ndk().modelSetOperandValue(model.get(), 0, nullptr, 0)) == "NO_ERROR");
    });
}

TEST_CASE("setOperandValue refuses a constant of unknown shape") {
    ndkCase([] {
        const NdkModel model = modelWith({.dimensions = {0, 2}});
        const float values[2] = {};
        CHECK(code(ndk().modelSetOperandValue(model.get(), 0, values, sizeof(values))) ==
              "BAD_DATA");
    });
}

TEST_CASE("setOperandValueFromMemory refuses null, other operands and parts outside the memory") {
    ndkCase([] {
        const NdkModel model = modelWith(kPair);
        const MemoryFile file(16);
        const NdkMemory memory = file.memory();
        const auto set = [&](std::int32_t index, std::size_t offset, std::size_t length) {
            return code(ndk().modelSetOperandValueFromMemory(model.get(), index, memory.get(),
                                                             offset, length));
        };
        CHECK(code(ndk().modelSetOperandValueFromMemory(nullptr, 0, memory.get(), 0, 8)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelSetOperandValueFromMemory(model.get(), 0, nullptr, 0, 8)) ==
              "UNEXPECTED_NULL");
        CHECK(set(1, 0, 8) == "BAD_DATA");
        CHECK(set(-1, 0, 8) == "BAD_DATA");
        CHECK(set(0, 0, 4) == "BAD_DATA");
        CHECK(set(0, 12, 8) == "BAD_DATA");
        CHECK(set(0, std::numeric_limits<std::size_t>::max(), 8) == "BAD_DATA");
        CHECK(set(0, 8, 8) == "NO_ERROR");
    });
}

TEST_CASE("setOperandSymmPerChannelQuantParams refuses null and what does not fit the operand") {
    ndkCase([] {
        const OperandSpec filter{.type = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL,
                                 .dimensions = {2, 3}};
        const NdkModel model = modelWith(filter);
        REQUIRE(addTo(model, kPair) == "NO_ERROR");
        float scales[3] = {0.5F, 0.25F, 1.0F};
        const auto set = [&](std::int32_t index, std::uint32_t dimension, std::uint32_t count,
                             const float* values) {
            const ANeuralNetworksSymmPerChannelQuantParams parameters = {dimension, count, values};
            return code(ndk().modelSetOperandSymmPerChannelQuantParams(model.get(), index,
                                                                       &parameters));
        };
        const ANeuralNetworksSymmPerChannelQuantParams good = {0, 2, scales};
        CHECK(code(ndk().modelSetOperandSymmPerChannelQuantParams(nullptr, 0, &good)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelSetOperandSymmPerChannelQuantParams(model.get(), 0, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(set(0, 0, 2, nullptr) != "NO_ERROR");
        CHECK(set(1, 0, 2, scales) == "BAD_DATA");   // another type
        CHECK(set(2, 0, 2, scales) == "BAD_DATA");   // no such operand
        CHECK(set(-1, 0, 2, scales) == "BAD_DATA");  // no such operand
        CHECK(set(0, 2, 2, scales) == "BAD_DATA");   // no such dimension
        CHECK(set(0, 0, 3, scales) == "BAD_DATA");   // the dimension has two
        CHECK(set(0, 1, 2, scales) == "BAD_DATA");   // the dimension has three
        CHECK(set(0, 0, 0, scales) == "BAD_DATA");
        CHECK(set(0, 1, 3, scales) == "NO_ERROR");
        scales[1] = -0.25F;
        CHECK(set(0, 0, 2, scales) == "BAD_DATA");
    });
}

TEST_CASE("setOperandValueFromModel refuses null, other types and a model that is not finished") {
    ndkCase([] {
        const SumModel value;
        const SumModel unfinished(Step::kIdentified);
        const NdkModel model = modelWith({.type = ANEURALNETWORKS_MODEL});
        REQUIRE(addTo(model, kScalar) == "NO_ERROR");
        const auto set = [&](std::int32_t index, const ANeuralNetworksModel* referred) {
            return code(ndk().modelSetOperandValueFromModel(model.get(), index, referred));
        };
        CHECK(code(ndk().modelSetOperandValueFromModel(nullptr, 0, value.get())) ==
              "UNEXPECTED_NULL");
        CHECK(set(0, nullptr) == "UNEXPECTED_NULL");
        CHECK(set(0, unfinished.get()) == "BAD_STATE");
        CHECK(set(2, value.get()) == "BAD_DATA");
        CHECK(set(1, value.get()) == "BAD_DATA");
        CHECK(set(0, value.get()) == "NO_ERROR");
    });
}

TEST_CASE("a model has no value by setOperandValue") {
    ndkCase([] {
        const NdkModel model = modelWith({.type = ANEURALNETWORKS_MODEL});
        const std::uint32_t bytes = 0;
        CHECK(code(ndk().modelSetOperandValue(model.get(), 0, &bytes, sizeof(bytes))) ==
              "BAD_DATA");
    });
}

TEST_CASE("addOperation refuses null") {
    ndkCase([] {
        const SumModel model(Step::kOperands);
        const std::uint32_t inputs[] = {0, 1, 2}, output = 3;
        const auto sum = ANEURALNETWORKS_ADD;
        CHECK(code(ndk().modelAddOperation(nullptr, sum, 3, inputs, 1, &output)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelAddOperation(model.get(), sum, 3, nullptr, 1, &output)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelAddOperation(model.get(), sum, 3, inputs, 1, nullptr)) ==
              "UNEXPECTED_NULL");
    });
}

TEST_CASE("addOperation refuses unknown operations and operands, and wrong numbers of them") {
    ndkCase([] {
        const SumModel model(Step::kOperands);
        const std::uint32_t inputs[] = {0, 1, 2}, output = 3;
        for (const std::int32_t unknown : {-1, 102, 9999, 0x7FFFFFFF}) {
            CAPTURE(unknown);
            CHECK(code(ndk().modelAddOperation(model.get(), unknown, 3, inputs, 1, &output)) ==
                  "BAD_DATA");
        }
        CHECK(addSum({0, 1, 4}, {3}) == "BAD_DATA");
        CHECK(addSum({0, UINT32_MAX, 2}, {3}) == "BAD_DATA");
        CHECK(addSum({0, 1, 2}, {4}) == "BAD_DATA");
        CHECK(addSum({0, 1}, {3}) == "BAD_DATA");
        CHECK(addSum({0, 1, 2, 2}, {3}) == "BAD_DATA");
        CHECK(addSum({0, 1, 2}, {3, 3}) == "BAD_DATA");
        CHECK(addSum({0, 1, 2}, {3}) == "NO_ERROR");
    });
}

TEST_CASE("identifyInputsAndOutputs refuses null, other operands, constants and repetitions") {
    ndkCase([] {
        const SumModel model(Step::kOperation);
        const std::uint32_t inputs[] = {0, 1}, output = 3;
        CHECK(code(ndk().modelIdentifyInputsAndOutputs(nullptr, 2, inputs, 1, &output)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelIdentifyInputsAndOutputs(model.get(), 2, nullptr, 1, &output)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelIdentifyInputsAndOutputs(model.get(), 2, inputs, 1, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(identify(model.get(), {0, 4}, {3}) == "BAD_DATA");
        CHECK(identify(model.get(), {0, 1}, {4}) == "BAD_DATA");
        CHECK(identify(model.get(), {0, 2}, {3}) == "BAD_DATA");  // a constant
        CHECK(identify(model.get(), {0, 1}, {2}) == "BAD_DATA");
        CHECK(identify(model.get(), {0, 0}, {3}) == "BAD_DATA");
        CHECK(identify(model.get(), {0, 1}, {3, 3}) == "BAD_DATA");
        CHECK(identify(model.get(), {0, 1}, {1}) == "BAD_DATA");  // input and output
    });
}

TEST_CASE("relaxComputationFloat32toFloat16 refuses null") {
    ndkCase([] {
        const SumModel model(Step::kIdentified);
        CHECK(code(ndk().modelRelaxComputationFloat32toFloat16(nullptr, true)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelRelaxComputationFloat32toFloat16(model.get(), true)) == "NO_ERROR");
    });
}

TEST_CASE("finish refuses null and a second call") {
    ndkCase([] {
        const SumModel model;
        CHECK(code(ndk().modelFinish(nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().modelFinish(model.get())) == "BAD_STATE");
    });
}

TEST_CASE("finish refuses a model whose outputs nobody writes") {
    ndkCase([] {
        const SumModel model(Step::kOperands);
        REQUIRE(identify(model.get(), {0, 1}, {3}) == "NO_ERROR");
        CHECK(code(ndk().modelFinish(model.get())) == "BAD_DATA");
    });
}

TEST_CASE("finish refuses operations that wait for each other") {
    ndkCase([] {
        // 3 = 0 + 4 and 4 = 1 + 3.
        const SumModel model(Step::kOperands);
        REQUIRE(code(addOperand(model.get(), kPair)) == "NO_ERROR");
        const std::uint32_t first[] = {0, 4, 2}, second[] = {1, 3, 2}, three = 3, four = 4;
        REQUIRE(code(ndk().modelAddOperation(model.get(), ANEURALNETWORKS_ADD, 3, first, 1,
                                             &three)) == "NO_ERROR");
        REQUIRE(code(ndk().modelAddOperation(model.get(), ANEURALNETWORKS_ADD, 3, second, 1,
                                             &four)) == "NO_ERROR");
        REQUIRE(identify(model.get(), {0, 1}, {3}) == "NO_ERROR");
        CHECK(code(ndk().modelFinish(model.get())) == "BAD_DATA");
    });
}

TEST_CASE("operations may be added in any order") {
    ndkCase([] {
        // 3 = 4 + 0 is added before 4 = 0 + 1.
        const SumModel model(Step::kOperands);
        REQUIRE(code(addOperand(model.get(), kPair)) == "NO_ERROR");
        const std::uint32_t last[] = {4, 0, 2}, first[] = {0, 1, 2}, three = 3, four = 4;
        REQUIRE(code(ndk().modelAddOperation(model.get(), ANEURALNETWORKS_ADD, 3, last, 1,
                                             &three)) == "NO_ERROR");
        REQUIRE(code(ndk().modelAddOperation(model.get(), ANEURALNETWORKS_ADD, 3, first, 1,
                                             &four)) == "NO_ERROR");
        REQUIRE(identify(model.get(), {0, 1}, {3}) == "NO_ERROR");
        REQUIRE(code(ndk().modelFinish(model.get())) == "NO_ERROR");
        const NdkCompilation compilation = compile(model.get());
        const NdkExecution execution = newExecution(compilation.get());
        SumArguments arguments;
        arguments.giveTo(execution.get());
        CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
        CHECK(arguments.sum[0] == 12.0F);
        CHECK(arguments.sum[1] == 24.0F);
    });
}

TEST_CASE("a finished model cannot change") {
    ndkCase([] {
        const SumModel model;
        const SumModel value;
        const MemoryFile file(8);
        const NdkMemory memory = file.memory();
        const std::int32_t none = 0;
        const std::uint32_t inputs[] = {0, 1, 2}, output = 3;
        const float scale = 1.0F;
        const ANeuralNetworksSymmPerChannelQuantParams parameters = {0, 1, &scale};
        CHECK(code(addOperand(model.get(), kPair)) == "BAD_STATE");
        CHECK(code(ndk().modelSetOperandValue(model.get(), 2, &none, 4)) == "BAD_STATE");
        CHECK(code(ndk().modelSetOperandValueFromMemory(model.get(), 0, memory.get(), 0, 8)) ==
              "BAD_STATE");
        CHECK(code(ndk().modelSetOperandValueFromModel(model.get(), 0, value.get())) ==
              "BAD_STATE");
        CHECK(code(ndk().modelSetOperandSymmPerChannelQuantParams(model.get(), 0, &parameters)) ==
              "BAD_STATE");
        CHECK(code(ndk().modelAddOperation(model.get(), ANEURALNETWORKS_ADD, 3, inputs, 1,
                                           &output)) == "BAD_STATE");
        CHECK(identify(model.get(), {0, 1}, {3}) == "BAD_STATE");
        CHECK(code(ndk().modelRelaxComputationFloat32toFloat16(model.get(), true)) == "BAD_STATE");
    });
}

TEST_CASE("getSupportedOperationsForDevices refuses null, no device, and one named twice") {
    ndkCase([] {
        const SumModel model;
        const ANeuralNetworksDevice* const devices[] = {firstDevice(), firstDevice()};
        const ANeuralNetworksDevice* const none[] = {nullptr};
        bool isSupported = false;
        const auto ask = [&](const ANeuralNetworksModel* asked,
                             const ANeuralNetworksDevice* const* list, std::uint32_t count,
                             bool* answers) {
            return code(ndk().modelGetSupportedOperationsForDevices(asked, list, count, answers));
        };
        CHECK(ask(nullptr, devices, 1, &isSupported) == "UNEXPECTED_NULL");
        CHECK(ask(model.get(), nullptr, 1, &isSupported) == "UNEXPECTED_NULL");
        CHECK(ask(model.get(), devices, 1, nullptr) == "UNEXPECTED_NULL");
        CHECK(ask(model.get(), none, 1, &isSupported) == "UNEXPECTED_NULL");
        CHECK(ask(model.get(), devices, 0, &isSupported) == "BAD_DATA");
        CHECK(ask(model.get(), devices, 2, &isSupported) == "BAD_DATA");
        CHECK(ask(SumModel(Step::kIdentified).get(), devices, 1, &isSupported) == "BAD_STATE");
        CHECK_FALSE(isSupported);
        CHECK(ask(model.get(), devices, 1, &isSupported) == "NO_ERROR");
        CHECK(isSupported);
    });
}

TEST_CASE("extensions that no device knows are refused") {
    ndkCase([] {
        const NdkModel model = modelWith(kPair);
        std::int32_t type = 0;
        CHECK(code(ndk().modelGetExtensionOperandType(model.get(), "com.example.none", 0, &type)) ==
              "BAD_DATA");
        CHECK(code(ndk().modelGetExtensionOperationType(model.get(), "com.example.none", 0,
                                                        &type)) == "BAD_DATA");
        CHECK(code(ndk().modelGetExtensionOperandType(nullptr, "a", 0, &type)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelGetExtensionOperandType(model.get(), nullptr, 0, &type)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelGetExtensionOperandType(model.get(), "a", 0, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelGetExtensionOperationType(nullptr, "a", 0, &type)) ==
              "UNEXPECTED_NULL");
        const std::uint32_t data = 0;
        CHECK(code(ndk().modelSetOperandExtensionData(nullptr, 0, &data, 4)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().modelSetOperandExtensionData(model.get(), 0, nullptr, 4)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().modelSetOperandExtensionData(model.get(), 0, &data, 4)) == "BAD_DATA");
        CHECK(code(ndk().modelSetOperandExtensionData(model.get(), 1, &data, 4)) == "BAD_DATA");
    });
}

TEST_SUITE_END();
