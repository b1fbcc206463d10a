// SPDX-License-Identifier: Apache-2.0
// The C library as a host uses it: accesses to registers, steps of time, and inferences by the
// driver in C, compared with those of `vnpu infer`. Goals: at most 200 ns for a read, at most 1.05
// times the wall time of `vnpu infer`.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <vnpu/registers.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/bench/collecting_reporter.h"

extern "C" {
#include "driver/minimal/job.h"
}

namespace {

using vnpu::bench::CollectingReporter;

constexpr const char* kModel = "zoo:mobilenet_v2";
constexpr const char* kJobFile = "vnpu_library_bench.job";

void require(bool condition, const std::string& what) {
    if (!condition) {
        throw std::runtime_error(what);
    }
}

double secondsOf(const std::string& command) {
    const auto start = std::chrono::steady_clock::now();
    require(std::system(command.c_str()) == 0, command);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A booted device with a mapped job.
class Driver {
  public:
    Driver() {
        secondsOf(fmt::format("{} compile {} -o {} >/dev/null", VNPU_PROGRAM, kModel, kJobFile));
        require(job_read(&job_, kJobFile) == 0, "the job cannot be read");
        require(machine_start(&machine_, {}) == 0, "no device");
        npu_init(&npu_, &machine_);
        require(npu_boot(&npu_) == 0 && job_map(&job_, &npu_) == 0, "the device does not boot");
    }

    void read(benchmark::State& state) {
        std::uint32_t value = 0;
        for (auto step : state) {
            static_cast<void>(step);
            vnpu_device_read32(machine_.device, VNPU_REG_STATUS, &value);
            benchmark::DoNotOptimize(value);
        }
    }
    void write(benchmark::State& state) {
        for (auto step : state) {
            static_cast<void>(step);
            vnpu_device_write32(machine_.device, VNPU_REG_IRQ_STATUS, 0);
        }
    }
    void advance(benchmark::State& state) {
        for (auto step : state) {
            static_cast<void>(step);
            vnpu_advance(1000 * VNPU_PS_PER_NS);
        }
    }
    void infer(benchmark::State& state) {
        for (auto step : state) {
            static_cast<void>(step);
            require(npu_run(&npu_, job_.slot) == 0 && npu_.record.status == VNPU_JOB_OK,
                    "the job fails");
        }
    }

  private:
    machine machine_{};
    npu npu_{};
    job job_{};
};

/// One inference of `vnpu infer`, without its start and the compilation of the model.
void inferByProgram(benchmark::State& state) {
    constexpr int kInferences = 400;  // so that the start of the process does not count
    const auto command = [](int count) {
        return fmt::format("{} infer {} --repeat {} >/dev/null", VNPU_PROGRAM, kModel, count);
    };
    for (auto step : state) {
        static_cast<void>(step);
        const double start = secondsOf(command(1));
        state.SetIterationTime((secondsOf(command(1 + kInferences)) - start) / kInferences);
    }
}

template <typename Body>
benchmark::internal::Benchmark* add(const char* name, Body body) {
    return benchmark::RegisterBenchmark(name, body)->Repetitions(7)->ReportAggregatesOnly(true);
}

int run(int argc, char** argv) {
    // Interleaved, so that a slow phase of the machine slows all subjects equally.
    setenv("BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "true", 0);
    benchmark::Initialize(&argc, argv);
    Driver driver;
    add("read", [&](benchmark::State& state) { driver.read(state); });
    add("write", [&](benchmark::State& state) { driver.write(state); });
    add("advance", [&](benchmark::State& state) { driver.advance(state); });
    add("infer", [&](benchmark::State& state) { driver.infer(state); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    add("vnpu infer", inferByProgram)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(1);
    CollectingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    std::remove(kJobFile);
    fmt::print("\nread of a register {:.0f} ns; {} by the driver in C: {:.2f} times vnpu infer\n",
               reporter.medianSeconds["read"] * 1e9, kModel,
               reporter.medianSeconds["infer"] / reporter.medianSeconds["vnpu infer"]);
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
