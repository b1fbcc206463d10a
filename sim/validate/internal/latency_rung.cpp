// SPDX-License-Identifier: Apache-2.0
// A layer so small that latencies are most of its time.
#include <fmt/format.h>

#include "sim/validate/device_time.h"
#include "sim/validate/ethosu/vela_accelerator.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

// chosen: the fetch of further commands overlaps the first load by a share that is not computed
constexpr double kLatencyTolerance = 0.20;
// A product of 16 x 16 x 16.
constexpr std::uint32_t kSmallSide = 16;
constexpr LayerShape kSmallest{1, 1, 1, 1, kSmallSide, kSmallSide, 1, kSmallSide};
constexpr double kImageBytes = 1.0 * kSmallSide * kSmallSide;
constexpr double kOtherBytes = 2.0 * kSmallSide * kSmallSide + 4.0 * kSmallSide;  // and a bias
// An image outside of Ethos-U65 is read by pixels, each in a burst of its own.
constexpr double kU65ImageBytes = 1.0 * kSmallSide * kU65Dram.burstBytes;

struct LatencyCase {
    const char* config;
    double latency;        // cycles of a read and of a write
    double bytesPerCycle;  // of the memory
    double arrayCycles;    // closed form
    double outputCycles;
    double imageBytes;  // in whole bursts
};

/// Cycles of the array: 2R + C + M - 2 for one fold of 16 x 16 and of 16 x 8 (two, of which the
/// second adds M), or M for each fold of 16 channels where operands are broadcast.
// source: memories and output stages as in Vela's description; NVDLA's specification nv_large
constexpr LatencyCase kLatencyCases[] = {
        {"u55-128", kU55Flash.readLatency, kU55Flash.bytesPerCycle, 70.0, 128.0, kImageBytes},
        {"u55-256", kU55Flash.readLatency, kU55Flash.bytesPerCycle, 62.0, 64.0, kImageBytes},
        {"u65-256", kU65Dram.readLatency, kU65Dram.bytesPerCycle, 62.0, 64.0, kU65ImageBytes},
        {"u65-512", kU65Dram.readLatency, kU65Dram.bytesPerCycle, 78.0, 32.0, kU65ImageBytes},
        {"nvdla-256", 128.0, 5.0, 32.0, 32.0, kImageBytes},
        {"nvdla-2048", 128.0, 20.0, 16.0, 8.0, kImageBytes},
};

/// The operands arrive, the array works, the results leave: nothing overlaps.
double closedForm(const LatencyCase& of) {
    return 2.0 * (of.latency + kTransferOverheadCycles) +
           (of.imageBytes + kOtherBytes) / of.bytesPerCycle + of.arrayCycles + of.outputCycles;
}

Row latencyRow(const LatencyCase& of) {
    const Check check{
            .kind = CheckKind::kInternal,
            .rung = "latency",
            .subject = fmt::format("product of {0} x {0} x {0} on {1}", kSmallSide, of.config),
            .quantity = "cycles",
            .reference = closedForm(of),
            .tolerance = kLatencyTolerance};
    return {check.subject,
            {{fmt::format("base = \"{}\"\n", of.config), kSmallest}},
            [check](const std::vector<Measurement>& runs, RungResult& result) {
                Check done = runs.front().error.empty() ? check : check.broken(runs.front().error);
                done.model = real(runs.front().cycles);
                result.checks.push_back(std::move(done));
            }};
}

}  // namespace

RowList latencyRows(const References& /*references*/) {
    RowList list;
    for (const LatencyCase& of : kLatencyCases) {
        list.rows.push_back(latencyRow(of));
    }
    return list;
}

}  // namespace vnpu::sim
