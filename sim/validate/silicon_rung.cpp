// SPDX-License-Identifier: Apache-2.0
// Chips whose times are published, beside devices of about their size. No configuration describes
// one of them, so these rows have no verdict.
#include <fmt/format.h>

#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

struct SiliconRow {
    const char* chip;
    const char* network;  // of the zoo
    double milliseconds;  // published
    const char* config;   // TOML
    double clockKhz;      // of that device
    const char* note;
};

// Edge TPU: 4 TOPS and 8 MB on the chip; as 64 x 64 at 500 MHz. It keeps its weights, which we load
// for each inference, so memory is chosen wide enough (8 GB/s).
constexpr const char* kEdgeTpu =
        "base = \"tpu128\"\nclock_khz = 500000\n[mac]\nrows = 64\ncolumns = 64\n[sram]\n"
        "kib = 8192\nbanks = 16\n[dram]\nbytes_per_cycle = 16.0\n";
// NE16: 370 MHz, about 256 MACs of 8 bits a cycle; L3 memory is not needed.
constexpr const char* kNe16 = "base = \"u65-256\"\nclock_khz = 370000\n";
constexpr const char* kU55 = "base = \"u55-256\"\n";

/// sources: Coral's published inference times (Edge TPU over USB 3); GreenWaves' GAP9 results of
/// MLPerf Tiny (cycles at 370 MHz); Alif's E8 (19 to 30 ms, the middle here)
constexpr SiliconRow kSiliconRows[] = {
        {"Edge TPU", "mobilenet_v1", 2.17, kEdgeTpu, 500'000,
         "host and USB are in the chip's time"},
        {"Edge TPU", "mobilenet_v2", 2.29, kEdgeTpu, 500'000,
         "host and USB are in the chip's time"},
        {"Edge TPU", "googlenet", 3.06, kEdgeTpu, 500'000, "host and USB are in the chip's time"},
        {"GAP9 NE16", "resnet8", 228e3 / 370e3, kNe16, 370'000, "228,000 cycles"},
        {"GAP9 NE16", "ds_cnn", 176e3 / 370e3, kNe16, 370'000, "176,000 cycles"},
        {"GAP9 NE16", "mobilenet_v1_025_96", 416e3 / 370e3, kNe16, 370'000, "416,000 cycles"},
        {"Alif E8, U55-256", "mobilenet_v2", 24.5, kU55, 500'000, "19 to 30 ms"},
};

Row siliconRow(const SiliconRow& of) {
    const Check check{.kind = CheckKind::kSilicon,
                      .rung = "silicon",
                      .subject = fmt::format("{} on {}", of.network, of.chip),
                      .quantity = "ms",
                      .reference = of.milliseconds,
                      .note = of.note};
    return {check.subject,
            {{of.config, ZooModel{of.network, 1}}},
            [check, clockKhz = of.clockKhz](const std::vector<Measurement>& runs,
                                            RungResult& result) {
                Check done = runs.front().error.empty() ? check : check.broken(runs.front().error);
                done.model = real(runs.front().cycles) / clockKhz;
                result.checks.push_back(std::move(done));
            }};
}

}  // namespace

RowList siliconRows(const References& /*references*/) {
    RowList list;
    for (const SiliconRow& of : kSiliconRows) {
        list.rows.push_back(siliconRow(of));
    }
    return list;
}

}  // namespace vnpu::sim
