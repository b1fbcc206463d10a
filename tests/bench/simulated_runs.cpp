// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/simulated_runs.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/bench/bare_network.h"
#include "tests/bench/collecting_reporter.h"

namespace vnpu::bench {
namespace {

namespace nn = android::hardware::neuralnetworks;
using sim::ClientContext;
using sim::ExecutionPath;
using sim::ModelRunner;

// Set in a child process: the fields of SimulatedRun, and the descriptor for the answer.
constexpr const char* kChildVariable = "VNPU_BENCH_CHILD";
constexpr const char* kBareKernels = "BareKernels";

/// Events of the engines: a command enters an engine's queue, begins or ends.
class EngineEvents : public hw::DeviceObserver {
  public:
    void onQueueDepth(std::uint64_t /*cycle*/, hw::Engine /*engine*/,
                      std::uint32_t /*depth*/) override {
        ++events_;
    }
    void onEngineCommand(const hw::EngineCommandRecord& /*record*/) override {
        ++events_;
        ++commands_;
    }
    std::uint64_t events() const { return events_; }
    std::uint64_t commands() const { return commands_; }

  private:
    std::uint64_t events_ = 0;
    std::uint64_t commands_ = 0;
};

void configure(benchmark::internal::Benchmark* it) {
    it->Unit(benchmark::kMillisecond)->UseRealTime()->Repetitions(5)->ReportAggregatesOnly(true);
}

bool infer(ModelRunner& runner) {
    return runner.execute(ExecutionPath::kSync).status == nn::V1_3::ErrorStatus::NONE;
}

/// Inferences on the client's thread, interleaved with the bare kernels if those are measured.
void runBenchmarks(const SimulatedRun& run, ModelRunner& runner, SimulatedRunResult& result) {
    const std::string name = fmt::format("Inference/{}/{}/{}", run.config, run.network,
                                         run.isTimingOnly ? "timing_only" : "data");
    configure(benchmark::RegisterBenchmark(name.c_str(), [&runner](benchmark::State& state) {
        for (auto step : state) {
            static_cast<void>(step);
            if (!infer(runner)) {
                state.SkipWithError("the execution failed");
                break;
            }
        }
    }));
    std::optional<BareMobileNet> bare;
    if (run.withBareKernels) {
        bare.emplace();
        configure(benchmark::RegisterBenchmark(kBareKernels, [&bare](benchmark::State& state) {
            for (auto step : state) {
                static_cast<void>(step);
                bare->run();
            }
            state.counters["MAC/s"] =
                    benchmark::Counter(static_cast<double>(bare->macs()),
                                       benchmark::Counter::kIsIterationInvariantRate);
        }));
    }
    CollectingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    for (const auto& [benchmarkName, seconds] : reporter.medianSeconds) {
        (benchmarkName == kBareKernels ? result.bareKernelSeconds : result.inferenceSeconds) =
                seconds;
    }
}

struct Memory {
    std::int64_t residentBytes = 0;
    std::int64_t heapBytes = 0;
};

Memory memoryNow() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t pages = 0;
    std::int64_t residentPages = 0;
    statm >> pages >> residentPages;
    return {.residentBytes = residentPages * ::sysconf(_SC_PAGESIZE),
            .heapBytes = static_cast<std::int64_t>(::mallinfo2().uordblks)};
}

void runForGrowth(const SimulatedRun& run, ModelRunner& runner, SimulatedRunResult& result) {
    constexpr std::uint64_t kWarmUpShare = 100;
    Memory before;
    for (std::uint64_t i = 0; i < run.growthAfter; ++i) {
        if (i == run.growthAfter / kWarmUpShare) {
            before = memoryNow();
        }
        if (!infer(runner)) {
            return;
        }
        ++result.executions;
    }
    const Memory after = memoryNow();
    result.residentGrowth = after.residentBytes - before.residentBytes;
    result.heapGrowth = after.heapBytes - before.heapBytes;
}

SimulatedRunResult measure(const SimulatedRun& run) {
    EngineEvents engines;
    sim::Platform::Options options;
    options.config = sim::loadConfig(run.config);
    options.config.timingOnly = run.isTimingOnly;
    options.deviceObserver = &engines;
    const double clockHz = options.config.clockKhz * 1e3;
    sim::Platform platform(std::move(options));
    SimulatedRunResult result;
    platform.addClient("bench", 10000, [&](ClientContext& context) {
        const auto network = sim::loadNetwork(run.network, {.zeroWeights = run.isTimingOnly});
        const auto runner = ModelRunner::prepare(context, network, nn::V1_3::Priority::MEDIUM);
        infer(*runner);
        const std::uint64_t commandsBefore = engines.commands();
        const std::uint64_t eventsBefore = engines.events();
        const auto begin = context.now();
        infer(*runner);
        result.commands = engines.commands() - commandsBefore;
        result.engineEvents = engines.events() - eventsBefore;
        const double seconds = std::chrono::duration<double>(context.now() - begin).count();
        result.deviceCycles = static_cast<std::uint64_t>(seconds * clockHz);
        if (run.growthAfter != 0) {
            runForGrowth(run, *runner, result);
        } else {
            runBenchmarks(run, *runner, result);
        }
    });
    platform.run();
    return result;
}

}  // namespace

SimulatedRunResult measureInChild(char** arguments, const SimulatedRun& run) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) {
        return {};
    }
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string order =
                fmt::format("{} {} {:d} {:d} {} {}", run.config, run.network, run.isTimingOnly,
                            run.withBareKernels, run.growthAfter, ends[1]);
        ::setenv(kChildVariable, order.c_str(), 1);
        // Inference and bare kernels interleaved: a slow phase of the machine slows both.
        ::setenv("BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "true", 0);
        ::execv("/proc/self/exe", arguments);
        ::_exit(127);
    }
    ::close(ends[1]);
    SimulatedRunResult result;
    if (::read(ends[0], &result, sizeof(result)) != static_cast<ssize_t>(sizeof(result))) {
        result = {};
    }
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return result;
}

bool isChild(int argc, char** argv, int& exitCode) {
    const char* const order = std::getenv(kChildVariable);
    if (order == nullptr) {
        return false;
    }
    benchmark::Initialize(&argc, argv);
    SimulatedRun run;
    int descriptor = -1;
    std::istringstream(order) >> run.config >> run.network >> run.isTimingOnly >>
            run.withBareKernels >> run.growthAfter >> descriptor;
    const SimulatedRunResult result = measure(run);
    exitCode = ::write(descriptor, &result, sizeof(result)) == static_cast<ssize_t>(sizeof(result))
                       ? 0
                       : 1;
    return true;
}

}  // namespace vnpu::bench
