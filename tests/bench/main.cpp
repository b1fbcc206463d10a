// SPDX-License-Identifier: Apache-2.0
// Speed of the simulation compared with the bare arithmetic and other simulators, and of the
// arithmetic compared with other libraries. A process can hold only one simulated device, so each
// simulation is a separate child process.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <string>
#include <vector>

#include "tests/bench/kernel_comparison.h"
#include "tests/bench/simulated_runs.h"
#include "tests/bench/simulation_speed.h"

int main(int argc, char** argv) {
    std::vector<char*> arguments(argv, argv + argc + 1);  // Initialize() removes its own arguments
    int exitCode = 0;
    if (vnpu::bench::isChild(argc, argv, exitCode)) {
        return exitCode;
    }
    const std::string simulations = vnpu::bench::measureSimulations(arguments.data());
    // With interleaving, a slow phase of the machine slows all subjects equally; an argument
    // overrides it.
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
