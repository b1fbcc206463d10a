// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/model_label.h"

#include <doctest/doctest.h>

#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/execution/model_label");

TEST_CASE("a model is named by the shapes of input and output and by its operations") {
    nn::V1_3::Model model = reluModel({1, 16});
    CHECK_EQ(modelLabel(model), "1x16 to 1x16, 1 operation");
    model.main.operands[model.main.outputIndexes[0]].dimensions = {0, 16};
    CHECK_EQ(modelLabel(model), "1x16 to ?x16, 1 operation");
    model.main.operands[model.main.outputIndexes[0]].dimensions = {};
    CHECK_EQ(modelLabel(model), "1x16 to ?, 1 operation");
}

TEST_CASE("of several inputs and outputs the number is told") {
    nn::V1_3::Model model = reluModel({1, 16});
    model.main.inputIndexes = {0, 0};
    model.main.outputIndexes = {1, 1, 1};
    model.main.operations = {};
    CHECK_EQ(modelLabel(model), "2 inputs to 3 outputs, 0 operations");
}

TEST_SUITE_END();
