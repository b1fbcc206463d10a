// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/partition.h"

#include <doctest/doctest.h>

#include <vector>

#include "driver/validation/model_validation.h"
#include "sim/ndk/model/model.h"

namespace vnpu::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

using sim::ndk::FinishedModel;
using sim::ndk::Model;
using sim::ndk::ModelPart;

/// A model of ADDs: each row is left, right, result. Operand 0 is the input; operand `operands`
/// holds the activation.
std::shared_ptr<const FinishedModel> modelOf(std::uint32_t operands,
                                             const std::vector<Numbers>& rows,
                                             const Numbers& outputs) {
    const std::uint32_t two = 2;
    Model model;
    for (std::uint32_t i = 0; i < operands; ++i) {
        REQUIRE(model.addOperand({ANEURALNETWORKS_TENSOR_FLOAT32, 1, &two, 0, 0}));
    }
    REQUIRE(model.addOperand({ANEURALNETWORKS_INT32, 0, nullptr, 0, 0}));
    const std::int32_t none = 0;
    REQUIRE(model.setValue(static_cast<std::int32_t>(operands), &none, sizeof(none)));
    for (const Numbers& row : rows) {
        REQUIRE(model.addOperation(ANEURALNETWORKS_ADD, Numbers{row[0], row[1], operands},
                                   Numbers{row[2]}));
    }
    REQUIRE(model.identify(Numbers{0}, outputs));
    REQUIRE(model.finish());
    return model.finished();
}

void checkParts(const std::vector<ModelPart>& parts) {
    for (const ModelPart& part : parts) {
        const auto valid = driver::validateModel(part.model->hal);
        CHECK_MESSAGE(valid.has_value(), (valid ? "" : valid.error().reason));
        CHECK(part.inputs.size() == part.model->hal.main.inputIndexes.size());
        CHECK(part.outputs.size() == part.model->hal.main.outputIndexes.size());
    }
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/partition");

TEST_CASE("a model for one device stays whole") {
    const auto model = modelOf(3, {{0, 0, 1}, {1, 0, 2}}, {2});
    const auto parts = partition(model, {1, 1});
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].model == model);
    CHECK(parts[0].device == 1);
    CHECK(parts[0].inputs == Numbers{0});
    CHECK(parts[0].outputs == Numbers{2});
}

TEST_CASE("a chain over two devices is cut where the device changes") {
    const auto model = modelOf(5, {{0, 0, 1}, {1, 1, 2}, {2, 0, 3}, {3, 3, 4}}, {4});
    const auto parts = partition(model, {0, 1, 1, 0});
    REQUIRE(parts.size() == 3);
    checkParts(parts);
    CHECK(parts[0].device == 0);
    CHECK(parts[0].outputs == Numbers{1});
    CHECK(parts[1].device == 1);
    CHECK(parts[1].inputs == Numbers{1, 0});
    CHECK(parts[1].outputs == Numbers{3});  // 2 stays inside
    CHECK(parts[1].model->addedAs == Numbers{1, 2});
    CHECK(parts[2].inputs == Numbers{3});
    CHECK(parts[2].outputs == Numbers{4});
}

TEST_CASE("independent branches need no more parts than devices") {
    // Device 0 has operations 0 and 2, device 1 has 1 and 3; 4 joins them on device 0.
    const auto model = modelOf(6, {{0, 0, 1}, {0, 0, 2}, {1, 1, 3}, {2, 2, 4}, {3, 4, 5}}, {5});
    const auto parts = partition(model, {0, 1, 0, 1, 0});
    REQUIRE(parts.size() == 3);
    checkParts(parts);
    CHECK(parts[0].model->addedAs == Numbers{0, 2});
    CHECK(parts[1].model->addedAs == Numbers{1, 3});
    CHECK(parts[2].model->addedAs == Numbers{4});
}

TEST_CASE("an output of the model that another part reads is an output of its part") {
    const auto model = modelOf(3, {{0, 0, 1}, {1, 0, 2}}, {1, 2});
    const auto parts = partition(model, {0, 1});
    REQUIRE(parts.size() == 2);
    checkParts(parts);
    CHECK(parts[0].outputs == Numbers{1});
    CHECK(parts[1].inputs == Numbers{1, 0});
}

TEST_SUITE_END();

}  // namespace vnpu::test
