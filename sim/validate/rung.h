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
#include "sim/validate/curve.h"

namespace vnpu::sim {

/// The environment of a rung.
struct RungContext {
    ProcessPool& pool;
    std::filesystem::path references;  // folder with tables; empty: only what is built in
    /// Reports the progress of the rung.
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
