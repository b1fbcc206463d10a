// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/ci/case_session.h"
#include "sim/results/store_options.h"

namespace vnpu::sim {

struct ConformOnnxOptions {
    std::string folder, config;
    CaseOptions cases;
    bool isVerbose = false, isJson = false, isQuiet = false;
    StoreOptions store;
};

/// Runs ONNX's cases below the folder and prints the failures, the refusals by reason, and the sums
/// as the last line.
ExitCode conformOnnx(const ConformOnnxOptions& options);

}  // namespace vnpu::sim
