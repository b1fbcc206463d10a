// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/validate/check.h"

namespace vnpu::sim {

/// One swept quantity compared with its closed form.
struct Curve {
    struct Point {
        double x = 0.0;
        double model = 0.0;
        double closedForm = 0.0;
    };
    std::string title{};   // "3 x 3 convolution on u65-256"
    std::string xLabel{};  // "DRAM bytes/cycle"
    std::string yLabel{};  // "cycles"
    std::vector<Point> points{};
    double knee = 0.0;          // x where the closed form changes its slope
    double measuredKnee = 0.0;  // where the model's two branches meet
};

/// The environment of a rung.
struct RungContext {
    ProcessPool& pool;
    std::filesystem::path references;  // folder with tables; empty: use the built-in ones
    /// Gets the progress of the rung.
    std::function<void(std::size_t done, std::size_t count)> onProgress;
};

struct RungResult {
    std::vector<Check> checks;
    std::vector<Curve> curves;       // of sweeps
    std::vector<std::string> notes;  // text below the table
};

/// A step of the fidelity ladder.
struct Rung {
    std::string_view name;
    std::string_view description;
    RungResult (*run)(const RungContext&);
};

/// In the order of the ladder.
std::span<const Rung> rungs();

RungResult runSystolicRung(const RungContext& context);
RungResult runNvdlaRung(const RungContext& context);
RungResult runEthosURung(const RungContext& context);
RungResult runBandwidthRung(const RungContext& context);
RungResult runSramRung(const RungContext& context);
RungResult runEstimateRung(const RungContext& context);

}  // namespace vnpu::sim
