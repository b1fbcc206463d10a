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

constexpr double kMostError = 5.0;  // per cent. source: the ladder's own demand

Check estimateCheck(const std::string& subject, const std::vector<std::string>& configs,
                    const std::vector<Measurement>& runs) {
    Check check{.kind = CheckKind::kInternal,
                .rung = "estimate",
                .subject = subject,
                .quantity = "mean absolute error, %",
                .reference = kMostError,
                .limit = Limit::kAtMost};
    double worst = -1.0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].error.empty() || runs[i].jobCycles == 0) {
            return check.broken(fmt::format("{}: {}", configs[i], runs[i].error));
        }
        const double error =
                100.0 * (real(runs[i].estimatedCycles) / real(runs[i].jobCycles) - 1.0);
        check.model += std::abs(error) / real(runs.size());
        if (std::abs(error) > worst) {
            worst = std::abs(error);
            check.note = fmt::format("worst {:+.1f} % on {}", error, configs[i]);
        }
    }
    return check;
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
            result.checks.push_back(estimateCheck(subject, configs, runs));
        };
        list.rows.push_back(std::move(row));
    }
    return list;
}

}  // namespace vnpu::sim
