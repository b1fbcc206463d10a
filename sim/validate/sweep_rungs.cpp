// SPDX-License-Identifier: Apache-2.0
// One layer at many bandwidths and sizes of SRAM: the curve must bend at the place of the closed
// form.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/config/load_config.h"
#include "sim/validate/measurement.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

// source: the ladder's own demand of times; steps of the sweeps are finer
constexpr double kKneeTolerance = 0.10;
constexpr const char* kDevice = "u65-256";

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
    const hw::NpuConfig config = loadConfig(kDevice);
    const hw::GemmShape gemm = layer.shape.gemm();
    const auto macCycles = real(hw::gemmCycles(config.mac, gemm));
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

/// Memory traffic of the product. The input stays if it fits together with the bias and with two
/// tiles of filters and results of the width of the array; else it is loaded in slices, each with
/// all filters.
Curve sramCurve() {
    const hw::NpuConfig config = loadConfig(kDevice);
    const hw::GemmShape gemm = kSramCase.gemm();
    const auto input = real(gemm.m * gemm.k);
    const auto filters = real(gemm.k * gemm.n);
    const double bias = 4.0 * real(gemm.n);
    const double beside = 2.0 * real((gemm.k + gemm.m) * config.mac.columns) + bias;
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
    std::uint64_t (*quantity)(const Measurement& run) = nullptr;
    double (*kneeOf)(const Curve& curve) = nullptr;
};

void runSweep(const Sweep& sweep, Curve curve, const RungContext& context, RungResult& result) {
    std::vector<MeasureRequest> requests;
    for (const Curve::Point& point : curve.points) {
        requests.push_back({fmt::format("base = \"{}\"\n{} = {}\n", kDevice, sweep.key, point.x),
                            {sweep.shape}});
    }
    const auto runs = measureAll(requests, context.pool, context.onProgress);
    Check check{.rung = sweep.rung,
                .subject = curve.title,
                .quantity = fmt::format("knee, {}", curve.xLabel),
                .reference = curve.knee,
                .tolerance = kKneeTolerance};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Measurement& run = runs[i].front();
        curve.points[i].model = real(sweep.quantity(run));
        if (check.note.empty()) {
            check.note = run.error;
        }
    }
    check.isBroken = !check.note.empty();
    check.model = curve.measuredKnee = sweep.kneeOf(curve);
    result.checks.push_back(std::move(check));
    result.curves.push_back(std::move(curve));
}

}  // namespace

RungResult runBandwidthRung(const RungContext& context) {
    RungResult result;
    for (const BandwidthCase& layer : kBandwidthCases) {
        runSweep({.rung = "bandwidth",
                  .key = "[dram]\nbytes_per_cycle",
                  .shape = layer.shape,
                  .quantity = [](const Measurement& run) { return run.cycles; },
                  .kneeOf = meetingPoint},
                 bandwidthCurve(layer), context, result);
    }
    return result;
}

RungResult runSramRung(const RungContext& context) {
    RungResult result;
    runSweep({.rung = "sram",
              .key = kSramSweepKey,
              .shape = kSramCase,
              .quantity = [](const Measurement& run) { return run.bytesRead + run.bytesWritten; },
              .kneeOf = floorPoint},
             sramCurve(), context, result);
    return result;
}

}  // namespace vnpu::sim
