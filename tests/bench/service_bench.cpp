// SPDX-License-Identifier: Apache-2.0
// The client's cost of an execution through a service beyond the simulation of the device, in a
// burst and by a call, in units of a blocking queue's round trip between two processes. The service
// reports the processor time of its simulation, which is subtracted. The remainder is the
// communication between processes and between the service's threads, and the driver's own work.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/client/model_runner.h"
#include "sim/client/remote_context.h"
#include "sim/conform/flavor.h"
#include "sim/models/model_builder.h"
#include "sim/service/service_process.h"
#include "sim/service/service_status.h"
#include "tests/bench/collecting_reporter.h"
#include "tests/bench/queue_links.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::bench;

constexpr const char* kSimulation = "simulation";

/// One operation on 16 bytes.
Network tinyNetwork() {
    ModelBuilder builder("rectifier");
    const OperandSpec spec{.type = nn::OperandType::TENSOR_QUANT8_ASYMM,
                           .dimensions = {1, 16},
                           .scale = 0.5F,
                           .zeroPoint = 128};
    const auto in = builder.addInput(spec, "in");
    const auto out = builder.addTemporary(spec, "out");
    builder.addOperation(nn::OperationType::RELU, {in}, out);
    builder.markOutput(out);
    return builder.build();
}

/// A service in a separate process, and a client of it in this process.
class Bench {
  public:
    Bench()
        : service_(VNPU_PROGRAM, {"--config", "edge"}),
          context_(service_.socketPath()),
          status_(*vnpu::hal::RpcClient::connect(service_.socketPath())),
          runner_(ModelRunner::prepare(context_, tinyNetwork(), nn::Priority::MEDIUM)) {}

    void execute(benchmark::State& state, ExecutionPath path) {
        const std::uint64_t before = simulationNs();
        for (auto step : state) {
            static_cast<void>(step);
            if (runner_->execute(path).status != nn::ErrorStatus::NONE) {
                state.SkipWithError("the execution failed");
                break;
            }
        }
        const auto spent = static_cast<double>(simulationNs() - before);
        state.counters[kSimulation] =
                benchmark::Counter(spent * 1e-9, benchmark::Counter::kAvgIterations);
    }

    void ping(benchmark::State& state) {
        for (auto step : state) {
            static_cast<void>(step);
            if (!context_.device()->ping().isOk()) {
                state.SkipWithError("the service died");
                break;
            }
        }
    }

  private:
    std::uint64_t simulationNs() { return readStatus(*status_).devices.at(0).simulationNs; }

    ServiceProcess service_;
    RemoteContext context_;
    std::unique_ptr<vnpu::hal::RpcClient> status_;
    std::unique_ptr<ModelRunner> runner_;
};

template <typename Body>
void add(const std::string& name, Body body) {
    benchmark::RegisterBenchmark(name.c_str(), body)
            ->UseRealTime()
            ->Unit(benchmark::kMicrosecond)
            ->Repetitions(5)
            ->ReportAggregatesOnly(true);
}

void printCosts(CollectingReporter& reporter) {
    const double roundTrip = reporter.medianSeconds["queue"];
    fmt::print("\nqueue there and back {:.1f} us, futex {:.1f} us, empty call {:.1f} us\n",
               roundTrip * 1e6, reporter.medianSeconds["futex"] * 1e6,
               reporter.medianSeconds["ping"] * 1e6);
    fmt::print("path    execution  simulation  beyond it  beyond it / queue there and back\n");
    for (const char* path : {"burst", "sync"}) {
        const double seconds = reporter.medianSeconds[path];
        const double simulation = reporter.medianCounters[path][kSimulation];
        fmt::print("{:<6} {:>7.1f} us {:>8.1f} us {:>7.1f} us {:>33.2f}\n", path, seconds * 1e6,
                   simulation * 1e6, (seconds - simulation) * 1e6,
                   (seconds - simulation) / roundTrip);
    }
}

int run(int argc, char** argv) {
    // Interleaved, so that a slow phase of the machine slows all subjects equally.
    setenv("BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "true", 0);
    benchmark::Initialize(&argc, argv);
    Bench bench;
    for (const ExecutionPath path : {ExecutionPath::kBurst, ExecutionPath::kSync}) {
        add(nameOf(path), [&bench, path](benchmark::State& state) { bench.execute(state, path); });
    }
    add("ping", [&bench](benchmark::State& state) { bench.ping(state); });
    add("queue", [](benchmark::State& state) {
        QueueLink<BlockingTransfer> link(1);
        bounce(state, link);
    });
    add("futex", [](benchmark::State& state) {
        WordLink<FutexWire> link;
        bounce(state, link);
    });
    CollectingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    printCosts(reporter);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}

extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
