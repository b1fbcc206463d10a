// SPDX-License-Identifier: Apache-2.0
// Relations between runs of the same network on related devices: no figure of a single run is
// expected, only that more of a resource does not cost time.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/config/load_config.h"
#include "sim/models/zoo.h"
#include "sim/validate/measurement.h"

namespace {

using namespace vnpu::sim;
using vnpu::hw::NpuConfig;

// source: the requirement; what chance in a search may cost
constexpr double kTolerance = 1.01;

/// The resources of a device that the test varies; the rest is as in `base`.
struct Resources {
    std::string base;
    std::uint32_t sramKib, banks, rows, columns, lanes, latency, queueDepth;
    double bandwidth;

    std::string text() const {
        return fmt::format(
                "base = \"{}\"\n[sram]\nkib = {}\nbanks = {}\n[mac]\nrows = {}\ncolumns = {}\n"
                "output_lanes = {}\n[dram]\nbytes_per_cycle = {:.4f}\nlatency_cycles = {}\n"
                "[controller]\nengine_queue_depth = {}\n",
                base, sramKib, banks, rows, columns, lanes, bandwidth, latency, queueDepth);
    }
};

Resources resourcesOf(const std::string& name) {
    const NpuConfig config = loadConfig(name);
    return {name,
            config.sram.kib,
            config.sram.banks,
            config.mac.rows,
            config.mac.columns,
            config.mac.outputLanes,
            config.dram.latencyCycles,
            config.controller.engineQueueDepth,
            config.dram.bytesPerCycle};
}

struct Step {
    const char* name;
    void (*apply)(Resources&);
};

/// Each gives the device more of one resource.
constexpr Step kSteps[] = {
        {"a quarter more SRAM", [](Resources& r) { r.sramKib += r.sramKib / 4; }},
        {"twice the SRAM", [](Resources& r) { r.sramKib *= 2; }},
        {"a quarter more bandwidth", [](Resources& r) { r.bandwidth *= 1.25; }},
        {"half the latency", [](Resources& r) { r.latency /= 2; }},
        {"twice the rows", [](Resources& r) { r.rows *= 2; }},
        {"twice the columns",
         [](Resources& r) {
             r.columns *= 2;
             r.lanes *= 2;
         }},
        {"twice the banks", [](Resources& r) { r.banks *= 2; }},
        {"twice the queue depth", [](Resources& r) { r.queueDepth *= 2; }},
};
