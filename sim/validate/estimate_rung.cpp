// SPDX-License-Identifier: Apache-2.0
// The estimates of the driver compared with the cycles of the device.
#include <fmt/format.h>

#include <cmath>

#include "sim/config/load_config.h"
#include "sim/models/zoo.h"
#include "sim/validate/measurement.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kRung = "estimate";
constexpr double kMostError = 5.0;  // per cent. source: the ladder's own demand

Check estimateCheck(const std::string& network, const std::vector<std::string>& configs,
                    const std::vector<Measurement>& runs) {
    Check check{.rung = kRung,
                .subject = fmt::format("{} on {} configurations", network, configs.size()),
                .quantity = "mean absolute error, %",
                .reference = kMostError,
                .isLimit = true};
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

RungResult runEstimateRung(const RungContext& context) {
    const std::vector<std::string> configs = configNames();
    std::vector<MeasureRequest> requests;
    for (const std::string& config : configs) {
        requests.push_back({fmt::format("base = \"{}\"\n", config), {}});
        for (const zoo::Entry& entry : zoo::entries()) {
            requests.back().models.emplace_back(ZooModel{std::string(entry.name), 1});
        }
    }
    const auto runs = measureAll(requests, context.pool, context.onProgress);
    RungResult result;
    for (std::size_t n = 0; n < zoo::entries().size(); ++n) {
        std::vector<Measurement> ofNetwork;
        ofNetwork.reserve(runs.size());
        for (const auto& ofConfig : runs) {
            ofNetwork.push_back(ofConfig[n]);
        }
        result.checks.push_back(
                estimateCheck(std::string(zoo::entries()[n].name), configs, ofNetwork));
    }
    return result;
}

}  // namespace vnpu::sim
