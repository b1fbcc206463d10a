// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/api/scheduling.h"
#include "hw_model/timing/activity.h"
#include "hw_model/timing/npu_config.h"
#include "sim/bringup/bus_tools.h"
#include "sim/interrupt/interruption.h"
#include "sim/media/input_file.h"
#include "sim/media/labels.h"
#include "sim/models/network.h"
#include "sim/report/coded_loads.h"

namespace vnpu::sim {

/// The options of `vnpu infer`.
struct InferOptions {
    std::string model;
    NetworkOptions modelOptions;
    bool listsUnsupported = false;
    std::vector<std::string> inputFiles;
    media::InputOptions media;  // of pictures and sounds
    std::string labelFile;
    std::string outputDirectory;
    std::string layerDirectory;
    std::string config = "edge";
    std::string port;  // node of a kernel driver; empty: a simulated device
    std::uint64_t seed = 1;
    std::uint32_t repeat = 1;
    double constantsOnChip = 0;  // share of the on-chip memory
    bool timingOnly = false;
    bool json = false;
    BusToolOptions busTools;
    Interruption interruption = Interruption::kNone;  // of one more execution
    std::uint64_t checkpointCycles = driver::SchedulingOptions().checkpointCycles;
};

/// One execution as it was measured.
struct Run {
    std::uint64_t cycles = 0;     // engines, from their first command to the last one's end
    std::uint64_t jobCycles = 0;  // of the controller for the job, which the driver estimates
    std::uint64_t timeOnDeviceUs = 0;
    std::chrono::nanoseconds callTime{};
    hw::Activity activity;  // from the call's begin to its end
};

/// The results of all executions.
struct InferResult {
    std::vector<Run> runs;
    std::vector<std::string> inputNotes;  // how each input file was read; empty for raw tensors
    std::vector<media::Labels> labels;    // per output; empty where there are none
    std::vector<std::vector<std::byte>> outputs;
    std::vector<std::vector<std::byte>> layers;  // --layers: output of every operation
    std::uint64_t estimatedCycles = 0;
    std::uint64_t commandBytes = 0;
    std::uint32_t commands = 0;
    std::uint64_t scratchBytes = 0;
    std::uint64_t onChipConstantBytes = 0;
    CodedLoads codedLoads;
    std::uint64_t interruptions = 0;
    std::uint64_t mistakes = 0;  // that lint found
};

/// Everything that the report of one `vnpu infer` needs.
struct InferReport {
    const InferOptions& options;
    const hw::NpuConfig& config;
    const Network& network;
    const InferResult& result;
};

void printInferText(const InferReport& report);
void printInferJson(const InferReport& report);

}  // namespace vnpu::sim
