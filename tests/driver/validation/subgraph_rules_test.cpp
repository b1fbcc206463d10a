// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "driver/validation/graph_rules.h"
#include "tests/driver/validation/valid_models.h"

using namespace vnpu::driver::test;
using nn::V1_3::Subgraph;

TEST_SUITE_BEGIN("driver/validation/subgraph_rules");

namespace {

/// An IF with two referenced subgraphs of one ADD each.
Model branchModel() {
    ValidModelBuilder builder;
    const auto condition = builder.input(OperandType::TENSOR_BOOL8, {1});
    const auto left = builder.input(OperandType::TENSOR_FLOAT32, {2, 3});
    const auto right = builder.input(OperandType::TENSOR_FLOAT32, {2, 3});
    const auto yes = builder.add(OperandType::SUBGRAPH, {}, OperandLifeTime::SUBGRAPH);
    const auto no = builder.add(OperandType::SUBGRAPH, {}, OperandLifeTime::SUBGRAPH);
    builder.operand(no).location.offset = 1;
    const auto output = builder.output(OperandType::TENSOR_FLOAT32, {2, 3});
    builder.operation(OperationType::IF, {condition, yes, no, left, right}, {output});
    Model model = builder.build();
    const Model branch = additionModel();
    model.referenced = {branch.main, branch.main};
    model.operandValues = branch.operandValues;
    return model;
}

/// Makes an unused operand of subgraph `from` refer to subgraph `to`.
void refer(Model& model, std::size_t from, std::uint32_t to) {
    Operand reference;
    reference.type = OperandType::SUBGRAPH;
    reference.lifetime = OperandLifeTime::SUBGRAPH;
    reference.location.offset = to;
    Subgraph& subgraph = model.referenced[from];
    subgraph.operands = appended(subgraph.operands, reference);
}

}  // namespace

TEST_CASE("operations and operands of referenced subgraphs keep the rules too [E-8]") {
    Model model = branchModel();
    checkValid(model);
    model.referenced[1].operands[kAddLeft].scale = 1.0F;
    checkInvalid(model, "referenced subgraph 1: operand 0: scale");
}

TEST_CASE("a subgraph reference names a subgraph that exists [E-8]") {
    Model model = branchModel();
    model.main.operands[4].location.offset = 2;
    checkInvalid(model, "subgraph 2 of 2");
}

TEST_CASE("a subgraph reference has neither pool nor length [E-8]") {
    Model model = branchModel();
    model.main.operands[4].location.length = 4;
    checkInvalid(model, "length 4");
    model = branchModel();
    model.main.operands[4].location.poolIndex = 1;
    checkInvalid(model, "pool 1");
}

TEST_CASE("type SUBGRAPH and lifetime SUBGRAPH go together [E-8]") {
    Model model = branchModel();
    model.main.operands[3].lifetime = OperandLifeTime::NO_VALUE;
    checkInvalid(model, "does not go with lifetime");
    model = branchModel();
    model.main.operands[3].type = OperandType::INT32;
    checkInvalid(model, "does not go with lifetime");
}

TEST_CASE("a subgraph that contains itself is refused [E-8]") {
    Model model = branchModel();
    refer(model, 0, 0);
    checkInvalid(model, "subgraph 0 contains itself");
}

TEST_CASE("subgraphs that contain each other are refused [E-8]") {
    Model model = branchModel();
    refer(model, 0, 1);
    checkValid(model);
    refer(model, 1, 0);
    checkInvalid(model, "contains itself");
}

TEST_CASE("deep nesting of subgraphs is checked without deep recursion [E-8]") {
    Model model = branchModel();
    constexpr std::uint32_t kDepth = 20000;
    model.referenced.resize(kDepth);
    for (std::uint32_t i = 0; i + 1 < kDepth; ++i) {
        model.referenced[i] = Subgraph{};
        refer(model, i, i + 1);
    }
    model.referenced[kDepth - 1] = Subgraph{};
    CHECK(vnpu::driver::checkSubgraphNesting(model).has_value());
    refer(model, kDepth - 1, 0);
    checkInvalid(model, "contains itself");
}

TEST_SUITE_END();
