// SPDX-License-Identifier: Apache-2.0
// How far the networks of the zoo are above their rooflines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/models/zoo.h"
#include "sim/validate/internal/roofline.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

RowList rooflineRows(const References& /*references*/) {
    RowList list;
    for (const std::string config : {"edge", "mobile"}) {
        const hw::NpuConfig device = loadConfig(config);
        for (const zoo::Entry& entry : zoo::entries()) {
            const std::string name(entry.name);
            Row row{fmt::format("{} on {}", name, config),
                    {{fmt::format("base = \"{}\"\n", config), ZooModel{name, 1}}},
                    nullptr};
            row.evaluate = [=, subject = row.subject](const std::vector<Measurement>& runs,
                                                      RungResult& result) {
                const Network network = loadNetwork("zoo:" + name, {.zeroWeights = true});
                const Roofline roofline = rooflineOf(network, device);
                Check check{.kind = CheckKind::kInternal, .rung = "roofline", .subject = subject,
                            .quantity = "cycles", .model = real(runs[0].cycles),
                            .reference = roofline.cycles(), .tolerance = 0.25};
                check.note = fmt::format("array {:.0f} active {} memory {:.0f} moved {:.0f} after {:.0f}", roofline.array, runs[0].macActiveCycles, roofline.memory, real(runs[0].bytesRead + runs[0].bytesWritten) / device.dram.bytesPerCycle, roofline.arrayThenMemory);
                result.checks.push_back(check);
            };
            list.rows.push_back(std::move(row));
        }
    }
    return list;
}

}  // namespace vnpu::sim
