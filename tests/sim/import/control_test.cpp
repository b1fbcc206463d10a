// SPDX-License-Identifier: Apache-2.0
// Branches, loops, variables and custom operators, against what the graphs say.
#include <doctest/doctest.h>

#include <flatbuffers/flexbuffers.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/import/tflite/importer.h"
#include "tests/sim/import/run_cases.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::TensorType;
using Builder = flatbuffers::FlatBufferBuilder;

TestTensor constant(CaseTensor tensor) {
    tensor.tensor.data = bytesOfCase(tensor);
    return tensor.tensor;
}

TestOperator ifOperator(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs) {
    return {118, std::move(inputs), std::move(outputs), BuiltinOptions::IfOptions,
            [](Builder& builder) { return schema::CreateIfOptions(builder, 1, 2).Union(); }};
}

TestOperator whileOperator(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs) {
    return {119, std::move(inputs), std::move(outputs), BuiltinOptions::WhileOptions,
            [](Builder& builder) { return schema::CreateWhileOptions(builder, 1, 2).Union(); }};
}

/// y = c ? relu(x) : -x.
Case ifCase(bool isTrue, bool isConstant) {
    Case test;
    test.name = "IF";
    test.file.tensors = {truth({1}).tensor, real({4}).tensor, real({4}).tensor};
    if (isConstant) {
        test.file.tensors[0] = constant(truth({1}, {isTrue ? 1.0 : 0.0}));
        test.file.inputs = {1};
    } else {
        test.file.inputs = {0, 1};
        test.inputs = {{isTrue ? 1.0 : 0.0}};
    }
    test.file.operators = {ifOperator({0, 1}, {2})};
    test.file.outputs = {2};
    test.inputs.push_back({-2, -1, 0.5, 3});
    test.expected = {isTrue ? Reals{0, 0, 0.5, 3} : Reals{2, 1, -0.5, -3}};
    const TestGraph relu{{real({4}).tensor, real({4}).tensor}, {{19, {0}, {1}}}, {0}, {1}};
    const TestGraph neg{{real({4}).tensor, real({4}).tensor}, {{59, {0}, {1}}}, {0}, {1}};
    test.file.others = {relu, neg};
    return test;
}

/// i = 0; while (i < n) { x = x * w; i = i + 1 }, n known at run time or as a constant; w enters.
Case whileCase(bool isConstant) {
    Case test;
    test.name = "WHILE";
    const TestTensor number = integer({}).tensor, row = real({2}).tensor;
    test.file.tensors = {constant(integer({}, {0})),
                         number,
                         row,
                         constant(real({2}, {2, 3})),
                         number,
                         number,
                         row,
                         row};
    if (isConstant) {
        test.file.tensors[1] = constant(integer({}, {3}));
        test.file.inputs = {2};
    } else {
        test.file.inputs = {1, 2};
        test.inputs = {{3}};
    }
    test.inputs.push_back({1, -1});
    test.expected = {{8, -27}};
    test.file.operators = {whileOperator({0, 1, 2, 3}, {4, 5, 6, 7})};
    test.file.outputs = {6};
    const TestGraph condition{
            {number, number, row, row, truth({}).tensor}, {{58, {0, 1}, {4}}}, {0, 1, 2, 3}, {4}};
    const TestGraph body{{number, number, row, row, constant(integer({}, {1})), number, row},
                         {{0, {0, 4}, {5}}, {18, {2, 3}, {6}}},
                         {0, 1, 2, 3},
                         {5, 1, 6, 3}};
    test.file.others = {condition, body};
    return test;
}

/// A loop whose variable grows: x = concat(x, x) twice; only unrolling knows its shapes.
Case growingCase() {
    Case test;
    test.name = "WHILE that grows";
    const TestTensor number = integer({}).tensor;
    TestTensor row = real({1}).tensor;
    row.signature = {-1};
    test.file.tensors = {constant(integer({}, {0})), real({1}).tensor, number, real({4}).tensor};
    test.file.inputs = {1};
    test.inputs = {{7}};
    test.expected = {{7, 7, 7, 7}};
    test.file.operators = {whileOperator({0, 1}, {2, 3})};
    test.file.outputs = {3};
    const TestGraph condition{{number, row, constant(integer({}, {2})), truth({}).tensor},
                              {{58, {0, 2}, {3}}},
                              {0, 1},
                              {3}};
    const TestGraph body{{number, row, constant(integer({}, {1})), number, row},
                         {{0, {0, 2}, {3}},
                          {2,
                           {1, 1},
                           {4},
                           BuiltinOptions::ConcatenationOptions,
                           [](Builder& builder) {
                               return schema::CreateConcatenationOptions(builder, 0).Union();
                           }}},
                         {0, 1},
                         {3, 4}};
    test.file.others = {condition, body};
    return test;
}

OptionsMaker variable(const char* name) {
    return [=](Builder& builder) {
        return schema::CreateVarHandleOptions(builder, 0, builder.CreateString(name)).Union();
    };
}

TestTensor resource() {
    return {.shape = {}, .type = TensorType::RESOURCE};
}

/// sum = sum + x, where sum begins as 10 by CALL_ONCE, or as 0.
Case variableCase(bool isInitialized, int runs) {
    Case test;
    test.name = "variables";
    test.runs = runs;
    test.file.tensors = {real({2}).tensor, resource(), real({2}).tensor, real({2}).tensor};
    test.file.inputs = {0};
    test.file.outputs = {3};
    test.inputs = {{1, 2}};
    const double first = isInitialized ? 10 : 0;
    test.expected = {{first + runs, first + 2.0 * runs}};
    if (isInitialized) {
        test.file.operators.push_back(
                {129, {}, {}, BuiltinOptions::CallOnceOptions, [](Builder& builder) {
                     return schema::CreateCallOnceOptions(builder, 1).Union();
                 }});
        TestGraph first10{{resource(), constant(real({2}, {10, 10}))},
                          {{142, {}, {0}, BuiltinOptions::VarHandleOptions, variable("sum")},
                           {144, {0, 1}, {}}},
                          {},
                          {}};
        test.file.others = {first10};
    }
    test.file.operators.push_back(
            {142, {}, {1}, BuiltinOptions::VarHandleOptions, variable("sum")});
    test.file.operators.push_back({143, {1}, {2}});
    test.file.operators.push_back({0, {2, 0}, {3}});
    test.file.operators.push_back({144, {1, 3}, {}});
    return test;
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/control");

TEST_CASE("IF runs the branch that its condition chooses, known or not") {
    runCases({ifCase(true, false), ifCase(false, false), ifCase(true, true), ifCase(false, true)});
}

TEST_CASE("WHILE runs as an operation, and unrolled where a variable grows") {
    runCases({whileCase(false), whileCase(true), growingCase()});
}

TEST_CASE("CALL runs a subgraph in place") {
    Case test;
    test.name = "CALL";
    test.file.tensors = {real({3}).tensor, real({3}).tensor};
    test.file.inputs = {0};
    test.file.outputs = {1};
    test.file.operators = {{31, {0}, {1}, BuiltinOptions::CallOptions, [](Builder& builder) {
                                return schema::CreateCallOptions(builder, 1).Union();
                            }}};
    test.file.others = {{{real({3}).tensor, real({3}).tensor}, {{59, {0}, {1}}}, {0}, {1}}};
    test.inputs = {{1, -2, 3}};
    test.expected = {{-1, 2, -3}};
    runCases({test});
}

TEST_CASE("a variable keeps its value over the inferences of a run") {
    runCases({variableCase(false, 1), variableCase(false, 3), variableCase(true, 1),
              variableCase(true, 3)});
}

TEST_CASE("a variable that is only read is a constant") {
    Case test = variableCase(true, 1);
    test.file.operators.pop_back();
    const Network network = importTflite("net.tflite", test.file.bytes());
    CHECK(network.states.empty());
    CHECK(network.inputs.size() == 1);
}

TEST_CASE("graphs that call each other without end are refused") {
    Case test = whileCase(true);
    test.file.others[1].operators.push_back(
            {31, {2}, {6}, BuiltinOptions::CallOptions, [](Builder& builder) {
                 return schema::CreateCallOptions(builder, 2).Union();
             }});
    test.file.others[1].operators.erase(test.file.others[1].operators.begin() + 1);
    test.file.others[1].operators[1].inputs = {0, 1, 2, 3};
    test.file.others[1].operators[1].outputs = {-1, -1, 6, -1};
    CHECK_THROWS_AS(importTflite("net.tflite", test.file.bytes()), InputError);
}

TEST_CASE("TFLite_Detection_PostProcess decodes boxes, suppresses and orders them") {
    flexbuffers::Builder options;
    options.Map([&] {
        options.Int("max_detections", 3);
        options.Int("max_classes_per_detection", 1);
        options.Int("detections_per_class", 100);
        options.Bool("use_regular_nms", false);
        options.Float("nms_score_threshold", 0.0F);
        options.Float("nms_iou_threshold", 0.5F);
        options.Int("num_classes", 2);
        options.Float("y_scale", 10.0F);
        options.Float("x_scale", 10.0F);
        options.Float("h_scale", 5.0F);
        options.Float("w_scale", 5.0F);
    });
    options.Finish();
    // Four anchors of 1 x 1; the second box is nearly the first one. Class 0 is the background.
    const Reals boxes = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const Reals scores = {0, 0.9, 0.8, 0, 0.75, 0.72, 0, 0.6, 0.95, 0, 0.1, 0.2};
    const Reals anchors = {0.5, 0.5, 1, 1, 0.5, 0.5, 1, 1, 0.5, 10.5, 1, 1, 0.5, 100.5, 1, 1};
    Case test = caseOf(
            {.name = "detection",
             .code = 32,
             .inputs = {real({1, 4, 4}, boxes), real({1, 4, 3}, scores), real({4, 4}, anchors)},
             .isConstant = {false, false, true},
             .outputs = {real({1, 3, 4}, {0, 10, 1, 11, 0, 0, 1, 1, 0, 100, 1, 101}),
                         real({1, 3}, {1, 0, 1}), real({1, 3}, {0.95, 0.9, 0.2}), real({1}, {3})}});
    test.file.operators[0].customName = "TFLite_Detection_PostProcess";
    test.file.operators[0].customOptions = options.GetBuffer();
    // Without a background: class 0 is an object.
    Case plain = test;
    plain.file.tensors[1] = real({1, 4, 2}).tensor;
    plain.inputs[1] = {0.9, 0.8, 0.75, 0.72, 0.6, 0.95, 0.1, 0.2};
    runCases({test, plain});
}

TEST_SUITE_END();
