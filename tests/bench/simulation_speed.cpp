// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/simulation_speed.h"

#include <fmt/format.h>

#include "tests/bench/simulated_runs.h"

namespace vnpu::bench {
namespace {

constexpr const char* kMobileNet = "zoo:mobilenet_v1";
constexpr const char* kResNet = "zoo:resnet50";
constexpr std::uint64_t kGrowthExecutions = 100'000;

/// Wall time of one ResNet-50 without data in other simulators, for an array of the same size.
/// Measured beforehand on a machine with two virtual processors, so ratios are valid only as an
/// order of magnitude.
struct PeerTimes {
    const char* config;
    double scaleSimSeconds;  // SCALE-Sim v3, weight stationary
    double onnxImSeconds;    // ONNXim, one core
};
constexpr PeerTimes kPeers[] = {{"ws16", 1008, 35.0}, {"ws32", 543, 28.8}, {"ws128", 125, 8.9}};

std::string withData(char** arguments) {
    std::string rows;
    for (const char* config : {"edge", "mobile"}) {
        const SimulatedRunResult data = measureInChild(
                arguments, {.config = config, .network = kMobileNet, .withBareKernels = true});
        const SimulatedRunResult timing = measureInChild(
                arguments, {.config = config, .network = kMobileNet, .isTimingOnly = true});
        if (data.inferenceSeconds > 0 && data.bareKernelSeconds > 0 &&
            timing.inferenceSeconds > 0) {
            rows += fmt::format("{:<8} {:>8.2f} ms {:>8.2f} ms {:>8.2f} ms {:>15.2f} {:>17.1f}\n",
                                config, data.bareKernelSeconds * 1e3, data.inferenceSeconds * 1e3,
                                timing.inferenceSeconds * 1e3,
                                data.inferenceSeconds / data.bareKernelSeconds,
                                data.inferenceSeconds / timing.inferenceSeconds);
        }
    }
    return rows.empty() ? rows
                        : "\nMobileNetV1-224 int8, one inference\n"
                          "config   bare kernels   with data  timing only  with data/bare  "
                          "with data/timing\n" +
                                  rows;
}

std::string withoutData(char** arguments) {
    std::string rows;
    for (const PeerTimes& peer : kPeers) {
        const SimulatedRunResult run = measureInChild(
                arguments, {.config = peer.config, .network = kResNet, .isTimingOnly = true});
        if (run.inferenceSeconds > 0) {
            rows += fmt::format(
                    "{:<8} {:>7.2f} ms {:>9} {:>14} {:>11.2f} {:>18.1f} {:>13.0f} {:>10.0f}\n",
                    peer.config, run.inferenceSeconds * 1e3, run.commands, run.engineEvents,
                    1e-6 * static_cast<double>(run.engineEvents) / run.inferenceSeconds,
                    1e-6 * static_cast<double>(run.deviceCycles) / run.inferenceSeconds,
                    peer.scaleSimSeconds / run.inferenceSeconds,
                    peer.onnxImSeconds / run.inferenceSeconds);
        }
    }
    return rows.empty()
                   ? rows
                   : "\nResNet-50, one inference without data; how many times faster than "
                     "others told for that array\n"
                     "config    wall time  commands  engine events  M events/s  device M cycles/s  "
                     "SCALE-Sim v3     ONNXim\n" +
                             rows;
}

std::string growth(char** arguments) {
    const SimulatedRunResult run = measureInChild(arguments, {.config = "edge",
                                                              .network = "zoo:ds_cnn",
                                                              .isTimingOnly = true,
                                                              .growthAfter = kGrowthExecutions});
    if (run.executions != kGrowthExecutions) {
        return fmt::format("\nmemory not measured: {} of {} executions of ds_cnn succeeded\n",
                           run.executions, kGrowthExecutions);
    }
    return fmt::format(
            "\n{} executions of ds_cnn: {} bytes more on the heap, {} KiB more resident\n",
            run.executions, run.heapGrowth, run.residentGrowth / 1024);
}

}  // namespace

std::string measureSimulations(char** arguments) {
    const std::string tables = withData(arguments) + withoutData(arguments);
    return tables.empty() ? tables : tables + growth(arguments);
}

}  // namespace vnpu::bench
