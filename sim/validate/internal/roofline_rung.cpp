// SPDX-License-Identifier: Apache-2.0
// How far the networks of the zoo are above their rooflines.
#include <fmt/format.h>

#include <array>

#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/models/zoo.h"
#include "sim/validate/internal/roofline.h"
#include "sim/validate/ratios.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kRooflineRung = "roofline";
// chosen: our own devices; the others model published ones and are compared with those
constexpr std::array kDevices = {"edge", "mobile"};
constexpr double kGoal = 1.25;  // source: the ladder's own demand of the compiler

Check networkCheck(const std::string& device, std::string_view name, const Measurement& run) {
    const Roofline roofline = rooflineOf(
            loadNetwork(fmt::format("zoo:{}", name), {.zeroWeights = true}), loadConfig(device));
    const Check check{.kind = CheckKind::kInternal,
                      .rung = kRooflineRung,
                      .subject = fmt::format("{} on {}", name, device),
                      .quantity = "cycles, device",
                      .model = real(run.cycles),
                      .reference = roofline.cycles(),
                      .limit = Limit::kAtLeast,
                      .note = fmt::format("limited by {}; streams {:.0f}", roofline.limit(),
                                          roofline.stream)};
    return run.error.empty() ? check : check.broken(run.error);
}

/// The check of a mean follows those of its networks.
void addChecks(const std::string& device, const std::vector<Measurement>& runs,
               RungResult& result) {
    Ratios ratios;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Check check = networkCheck(device, zoo::entries()[i].name, runs[i]);
        result.checks.push_back(check);
        if (check.isBroken) {
            continue;  // it has failed, and has no ratio
        }
        ratios.add(check.ratio());
    }
    result.checks.push_back({.kind = CheckKind::kInternal,
                             .rung = kRooflineRung,
                             .subject = fmt::format("{} networks on {}", ratios.count(), device),
                             .quantity = "over the roofline, geometric mean",
                             .model = ratios.mean(),
                             .reference = kGoal,
                             .limit = Limit::kAtMost});
}

}  // namespace

RowList rooflineRows(const References& /*references*/) {
    RowList list;
    for (const std::string device : kDevices) {
        Row row{fmt::format("the zoo on {}", device), {}, nullptr};
        for (const zoo::Entry& entry : zoo::entries()) {
            row.probes.push_back(
                    {fmt::format("base = \"{}\"\n", device), ZooModel{std::string(entry.name), 1}});
        }
        row.evaluate = [device](const std::vector<Measurement>& runs, RungResult& result) {
            addChecks(device, runs, result);
        };
        list.rows.push_back(std::move(row));
    }
    return list;
}

}  // namespace vnpu::sim
