// SPDX-License-Identifier: Apache-2.0
// Every operation with every type, compared with the operation tables.
#include "tests/driver/validation/example_calls.h"

#include <doctest/doctest.h>

#include <set>

using namespace vnpu::driver::test;
using vnpu::driver::HalVersion;
using vnpu::driver::validateModel;

TEST_SUITE_BEGIN("driver/validation/operation_table");

namespace {

std::string reasonAt(const Model& model, HalVersion version) {
    const auto result = validateModel(model, version);
    return result ? "" : result.error().reason;
}

}  // namespace

TEST_CASE("every documented call of every operation is valid since its HAL version [E-8]") {
    for (const ExampleModel& example : exampleModels()) {
        CAPTURE(example.name);
        for (auto version = static_cast<int>(example.since); version <= 3; ++version) {
            CHECK_EQ(reasonAt(example.model, static_cast<HalVersion>(version)), "");
        }
    }
}

TEST_CASE("no call is valid in the HAL versions before its own [E-8]") {
    for (const ExampleModel& example : exampleModels()) {
        CAPTURE(example.name);
        for (int version = 0; version < static_cast<int>(example.since); ++version) {
            CHECK_NE(reasonAt(example.model, static_cast<HalVersion>(version)), "");
        }
    }
}

TEST_CASE("the examples hold all 102 operations of HAL 1.3 but IF and WHILE [E-8]") {
    std::set<OperationType> operations;
    for (const ExampleModel& example : exampleModels()) {
        operations.insert(example.model.main.operations[0].type);
    }
    CHECK_EQ(operations.size(), 100);
    for (std::int32_t type = 0; type < 102; ++type) {
        const auto operation = static_cast<OperationType>(type);
        CAPTURE(toString(operation));
        CHECK_EQ(operations.count(operation),
                 operation == OperationType::IF || operation == OperationType::WHILE ? 0 : 1);
    }
}

TEST_CASE("a tensor of unknown rank came with 1.2 [E-8]") {
    Model model = additionModel();
    model.main.operands[kAddLeft].dimensions = {};
    CHECK_EQ(reasonAt(model, HalVersion::k12), "");
    CHECK_NE(reasonAt(model, HalVersion::k11).find("operand 0: TENSOR_FLOAT32 has no rank"),
             std::string::npos);
    model.main.operands[kAddLeft].dimensions = {0, 3};
    CHECK_EQ(reasonAt(model, HalVersion::k10), "");
}

TEST_CASE("the refusal of a later call names its version [E-8]") {
    Model model = branchModel(OperandType::TENSOR_FLOAT32);
    CHECK_EQ(reasonAt(model, HalVersion::k13), "");
    CHECK_NE(reasonAt(model, HalVersion::k12).find("this needs HAL 1.3, the model is of 1.2"),
             std::string::npos);
}

TEST_SUITE_END();
