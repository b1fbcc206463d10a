// SPDX-License-Identifier: Apache-2.0
// Speed of the simulation against the bare arithmetic, and of the arithmetic against other
// libraries. One process holds one simulated device, so each simulation is a child process of its
// own in the same call.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/models/source.h"
#include "sim/platform/platform.h"
#include "tests/bench/bare_network.h"
#include "tests/bench/collecting_reporter.h"
#include "tests/bench/kernel_comparison.h"

namespace {

using vnpu::bench::CollectingReporter;
using vnpu::sim::ClientContext;
using vnpu::sim::ExecutionPath;
using vnpu::sim::ModelRunner;

// Set in a child: "CONFIG MODE DESCRIPTOR", where the medians go to.
constexpr const char* kChildVariable = "VNPU_BENCH_CHILD";
constexpr const char* kNetwork = "zoo:mobilenet_v1";

/// Medians of one child, seconds; 0 where not measured.
struct Medians {
    double inference = 0;
    double bareKernels = 0;
};

/// Runs the registered benchmarks on a simulated client's thread, so that one of them can be an
/// inference.
void runOnDevice(const std::string& config, bool isTimingOnly, CollectingReporter& reporter) {
    vnpu::sim::Platform::Options options;
    options.config = vnpu::sim::loadConfig(config);
    options.config.timingOnly = isTimingOnly;
    vnpu::sim::Platform platform(std::move(options));
    platform.addClient("bench", 10000, [&](ClientContext& context) {
        vnpu::sim::NetworkOptions networkOptions;
        networkOptions.zeroWeights = isTimingOnly;
        const auto network = vnpu::sim::loadNetwork(kNetwork, networkOptions);
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
                ("Inference/" + config + (isTimingOnly ? "/timing_only" : "/data")).c_str(),
                infer));
        vnpu::bench::BareMobileNet bare;
        if (!isTimingOnly) {
            configure(benchmark::RegisterBenchmark("BareKernels", [&bare](benchmark::State& state) {
                for (auto step : state) {
                    static_cast<void>(step);
                    bare.run();
                }
                state.counters["MAC/s"] =
                        benchmark::Counter(static_cast<double>(bare.macs()),
                                           benchmark::Counter::kIsIterationInvariantRate);
            }));
        }
        benchmark::RunSpecifiedBenchmarks(&reporter);
    });
    platform.run();
}

int runChild(const std::string& order) {
    std::istringstream words(order);
    std::string config;
    std::string mode;
    int descriptor = -1;
    words >> config >> mode >> descriptor;
    CollectingReporter reporter;
    runOnDevice(config, mode == "timing_only", reporter);
    Medians medians;
    for (const auto& [name, seconds] : reporter.medianSeconds) {
        (name == "BareKernels" ? medians.bareKernels : medians.inference) = seconds;
    }
    return ::write(descriptor, &medians, sizeof(medians)) == static_cast<ssize_t>(sizeof(medians))
                   ? 0
                   : 1;
}

/// Runs this program again for one configuration and mode.
Medians measure(char** argv, const std::string& config, const std::string& mode) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) {
        return {};
    }
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv(kChildVariable, (config + " " + mode + " " + std::to_string(ends[1])).c_str(), 1);
        // Inference and bare kernels in turn: what slows the machine down slows both.
        ::setenv("BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "true", 0);
        ::execv("/proc/self/exe", argv);
        ::_exit(127);
    }
    ::close(ends[1]);
    Medians medians;
    if (::read(ends[0], &medians, sizeof(medians)) != static_cast<ssize_t>(sizeof(medians))) {
        medians = {};
    }
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return medians;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<char*> arguments(argv, argv + argc + 1);  // Initialize() takes its own away
    if (const char* order = std::getenv(kChildVariable); order != nullptr) {
        benchmark::Initialize(&argc, argv);
        return runChild(order);
    }
    std::string summary;
    for (const char* config : {"edge", "mobile"}) {
        const Medians data = measure(arguments.data(), config, "data");
        const Medians timing = measure(arguments.data(), config, "timing_only");
        if (data.inference > 0 && data.bareKernels > 0 && timing.inference > 0) {
            summary += fmt::format(
                    "{:<8} {:>8.2f} ms {:>8.2f} ms {:>8.2f} ms {:>15.2f} {:>17.1f}\n", config,
                    data.bareKernels * 1e3, data.inference * 1e3, timing.inference * 1e3,
                    data.inference / data.bareKernels, data.inference / timing.inference);
        }
    }
    // What slows the machine down for a while slows all of them; an argument given overrides it.
    std::string interleaving = "--benchmark_enable_random_interleaving=true";
    arguments.insert(arguments.begin() + 1, interleaving.data());
    int count = static_cast<int>(arguments.size()) - 1;
    benchmark::Initialize(&count, arguments.data());
    vnpu::bench::compareKernels();
    fmt::print(
            "\nMobileNetV1-224 int8, one inference\n"
            "config   bare kernels   with data  timing only  with data/bare  with data/timing\n{}",
            summary);
    return 0;
}

extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
