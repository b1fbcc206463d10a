// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/ci/case_session.h"
#include "sim/validate/check.h"
#include "sim/validate/measurement.h"
#include "sim/validate/mutants/mutant.h"

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

struct RungResult {
    std::vector<Check> checks;
    std::vector<Curve> curves;       // of sweeps
    std::vector<std::string> notes;  // text below the table

    void append(RungResult other);
};

/// A model on a device, given as TOML, of which a row needs the numbers.
struct Probe {
    std::string config;
    MeasuredModel model;
    /// As the driver prepares models for clients that give a priority. Published designs run a
    /// network to its end.
    bool hasCheckpoints = true;
};

/// Some models to measure, and the checks that their numbers give.
struct Row {
    std::string subject;  // "resnet50 on nvdla-32"
    std::vector<Probe> probes;
    /// Gets one measurement for each probe.
    std::function<void(const std::vector<Measurement>& runs, RungResult& result)> evaluate;
};

struct RowList {
    std::vector<Row> rows;
    std::vector<std::string> notes;
};

/// Numbers from outside.
struct References {
    std::filesystem::path folder;    // with tables; empty: the built-in ones
    const Mutant* mutant = nullptr;  // null: the true model

    /// `published`, the figure of a network, unless a mutant falsifies it.
    double figure(std::string_view network, double published) const;
};

/// The environment of a rung.
struct RungContext {
    ProcessPool& pool;
    References references;
    /// Gets the progress of the rung.
    std::function<void(std::size_t done, std::size_t count)> onProgress;
    CaseSession* cases = nullptr;  // which rows are measured; null: all
    std::string_view rung{};       // name of the rung, for `cases`

    bool selects(const std::string& subject) const {
        return cases == nullptr || cases->selects({std::string(rung), subject});
    }
};

/// A step of the fidelity ladder.
struct Rung {
    std::string_view name;
    std::string_view description;
    RowList (*rows)(const References&);  // null: the rung that runs the mutants
};

/// In the order of the ladder.
std::span<const Rung> rungs();

/// Measures and evaluates the selected rows of a rung.
RungResult runRung(const Rung& rung, const RungContext& context);

/// Measures every distinct probe of the selected rows once, in one process for each device, and
/// evaluates the rows in order.
RungResult runRows(const RowList& list, const RungContext& context);

/// A row that measures nothing.
Row rowOf(const Check& check);

RowList systolicRows(const References& references);
RowList nvdlaRows(const References& references);
RowList ethosURows(const References& references);
RowList onnximRows(const References& references);
RowList bandwidthRows(const References& references);
RowList sramRows(const References& references);
RowList latencyRows(const References& references);
RowList engineRows(const References& references);
RowList estimateRows(const References& references);
RowList rooflineRows(const References& references);
RowList siliconRows(const References& references);
RungResult runMutants(const RungContext& context);

}  // namespace vnpu::sim
