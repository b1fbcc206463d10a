// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cached_model_check.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "tests/driver/cache/sample_compilation.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/cache/cached_model_check");

TEST_CASE("a compiled form that fits is accepted, down to the last byte of memory") {
    const SampleCompilation sample;
    CHECK(checkCompiled(sample.compiled, sample.model, kSampleMemoryBytes).has_value());
    CHECK(checkCompiled(sample.compiled, sample.model, 4096 + 3).has_value());
    CHECK_FALSE(checkCompiled(sample.compiled, sample.model, 4096 + 2).has_value());
}

TEST_CASE("a compiled form that does not fit is refused with the first reason") {
    struct Case {
        const char* reason;
        std::function<void(CompiledModel&)> change;
    };
    const std::vector<Case> cases = {
            {"for 0 inputs", [](auto& form) { form.inputs.clear(); }},
            {"for 2 outputs", [](auto& form) { form.outputs.push_back(form.outputs[0]); }},
            {"another input 0",
             [](auto& form) {
                 form.inputs[0].dimensions = {1, 2, 4};
             }},
            {"another input 0", [](auto& form) { form.inputs[0].dimensions = {6}; }},
            {"another input 0", [](auto& form) { form.inputs[0].sizeBytes = 7; }},
            {"another output 0", [](auto& form) { form.outputs[0].sizeBytes = 0; }},
            {"the device has", [](auto& form) { form.scratchBytes = UINT64_MAX; }},
            {"the device has", [](auto& form) { form.constants.resize(kSampleMemoryBytes); }},
            {"region 0 of kind 0", [](auto& form) { form.regions[0].sizeBytes = 4; }},
            {"region 0 of kind 2", [](auto& form) { form.regions[1].sizeBytes = 4097; }},
            {"region 3 of kind 1", [](auto& form) { form.regions[2].index = 3; }},
            {"region 1 of kind 1", [](auto& form) { form.regions[2].index = 1; }},
            {"region 1 of kind 3", [](auto& form) { form.regions[3].index = 1; }},
            {"region 0 of kind 3", [](auto& form) { form.regions[3].sizeBytes = 7; }},
            {"region 0 of kind 4", [](auto& form) { form.regions[4].sizeBytes = UINT64_MAX; }},
            {"of kind 9", [](auto& form) { form.regions[4].kind = static_cast<RegionKind>(9); }},
            {"writes to region 0 of kind 0", [](auto& form) { form.regions[0].isWritable = true; }},
            {"writes to region 2 of kind 1", [](auto& form) { form.regions[2].isWritable = true; }},
            {"writes to region 0 of kind 3", [](auto& form) { form.regions[3].isWritable = true; }},
            {"operation 1 of 1", [](auto& form) { form.operations[0].operation = 1; }},
    };
    for (const Case& one : cases) {
        CAPTURE(one.reason);
        SampleCompilation sample;
        one.change(sample.compiled);
        const auto result = checkCompiled(sample.compiled, sample.model, kSampleMemoryBytes);
        REQUIRE_FALSE(result.has_value());
        CHECK_EQ(result.error().status, ErrorStatus::GENERAL_FAILURE);
        CHECK_NE(result.error().reason.find(one.reason), std::string::npos);
    }
}

TEST_CASE("shapes that the model leaves open may take any value") {
    SampleCompilation sample;
    sample.model.main.operands[1].dimensions = {1, 0, 3};
    CHECK(checkCompiled(sample.compiled, sample.model, kSampleMemoryBytes).has_value());
    sample.model.main.operands[1].dimensions = {};
    CHECK(checkCompiled(sample.compiled, sample.model, kSampleMemoryBytes).has_value());
    sample.model.main.operands[1].dimensions = {2, 0, 3};
    CHECK_FALSE(checkCompiled(sample.compiled, sample.model, kSampleMemoryBytes).has_value());
}

TEST_SUITE_END();
