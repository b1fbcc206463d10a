// SPDX-License-Identifier: Apache-2.0
// Speed of the simulation against the bare arithmetic and other simulators, and of the arithmetic
// against other libraries. One process holds one simulated device, so each simulation is a child
// process of its own in the same call.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <string>
#include <vector>

#include "tests/bench/kernel_comparison.h"
#include "tests/bench/simulated_runs.h"
#include "tests/bench/simulation_speed.h"

int main(int argc, char** argv) {
    std::vector<char*> arguments(argv, argv + argc + 1);  // Initialize() takes its own away
    int exitCode = 0;
    if (vnpu::bench::isChild(argc, argv, exitCode)) {
        return exitCode;
    }
    const std::string simulations = vnpu::bench::measureSimulations(arguments.data());
    // A slow phase of the machine then slows all subjects alike; an argument overrides it.
    std::string interleaving = "--benchmark_enable_random_interleaving=true";
    arguments.insert(arguments.begin() + 1, interleaving.data());
    int count = static_cast<int>(arguments.size()) - 1;
    benchmark::Initialize(&count, arguments.data());
    vnpu::bench::compareKernels();
    fmt::print("{}", simulations);
    return 0;
}

extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
