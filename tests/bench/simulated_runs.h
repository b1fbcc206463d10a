// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace vnpu::bench {

/// The measurement of a separate process: one network on one simulated device.
struct SimulatedRun {
    std::string config;
    std::string network;  // as for `vnpu infer`
    bool isTimingOnly = false;
    bool withBareKernels = false;  // MobileNetV1's, interleaved with the inferences
    std::uint64_t growthAfter =
            0;  // nonzero: measures memory over this many executions instead of times
};

/// Medians of five repetitions; 0 where not measured.
struct SimulatedRunResult {
    double inferenceSeconds = 0;
    double bareKernelSeconds = 0;
    std::uint64_t commands = 0;      // of engines, one inference
    std::uint64_t engineEvents = 0;  // commands queued, begun and ended
    std::uint64_t deviceCycles = 0;  // of one inference, from call to result
    // With growthAfter, from a hundredth of the run to its end:
    std::uint64_t executions = 0;     // successful ones, growthAfter in all
    std::int64_t residentGrowth = 0;  // bytes
    std::int64_t heapGrowth = 0;      // bytes allocated and not freed
};

/// Measures in a child process, because SystemC elaborates once per process. `arguments` are those
/// of main(), null-terminated.
SimulatedRunResult measureInChild(char** arguments, const SimulatedRun& run);

/// In such a child process: measures, answers and returns true with the exit code.
bool isChild(int argc, char** argv, int& exitCode);

}  // namespace vnpu::bench
