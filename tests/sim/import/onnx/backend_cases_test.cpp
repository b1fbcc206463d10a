// SPDX-License-Identifier: Apache-2.0
// ONNX's own cases, where Debian's libonnx-testdata is installed.
#include <doctest/doctest.h>

#include <filesystem>

#include "sim/conform/onnx_cases.h"
#include "tests/support/sim_case.h"

TEST_SUITE_BEGIN("sim/import/onnx/backend_cases");

TEST_CASE("no case of ONNX's backend tests has another result [E-2]") {
    constexpr const char* kFolder = "/usr/share/libonnx-testdata/data";
    if (!std::filesystem::exists(kFolder)) {
        MESSAGE("libonnx-testdata is not installed");
        return;
    }
    vnpu::test::simCase([&] {
        vnpu::sim::CaseSession session("conform", {});
        const auto outcomes =
                vnpu::sim::runOnnxCases({.folder = kFolder, .cases = session, .config = "edge"});
        for (const auto& outcome : outcomes) {
            CHECK_MESSAGE(outcome.result != vnpu::sim::OnnxResult::kFailed, outcome.name, ": ",
                          outcome.detail);
        }
        CHECK(vnpu::sim::sumOf(outcomes).passed >= 900);
    });
}

TEST_SUITE_END();
