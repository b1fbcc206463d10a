// SPDX-License-Identifier: Apache-2.0
// Speed of the simulation against the bare arithmetic. One process holds one simulated device, so
// the timing-only run is a child process of its own in the same call.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/models/source.h"
#include "sim/platform/platform.h"
#include "tests/bench/bare_network.h"

namespace {

using vnpu::sim::ClientContext;
using vnpu::sim::ExecutionPath;
using vnpu::sim::ModelRunner;

constexpr const char* kChildVariable = "VNPU_BENCH_TIMING_ONLY";
constexpr const char* kNetwork = "zoo:mobilenet_v1";

/// The median CPU-independent (wall) time of each benchmark, in seconds.
class CollectingReporter : public benchmark::ConsoleReporter {
  public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const bool isMedian =
                    run.run_type == Run::RT_Aggregate && run.aggregate_name == "median";
            if (isMedian) {
                medianSeconds[run.run_name.function_name] =
                        run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
            }
        }
        ConsoleReporter::ReportRuns(runs);
    }

    std::map<std::string, double> medianSeconds;
};

/// Runs the registered benchmarks on a simulated client's thread, so that one of them can be an
/// inference.
void runOnDevice(bool isTimingOnly, CollectingReporter& reporter) {
    vnpu::sim::Platform::Options options;
    options.config = vnpu::sim::loadConfig("edge");
    options.config.timingOnly = isTimingOnly;
    vnpu::sim::Platform platform(options);
    platform.addClient("bench", 10000, [&](ClientContext& context) {
        const auto network = vnpu::sim::loadNetwork(kNetwork, {.zeroWeights = isTimingOnly});
        const auto runner = ModelRunner::prepare(
                context, network, android::hardware::neuralnetworks::V1_3::Priority::MEDIUM);
        auto infer = [&](benchmark::State& state) {
            for (auto step : state) {
                static_cast<void>(step);
                const auto result = runner->execute(ExecutionPath::kSync);
                if (result.status != android::hardware::neuralnetworks::V1_3::ErrorStatus::NONE) {
                    state.SkipWithError("the execution failed");
                    break;
                }
            }
        };
        auto configure = [](benchmark::internal::Benchmark* it) {
            it->Unit(benchmark::kMillisecond)
                    ->UseRealTime()
                    ->Repetitions(5)
                    ->ReportAggregatesOnly(true);
        };
        configure(benchmark::RegisterBenchmark(
                isTimingOnly ? "TimingOnlyInference" : "SimulatedInference", infer));
        vnpu::bench::BareMobileNet bare;
        if (!isTimingOnly) {
            configure(benchmark::RegisterBenchmark("BareKernels", [&bare](benchmark::State& state) {
                for (auto step : state) {
                    static_cast<void>(step);
                    bare.run();
                }
                state.counters["GMAC/s"] =
                        benchmark::Counter(static_cast<double>(bare.macs()) * 1e-9,
                                           benchmark::Counter::kIsIterationInvariantRate);
            }));
        }
        benchmark::RunSpecifiedBenchmarks(&reporter);
    });
    platform.run();
}

/// Runs this program again for the timing-only half; its median in seconds, or 0.
double timingOnlyInChild(char** argv) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) {
        return 0;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv(kChildVariable, std::to_string(ends[1]).c_str(), 1);
        ::execv("/proc/self/exe", argv);
        ::_exit(127);
    }
    ::close(ends[1]);
    double seconds = 0;
    if (::read(ends[0], &seconds, sizeof(seconds)) != static_cast<ssize_t>(sizeof(seconds))) {
        seconds = 0;
    }
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return seconds;
}

void printRatio(const char* what, double ratio, const char* limit) {
    fmt::print("{:<52} {:8.2f}   ({})\n", what, ratio, limit);
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    CollectingReporter reporter;
    if (const char* descriptor = std::getenv(kChildVariable); descriptor != nullptr) {
        runOnDevice(true, reporter);
        const double seconds = reporter.medianSeconds["TimingOnlyInference"];
        return ::write(std::atoi(descriptor), &seconds, sizeof(seconds)) ==
                               static_cast<ssize_t>(sizeof(seconds))
                       ? 0
                       : 1;
    }
    const double timingOnly = timingOnlyInChild(argv);
    runOnDevice(false, reporter);
    const double simulated = reporter.medianSeconds["SimulatedInference"];
    const double bare = reporter.medianSeconds["BareKernels"];
    if (simulated > 0 && bare > 0) {
        printRatio("MobileNetV1-224 int8: data and timing / bare kernels", simulated / bare,
                   "at most 1.5");
    }
    if (simulated > 0 && timingOnly > 0) {
        printRatio("MobileNetV1-224 int8: data and timing / timing only", simulated / timingOnly,
                   "at least 20");
    }
    return 0;
}

extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
