// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/ci/case_session.h"

namespace vnpu::sim {

enum class OnnxResult { kPassed, kFailed, kRefused };

/// The outcome of one case.
struct OnnxOutcome {
    std::string name;
    OnnxResult result = OnnxResult::kPassed;
    std::string detail{};              // the difference, or the reasons of the refusal
    std::vector<std::string> bound{};  // inputs that were constants during import
    bool isFolded = false;             // all outputs were computed during import
};

/// Counts of outcomes.
struct OnnxSum {
    std::size_t passed = 0, failed = 0, refused = 0;
    std::size_t bound = 0, folded = 0;  // of the passed ones

    /// "1 passed, 0 failed, 0 refused"
    std::string line() const;
};

OnnxSum sumOf(const std::vector<OnnxOutcome>& outcomes);

struct OnnxOrder {
    std::string folder;  // searched for folders with model.onnx and test_data_set_<k>
    CaseSession& cases;  // which cases are run, and their outcomes
    std::string config;  // of the device
    /// Called before each case with its number from 0, the number of cases and its name.
    std::function<void(std::size_t, std::size_t, const std::string&)> onCase{};
};

/// Runs the cases of ONNX's backend tests through the HAL, one after the other on one device, and
/// compares the outputs within that suite's tolerances: 1e-3 of the expected value plus 1e-7 for
/// reals, exactly otherwise. An input that an operator must know during import (a shape, axes)
/// becomes a constant with the value of the case. Once per process. Throws InputError where there
/// is no case.
std::vector<OnnxOutcome> runOnnxCases(const OnnxOrder& order);

}  // namespace vnpu::sim
