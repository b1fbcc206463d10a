// SPDX-License-Identifier: Apache-2.0
// The estimates of the driver compared with the cycles of the device.
#include <fmt/format.h>

#include <cmath>

#include "sim/config/load_config.h"
#include "sim/models/zoo.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr double kMostMean = 3.0;   // per cent. source: the ladder's own demand
constexpr double kMostError = 8.0;  // likewise, of a single device

/// The mean and the largest error of a network's estimates.
void addChecks(const std::string& subject, const std::vector<std::string>& configs,
               const std::vector<Measurement>& runs, RungResult& result) {
    Check mean{.kind = CheckKind::kInternal,
               .rung = "estimate",
               .subject = subject,
               .quantity = "mean absolute error, %",
               .reference = kMostMean,
               .limit = Limit::kAtMost};
    Check worst = mean;
    worst.quantity = "largest absolute error, %";
    worst.reference = kMostError;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].error.empty() || runs[i].jobCycles == 0) {
            result.checks.push_back(mean.broken(fmt::format("{}: {}", configs[i], runs[i].error)));
            return;
        }
        const double error =
                100.0 * (real(runs[i].estimatedCycles) / real(runs[i].jobCycles) - 1.0);
        mean.model += std::abs(error) / real(runs.size());
        if (worst.note.empty() || std::abs(error) > worst.model) {
            worst.model = std::abs(error);
            worst.note = fmt::format("{:+.1f} % on {}", error, configs[i]);
        }
    }
    result.checks.push_back(mean);
    result.checks.push_back(worst);
}

}  // namespace

RowList estimateRows(const References& /*references*/) {
    const std::vector<std::string> configs = configNames();
    RowList list;
    for (const zoo::Entry& entry : zoo::entries()) {
        Row row{fmt::format("{} on {} configurations", entry.name, configs.size()), {}, nullptr};
        for (const std::string& config : configs) {
            row.probes.push_back(
                    {fmt::format("base = \"{}\"\n", config), ZooModel{std::string(entry.name), 1}});
        }
        row.evaluate = [subject = row.subject, configs](const std::vector<Measurement>& runs,
                                                        RungResult& result) {
            addChecks(subject, configs, runs, result);
        };
        list.rows.push_back(std::move(row));
    }
    return list;
}

}  // namespace vnpu::sim
