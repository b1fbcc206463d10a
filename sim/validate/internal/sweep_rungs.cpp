// SPDX-License-Identifier: Apache-2.0
// One layer at many bandwidths and sizes of SRAM: every point must be at the place of the closed
// form, and the curve must bend there.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/validate/device_time.h"
#include "sim/validate/ethosu/vela_accelerator.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

// source: the ladder's own demand of times; steps of the sweeps are finer
constexpr double kKneeTolerance = 0.10;
constexpr double kPointTolerance = 0.10;    // likewise
constexpr double kMostLost = 1.0;           // chosen: a point lies between full overlap and none
constexpr double kHaloTolerance = 0.25;     // chosen: rows that tiles of a 3 x 3 layer read twice
constexpr const char* kDevice = "u65-256";  // without decoders: the layers have no weights
constexpr double kArraySide = 16.0;         // source: 256 MACs a cycle, as a square
constexpr double kFillCycles = 3.0 * kArraySide - 2.0;
constexpr double kArrayTolerance = 0.05;  // chosen: as for Ethos-U
constexpr double kOutputCycles = 0.25;    // source: Vela, U65-256, for a plain result

/// Cycles of the double-buffered array: the first tile is loaded and leaves with its skew, the
/// others are loaded meanwhile. source: ISPASS 2020 (SCALE-Sim) for the former, ONNXim for the
/// latter
double arrayCycles(const hw::GemmShape& gemm) {
    const double rows = real(gemm.m);
    const double folds =
            std::ceil(real(gemm.k) / kArraySide) * std::ceil(real(gemm.n) / kArraySide);
    return kFillCycles + rows + (folds - 1.0) * std::max(rows, kArraySide);
}

double bytesOnce(const hw::GemmShape& gemm, std::uint64_t inputBytes) {
    return real(inputBytes + gemm.k * gemm.n + gemm.m * gemm.n);
}

std::uint64_t inputBytesOf(const LayerShape& shape) {
    return shape.isProduct() ? std::uint64_t{shape.rows} * shape.channels
                             : std::uint64_t{shape.inputHeight} * shape.inputWidth * shape.channels;
}

struct BandwidthCase {
    const char* name = nullptr;
    LayerShape shape;
};

// chosen: a convolution with little, and a product with much traffic for its work
constexpr std::array<BandwidthCase, 2> kBandwidthCases = {
        {{"3 x 3 convolution of 56 x 56 x 64", {58, 58, 3, 3, 64, 64, 1, 0}},
         {"product of 128 x 512 x 512", {1, 1, 1, 1, 512, 512, 1, 128}}}};

/// Factors of the place of the knee: eight octaves, denser around it.
constexpr std::array<double, 13> kFactors = {1.0 / 16, 1.0 / 8, 0.25, 0.5, 0.7, 0.85, 1.0,
                                             1.2,      1.5,     2.0,  4.0, 8.0, 16.0};

Curve bandwidthCurve(const BandwidthCase& layer) {
    const hw::GemmShape gemm = layer.shape.gemm();
    const double macCycles = arrayCycles(gemm);
    const double bytes = bytesOnce(gemm, inputBytesOf(layer.shape));
    Curve curve{.title = fmt::format("{} on {}", layer.name, kDevice),
                .xLabel = "DRAM bytes/cycle",
                .yLabel = "cycles",
                .knee = bytes / macCycles};
    for (const double factor : kFactors) {
        const double x = curve.knee * factor;
        curve.points.push_back({x, 0.0, std::max(macCycles, bytes / x)});
    }
    return curve;
}

/// The intersection of the branches of the lowest and the highest bandwidth.
double meetingPoint(const Curve& curve) {
    const Curve::Point& low = curve.points.front();
    return low.model * low.x / curve.points.back().model;
}

// chosen: both operands larger than the SRAM of the smaller points, the input the smaller one
constexpr LayerShape kSramCase{1, 1, 1, 1, 1024, 2048, 1, 256};
constexpr std::array<double, 9> kSramFactors = {0.3, 0.5, 0.7, 0.9, 1.0, 1.05, 1.1, 1.5, 2.0};
// chosen: memory so slow that the plan with the least traffic is the fastest
constexpr const char* kSramSweepKey = "[dram]\nbytes_per_cycle = 0.25\n[sram]\nkib";
constexpr double kNearFloor = 1.05;  // chosen: traffic counts as all once up to here

/// Bytes with `rows` of the input in SRAM at a time, each such slice with all filters.
double slicedBytes(double rows) {
    const hw::GemmShape gemm = kSramCase.gemm();
    const double slices = std::ceil(real(gemm.m) / std::max(rows, 1.0));
    return real(gemm.m * (gemm.k + gemm.n)) + slices * real(gemm.k * gemm.n);
}

/// Memory traffic of the product. The input stays if it fits together with the bias and with two
/// tiles of filters and results of the width of the array; else it is loaded in slices, each with
/// all filters.
Curve sramCurve() {
    const hw::GemmShape gemm = kSramCase.gemm();
    const auto input = real(gemm.m * gemm.k);
    const auto filters = real(gemm.k * gemm.n);
    const double bias = 4.0 * real(gemm.n);
    const double beside = 2.0 * real(gemm.k + gemm.m) * kArraySide + bias;
    Curve curve{.title = fmt::format("product of 256 x 1024 x 2048 on {}", kDevice),
                .xLabel = "KiB of SRAM",
                .yLabel = "DRAM bytes",
                .knee = (input + beside) / 1024.0};
    for (const double factor : kSramFactors) {
        const double kib = std::ceil(curve.knee * factor / 8.0) * 8.0;  // a multiple of the banks
        const double slices = std::ceil(input / std::max(kib * 1024.0 - beside, 1.0));
        const double output = bytesOnce(gemm, 0) - filters;
        curve.points.push_back({kib, 0.0, input + slices * filters + output});
    }
    return curve;
}

/// The smallest SRAM with which every operand moves once.
double floorPoint(const Curve& curve) {
    for (const Curve::Point& point : curve.points) {
        if (point.model <= kNearFloor * curve.points.back().closedForm) {
            return point.x;
        }
    }
    return 0.0;
}

/// One sweep: the swept parameter, the layer, and the measured quantity.
struct Sweep {
    const char* rung = nullptr;
    const char* key = nullptr;  // TOML up to the swept number
    LayerShape shape;
    const char* quantity = nullptr;
    double (*measured)(const Measurement& run) = nullptr;
    double (*kneeOf)(const Curve& curve) = nullptr;
    /// Adds to the check of a point what limits its difference from the closed form.
    void (*complete)(Check& check, const LayerShape& shape, double x,
                     const Measurement& run) = nullptr;
};

Check kneeCheck(const Sweep& sweep, const Curve& curve) {
    return {.kind = CheckKind::kInternal,
            .rung = sweep.rung,
            .subject = curve.title,
            .quantity = fmt::format("knee, {}", curve.xLabel),
            .model = curve.measuredKnee,
            .reference = curve.knee,
            .tolerance = kKneeTolerance};
}

Check pointCheck(const Sweep& sweep, const Curve& curve, const Curve::Point& point) {
    return {.kind = CheckKind::kInternal,
            .rung = sweep.rung,
            .subject = curve.title,
            .quantity = fmt::format("{}, {:.4g} {}", sweep.quantity, point.x, curve.xLabel),
            .model = point.model,
            .reference = point.closedForm,
            .tolerance = kPointTolerance};
}

Row sweepRow(const Sweep& sweep, const Curve& ofClosedForm) {
    Row row{ofClosedForm.title, {}, nullptr};
    for (const Curve::Point& point : ofClosedForm.points) {
        row.probes.push_back({fmt::format("base = \"{}\"\ndecoder.bytes_per_cycle = 0\n{} = {}\n",
                                          kDevice, sweep.key, point.x),
                              sweep.shape});
    }
    row.evaluate = [=](const std::vector<Measurement>& runs, RungResult& result) {
        Curve curve = ofClosedForm;
        std::vector<Check> points;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            Curve::Point& point = curve.points[i];
            point.model = sweep.measured(runs[i]);
            Check check = pointCheck(sweep, curve, point);
            if (runs[i].error.empty()) {
                sweep.complete(check, sweep.shape, point.x, runs[i]);
            }
            points.push_back(runs[i].error.empty() ? check : check.broken(runs[i].error));
        }
        curve.measuredKnee = sweep.kneeOf(curve);
        result.checks.push_back(kneeCheck(sweep, curve));
        result.checks.insert(result.checks.end(), points.begin(), points.end());
        result.curves.push_back(std::move(curve));
    };
    return row;
}

/// A point with fewer bytes than the closed form is right if one tile of filters and results,
/// rather than two, leaves room for larger slices.
void completeSramPoint(Check& check, const LayerShape& shape, double kib,
                       const Measurement& /*run*/) {
    const double columnBytes = real(shape.gemm().k) * kArraySide;
    const double rows =
            std::floor((kib * 1024.0 - columnBytes) / (real(shape.gemm().k) + kArraySide));
    check.gap = Gap{.model = check.model,
                    .reference = check.reference,
                    .parts = {{.name = "slices",
                               .cycles = check.model - check.reference,
                               .bounds = {{.figure = "the bytes with a single tile of filters",
                                           .measured = check.model,
                                           .expected = slicedBytes(rows),
                                           .low = 1.0},
                                          {.figure = "the bytes with two",
                                           .measured = check.model,
                                           .expected = check.reference,
                                           .high = 1.0 + kPointTolerance}}}}};
}

/// The parts of a point of a bandwidth sweep: its array, its bytes and their overlap.
void completeBandwidthPoint(Check& check, const LayerShape& shape, double x,
                            const Measurement& run) {
    const hw::GemmShape gemm = shape.gemm();
    const double bytes = bytesOnce(gemm, inputBytesOf(shape));
    const double array = arrayCycles(gemm);
    DeviceTime device;
    device.add(run,
               {.operations = {{.arrayCycles = array,
                                .fillCycles = kFillCycles,
                                .outputCycles = real(gemm.m * gemm.n) * kOutputCycles}},
                .leastBytes = bytes,
                .mostBytes = bytes},
               {.bytesPerCycle = x, .latencyCycles = kU65Dram.readLatency});
    check.gap = device.gapTo({.published = check.reference,
                              .array = array,
                              .transfers = check.reference - array,
                              .rules = "the closed form"},
                             {.array = "the closed form of 16 x 16",
                              .arrayTolerance = kArrayTolerance,
                              .bytesTolerance = kHaloTolerance,
                              .mostLost = kMostLost,
                              .restTolerance = kPointTolerance});
}

}  // namespace

RowList bandwidthRows(const References& /*references*/) {
    RowList list;
    for (const BandwidthCase& layer : kBandwidthCases) {
        list.rows.push_back(
                sweepRow({.rung = "bandwidth",
                          .key = "[dram]\nbytes_per_cycle",
                          .shape = layer.shape,
                          .quantity = "cycles",
                          .measured = [](const Measurement& run) { return real(run.cycles); },
                          .kneeOf = meetingPoint,
                          .complete = completeBandwidthPoint},
                         bandwidthCurve(layer)));
    }
    return list;
}

RowList sramRows(const References& /*references*/) {
    RowList list;
    list.rows.push_back(sweepRow(
            {.rung = "sram",
             .key = kSramSweepKey,
             .shape = kSramCase,
             .quantity = "bytes",
             .measured =
                     [](const Measurement& run) { return real(run.bytesRead + run.bytesWritten); },
             .kneeOf = floorPoint,
             .complete = completeSramPoint},
            sramCurve()));
    return list;
}

}  // namespace vnpu::sim
