// SPDX-License-Identifier: Apache-2.0
// Double-buffered systolic arrays compared with the published cycles of ONNXim.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <regex>

#include "sim/import/source.h"
#include "sim/validate/device_time.h"
#include "sim/validate/onnxim/onnxim_table.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kOnnximRung = "onnxim";
constexpr double kTolerance = 0.10;  // chosen: as for NVDLA's device
// chosen: its DRAM reaches 79 % of the peak on streams, and sums of residual blocks take time of
// their own; neither is computed
constexpr double kRulesTolerance = 0.25;
constexpr double kArrayTolerance = 0.05;  // chosen: as for Ethos-U
constexpr double kMostLost = 0.75;        // likewise
constexpr double kBytesTolerance = 0.10;  // chosen: what halos of tiles read again
constexpr double kLatencyCycles = 100.0;  // source: sim/configs, ws16 to ws128

/// Its memory, a channel of HBM2 as two pseudo channels of 64 bits: the peak less refreshes, row
/// misses and turns of the bus.
// source: Ramulator 2, HBM2_8Gb and its preset of timings in clocks, here of 1.2 GHz (2, 3, 4, 7,
// 8, 15 and 17 clocks; refreshes of 350 ns each 3900 clocks), and RoBaRaCoCh of ONNXim's
// configurations
constexpr const char* kHbm2 = R"(model = "banked"
latency_cycles = 88
refresh_interval_cycles = 3250
refresh_cycles = 350
channels = 2
bank_groups = 4
banks = 16
row_bytes = 1024
burst_bytes = 32
interleave_bytes = 32
mapping = "row-bank-column"
t_rcd_cycles = 5.83
t_rp_cycles = 5.83
t_cl_cycles = 5.83
t_cwl_cycles = 1.67
t_ras_cycles = 14.17
t_rrd_cycles = 1.67
t_rrd_l_cycles = 2.5
t_faw_cycles = 12.5
t_ccd_l_cycles = 1.67
t_rtp_cycles = 2.5
t_wr_cycles = 6.67
t_wtr_cycles = 3.33
t_rtw_cycles = 2.5
)";

/// One core with its memories.
std::string deviceOf(const OnnximRow& row) {
    const bool isLarge = row.size >= 128;
    return fmt::format(
            "base = \"ws{}\"\n[mac]\nweight_double_buffer = true\ntaps_apart = "
            "true\naccumulator_kib = {}\n"
            "[sram]\nkib = {}\n[dma]\nbytes_per_cycle = 64\n[dram]\nbytes_per_cycle = {}\n{}",
            row.size, isLarge ? 1024 : 256, isLarge ? 4096 : 1024, kOnnximBytesPerCycle, kHbm2);
}

/// The side of a product of square matrices: "gemm512".
std::optional<std::uint32_t> gemmSide(const std::string& network) {
    static const std::regex kGemm(R"(gemm(\d{1,5}))");
    std::smatch parts;
    return std::regex_match(network, parts, kGemm)
                   ? std::optional(static_cast<std::uint32_t>(std::stoul(parts[1])))
                   : std::nullopt;
}

/// A network as both sides see it.
struct Work {
    MeasuredModel model;
    WorkFigures figures;   // ours
    ReferenceTime time{};  // ONNXim's rules
};

void addLayer(const LayerParameters& layer, double bytes, const OnnximRow& row, Work& work) {
    const double array = onnximArrayCycles(layer, row.size);
    work.time.array += array;
    work.time.transfers += std::max(0.0, bytes / kOnnximBytesPerCycle - array);
    work.figures.operations.push_back(
            {.arrayCycles = array,
             .fillCycles = 3.0 * row.size - 2.0,  // source: ISPASS 2020 (SCALE-Sim)
             .outputCycles = real(layer.results()) / row.size,
             .vectorCycles = layer.kernels == 0 ? real(layer.mapBytes) / row.size : 0.0});
}

Work gemmWork(std::uint32_t side, const OnnximRow& row) {
    Work work{LayerShape{1, 1, 1, 1, side, side, 1, side}, {}};
    const double operands = 3.0 * side * side;
    // A product that does not fit moves operands again, as the reference does.
    work.figures.leastBytes = operands;
    work.figures.mostBytes = std::max(operands, real(row.bytes));
    addLayer({.rows = side,
              .columns = 1,
              .kernels = side,
              .channels = side,
              .filterRows = 1,
              .filterColumns = 1},
             work.figures.mostBytes, row, work);
    return work;
}

Work networkWork(const OnnximRow& row) {
    Work work{ZooModel{row.network, 1}, {}};
    const Network network = loadNetwork("zoo:" + row.network, {.zeroWeights = true});
    const std::vector<LayerParameters> layers = layerParametersOf(network);
    const TrafficBounds traffic = trafficBoundsOf(network, layers);
    work.figures.leastBytes = traffic.leastBytes;
    work.figures.mostBytes = traffic.mostBytes;
    for (const LayerParameters& layer : layers) {
        addLayer(layer, layer.kernels == 0 ? 0.0 : real(layer.constantBytes + layer.mapBytes), row,
                 work);
    }
    return work;
}

Row deviceRow(const OnnximRow& row, const References& references) {
    const auto side = gemmSide(row.network);
    Work work = side ? gemmWork(*side, row) : networkWork(row);
    work.time.published = references.figure(row.network, real(row.cycles));
    work.time.rules = "the array's and the memory's closed form";
    work.time.rulesTolerance = kRulesTolerance;
    const Check check{.kind = CheckKind::kNetwork,
                      .rung = kOnnximRung,
                      .subject = fmt::format("{} on {} x {}", row.network, row.size, row.size),
                      .quantity = "cycles, device",
                      .reference = work.time.published,
                      .tolerance = kTolerance,
                      .deviceClass = "ONNXim"};
    return {check.subject,
            {{.config = deviceOf(row), .model = work.model, .hasCheckpoints = false}},
            [=](const std::vector<Measurement>& runs, RungResult& result) {
                const Measurement& run = runs.front();
                if (!run.error.empty()) {
                    result.checks.push_back(check.broken(run.error));
                    return;
                }
                DeviceTime device;
                device.add(run, work.figures, {kOnnximBytesPerCycle, kLatencyCycles});
                Check done = check;
                done.model = real(run.cycles);
                done.gap = device.gapTo(
                        work.time,
                        {.array = fmt::format("the closed form of {} x {}", row.size, row.size),
                         .arrayTolerance = kArrayTolerance,
                         .bytesTolerance = kBytesTolerance,
                         .mostLost = kMostLost,
                         .restTolerance = kTolerance});
                result.checks.push_back(std::move(done));
            }};
}

bool isOurs(const std::string& network) {
    return gemmSide(network).has_value() || network == "resnet50";
}

}  // namespace

RowList onnximRows(const References& references) {
    RowList list;
    const std::vector<OnnximRow> rows = loadOnnximRows(references.folder);
    if (rows.empty()) {
        list.notes.emplace_back("onnxim: the table is not here (VNPU_SHARED)");
    }
    for (const OnnximRow& row : rows) {
        if (isOurs(row.network)) {
            list.rows.push_back(deviceRow(row, references));
        }
    }
    return list;
}

}  // namespace vnpu::sim
