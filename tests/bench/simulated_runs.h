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
    bool withBareKernels = false;   // MobileNetV1's in turn with the inferences
    std::uint64_t growthAfter = 0;  // not 0: instead of times, memory over so many executions
};

/// Medians of five repetitions; 0 where not measured.
struct SimulatedRunResult {
    double inferenceSeconds = 0;
    double bareKernelSeconds = 0;
    std::uint64_t commands = 0;      // of engines, one inference
    std::uint64_t engineEvents = 0;  // commands queued, begun and ended
    std::uint64_t deviceCycles = 0;  // of one inference, from call to result
    // With growthAfter, from its hundredth part to its end:
    std::uint64_t executions = 0;     // that succeeded, growthAfter in all
    std::int64_t residentGrowth = 0;  // bytes
    std::int64_t heapGrowth = 0;      // bytes allocated and not freed
};

/// Measures in a child process: SystemC elaborates once per process. `arguments` are main()'s, null
/// at the end.
SimulatedRunResult measureInChild(char** arguments, const SimulatedRun& run);

/// In such a child: measures, answers and returns true with the exit code.
bool isChild(int argc, char** argv, int& exitCode);

}  // namespace vnpu::bench
