// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/model/model.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "sim/ndk/model/operation_order.h"
#include "tests/sim/ndk/test_model.h"

namespace vnpu::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

using sim::ndk::Model;

const std::uint32_t kTwo[] = {2};
const ANeuralNetworksOperandType kFloats{ANEURALNETWORKS_TENSOR_FLOAT32, 1, kTwo, 0, 0};
const ANeuralNetworksOperandType kInteger{ANEURALNETWORKS_INT32, 0, nullptr, 0, 0};

/// Operands 0 to 3 of two floats and operand 4, an activation.
Model modelOfFour() {
    Model model;
    for (int i = 0; i < 4; ++i) {
        REQUIRE(model.addOperand(kFloats));
    }
    REQUIRE(model.addOperand(kInteger));
    const std::int32_t none = 0;
    REQUIRE(model.setValue(4, &none, sizeof(none)));
    return model;
}

void add(Model& model, std::uint32_t left, std::uint32_t right, std::uint32_t to) {
    REQUIRE(model.addOperation(ANEURALNETWORKS_ADD, Numbers{left, right, 4}, Numbers{to}));
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/model");

TEST_CASE("operations are run in an order in which every value is there") {
    Model model = modelOfFour();
    add(model, 2, 0, 3);  // reads what the next one writes
    add(model, 0, 1, 2);
    REQUIRE(model.identify(Numbers{0, 1}, Numbers{3}));
    REQUIRE(model.finish());
    const auto finished = model.finished();
    CHECK(finished->addedAs == Numbers{1, 0});
    CHECK(finished->hal.main.operations[0].outputs[0] == 2);
    CHECK(finished->hal.main.operands[0].numberOfConsumers == 2);
}

TEST_CASE("operations that can run keep the order in which they were added") {
    Model model = modelOfFour();
    add(model, 0, 0, 3);
    add(model, 0, 1, 2);
    REQUIRE(model.identify(Numbers{0, 1}, Numbers{3, 2}));
    REQUIRE(model.finish());
    CHECK(model.finished()->addedAs == Numbers{0, 1});
}

TEST_CASE("operations that wait for each other are refused, and the model is invalid then") {
    Model model = modelOfFour();
    add(model, 0, 3, 2);
    add(model, 0, 2, 3);
    REQUIRE(model.identify(Numbers{0, 1}, Numbers{3}));
    CHECK(model.finish().error().code == ANEURALNETWORKS_BAD_DATA);
    CHECK(model.finish().error().code == ANEURALNETWORKS_BAD_STATE);
    CHECK(model.addOperand(kFloats).error().code == ANEURALNETWORKS_BAD_STATE);
    CHECK(model.finished() == nullptr);
}

TEST_CASE("an operand has one writer") {
    Model model = modelOfFour();
    add(model, 0, 1, 2);
    const auto second = model.addOperation(ANEURALNETWORKS_ADD, Numbers{0, 1, 4}, Numbers{2});
    CHECK(second.error().code == ANEURALNETWORKS_BAD_DATA);
    const float values[] = {1, 2};
    CHECK(model.setValue(2, values, sizeof(values)).error().code == ANEURALNETWORKS_BAD_DATA);
}

TEST_CASE("short values are copied at once, long ones at finish") {
    Model model;
    const std::uint32_t sizes[] = {32, 33};
    for (const std::uint32_t& size : sizes) {
        REQUIRE(model.addOperand({ANEURALNETWORKS_TENSOR_FLOAT32, 1, &size, 0, 0}));
    }
    const std::uint32_t one = 1;
    REQUIRE(model.addOperand({ANEURALNETWORKS_TENSOR_FLOAT32, 1, &one, 0, 0}));
    REQUIRE(model.addOperand({ANEURALNETWORKS_TENSOR_FLOAT32, 1, &sizes[0], 0, 0}));
    REQUIRE(model.addOperand({ANEURALNETWORKS_TENSOR_FLOAT32, 1, &sizes[1], 0, 0}));
    REQUIRE(model.addOperand(kInteger));
    const std::int32_t none = 0;
    REQUIRE(model.setValue(5, &none, sizeof(none)));
    std::vector<float> shortValue(32, 5.0F);
    std::vector<float> longValue(33, 5.0F);
    REQUIRE(model.setValue(0, shortValue.data(), 128));
    REQUIRE(model.setValue(1, longValue.data(), 132));
    shortValue[0] = 7;
    longValue[0] = 7;
    REQUIRE(model.addOperation(ANEURALNETWORKS_ADD, Numbers{0, 2, 5}, Numbers{3}));
    REQUIRE(model.addOperation(ANEURALNETWORKS_ADD, Numbers{1, 2, 5}, Numbers{4}));
    REQUIRE(model.identify(Numbers{2}, Numbers{3, 4}));
    REQUIRE(model.finish());
    const auto finished = model.finished();
    const auto& operands = finished->hal.main.operands;
    const auto* copied = reinterpret_cast<const float*>(finished->hal.operandValues.data() +
                                                        operands[0].location.offset);
    CHECK(*copied == 5);
    REQUIRE(finished->pools.size() == 1);
    CHECK(*reinterpret_cast<const float*>(finished->pools[0]->bytes() +
                                          operands[1].location.offset) == 7);
}

TEST_CASE("a model that is used twice inside another is there once") {
    const std::uint32_t one = 1;
    const ANeuralNetworksOperandType truth{ANEURALNETWORKS_TENSOR_BOOL8, 1, &one, 0, 0};
    const ANeuralNetworksOperandType inside{ANEURALNETWORKS_MODEL, 0, nullptr, 0, 0};
    Model branch = modelOfFour();
    add(branch, 0, 0, 2);
    REQUIRE(branch.identify(Numbers{0}, Numbers{2}));
    // Unused operands that nobody writes make a model invalid, as in the HAL.
    CHECK(branch.finish().error().code == ANEURALNETWORKS_BAD_DATA);

    Model valid;
    REQUIRE(valid.addOperand(kFloats));
    REQUIRE(valid.addOperand(kInteger));
    REQUIRE(valid.addOperand(kFloats));
    const std::int32_t none = 0;
    REQUIRE(valid.setValue(1, &none, sizeof(none)));
    REQUIRE(valid.addOperation(ANEURALNETWORKS_ADD, Numbers{0, 0, 1}, Numbers{2}));
    REQUIRE(valid.identify(Numbers{0}, Numbers{2}));

    Model outer;
    REQUIRE(outer.addOperand(truth));
    REQUIRE(outer.addOperand(inside));
    REQUIRE(outer.addOperand(inside));
    REQUIRE(outer.addOperand(kFloats));
    REQUIRE(outer.addOperand(kFloats));
    CHECK(outer.setValueFromModel(1, valid).error().code == ANEURALNETWORKS_BAD_STATE);
    REQUIRE(valid.finish());
    REQUIRE(outer.setValueFromModel(1, valid));
    REQUIRE(outer.setValueFromModel(2, valid));
    REQUIRE(outer.addOperation(ANEURALNETWORKS_IF, Numbers{0, 1, 2, 3}, Numbers{4}));
    REQUIRE(outer.identify(Numbers{0, 3}, Numbers{4}));
    REQUIRE(outer.finish());
    CHECK(outer.finished()->hal.referenced.size() == 1);
}

TEST_SUITE_END();

}  // namespace vnpu::test
