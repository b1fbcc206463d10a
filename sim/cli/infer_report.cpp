// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/infer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hw_model/timing/energy.h"
#include "sim/base/json_text.h"
#include "sim/cli/tensor_report.h"
#include "sim/report/device_peaks.h"
#include "sim/report/energy_report.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTopClasses = 5;  // chosen: as papers count

double milliseconds(std::uint64_t cycles, const hw::NpuConfig& config) {
    return static_cast<double>(cycles) / config.clockKhz;
}

/// Deviation of the estimate from the cycles of the job, in percent.
double estimateError(const InferResult& result) {
    const auto cycles =
            static_cast<double>(std::max<std::uint64_t>(result.runs.back().jobCycles, 1));
    return (static_cast<double>(result.estimatedCycles) - cycles) / cycles * 100.0;
}

void printTimes(const InferResult& result, const hw::NpuConfig& config) {
    for (std::size_t i = 0; i < result.runs.size(); ++i) {
        const Run& run = result.runs[i];
        fmt::print("{:<9}{} cycles = {:.3f} ms on the device, {:.3f} ms for the caller\n",
                   result.runs.size() == 1 ? "time" : fmt::format("run {}", i),
                   withSeparators(run.cycles), milliseconds(run.cycles, config),
                   static_cast<double>(run.callTime.count()) * 1e-6);
    }
    fmt::print("estimate {} cycles = {:.3f} ms by the driver ({:+.1f} % of the job's {})\n",
               withSeparators(result.estimatedCycles), milliseconds(result.estimatedCycles, config),
               estimateError(result), withSeparators(result.runs.back().jobCycles));
}

/// Of the last execution.
void printEnergy(const InferResult& result, const hw::NpuConfig& config) {
    const hw::Activity& activity = result.runs.back().activity;
    if (hw::hasEnergy(config)) {
        fmt::print("energy   {:.3f} uJ from call to answer, an estimate\n{}",
                   microjoules(config, activity), energyTable(config, activity));
    }
}

/// Only for devices with decoders.
void printCodedLoads(const InferResult& result, const hw::NpuConfig& config) {
    const CodedLoads& loads = result.codedLoads;
    if (config.decoder.bytesPerCycle == 0) {
        return;
    }
    fmt::print("weights  {} coded bytes loaded for {} ({:.1f} %)\n",
               withSeparators(loads.codedBytes), withSeparators(loads.decodedBytes),
               loads.decodedBytes == 0 ? 100.0
                                       : 100.0 * static_cast<double>(loads.codedBytes) /
                                                 static_cast<double>(loads.decodedBytes));
}

void printOutput(const InferReport& report, std::size_t index) {
    const auto& [options, config, network, result] = report;
    const TensorDescription& tensor = network.outputs[index];
    fmt::print("output {} {} {}\n", index, tensor.name, describeTensor(tensor));
    if (options.timingOnly) {
        return;
    }
    const std::vector<double> values = realValues(tensor, result.outputs[index]);
    const ValueSummary summary = summarize(values);
    fmt::print("         {:.6g} to {:.6g}, mean {:.6g}{}\n", summary.least, summary.greatest,
               summary.mean,
               summary.notFinite == 0 ? "" : fmt::format(", {} not finite", summary.notFinite));
    if (isClassification(network, index)) {
        std::string text;
        for (const RankedClass& entry : topClasses(values, kTopClasses)) {
            text += fmt::format("{}{} ({:.4f})", text.empty() ? "" : ", ",
                                media::labelOf(result.labels[index], entry.index), entry.value);
        }
        fmt::print("         top classes: {}\n", text);
    }
    if (!options.outputDirectory.empty()) {
        fmt::print("         -> {}/out{}.bin\n", options.outputDirectory, index);
    }
}

Json outputJson(const InferReport& report, std::size_t index) {
    const auto& [options, config, network, result] = report;
    Json json = tensorJson(network.outputs[index]);
    if (options.timingOnly) {
        return json;
    }
    const std::vector<double> values = realValues(network.outputs[index], result.outputs[index]);
    const ValueSummary summary = summarize(values);
    json["least"] = summary.least;
    json["greatest"] = summary.greatest;
    json["mean"] = summary.mean;
    json["not_finite"] = summary.notFinite;
    if (isClassification(network, index)) {
        for (const RankedClass& entry : topClasses(values, kTopClasses)) {
            Json top = {{"class", entry.index}, {"value", entry.value}};
            if (!result.labels[index].empty()) {
                top["label"] = media::labelOf(result.labels[index], entry.index);
            }
            json["top"].push_back(std::move(top));
        }
    }
    if (!options.outputDirectory.empty()) {
        json["file"] = fmt::format("{}/out{}.bin", options.outputDirectory, index);
    }
    return json;
}

}  // namespace

void printInferText(const InferReport& report) {
    const auto& [options, config, network, result] = report;
    fmt::print("model    {}: {} operations, {} multiply-accumulates\n", network.name,
               network.model.main.operations.size(), withSeparators(network.macs));
    fmt::print("device   {}\n", describeDevice(config));
    const std::size_t states = network.states.size();
    for (std::size_t i = 0; i < network.inputs.size() - states; ++i) {
        std::string from = options.inputFiles.empty() ? fmt::format("random, seed {}", options.seed)
                                                      : options.inputFiles[i];
        if (!result.inputNotes[i].empty()) {
            from += fmt::format(" ({})", result.inputNotes[i]);
        }
        fmt::print("input {}  {} {}: {}\n", i, network.inputs[i].name,
                   describeTensor(network.inputs[i]), from);
    }
    if (states != 0) {
        fmt::print("state    {} tensors that the executions hand on\n", states);
    }
    fmt::print("compiled {} commands of {} bytes, {} bytes of device memory between layers\n",
               withSeparators(result.commands), withSeparators(result.commandBytes),
               withSeparators(result.scratchBytes));
    printCodedLoads(result, config);
    if (options.constantsOnChip != 0) {
        fmt::print("on chip  {} bytes of constants in pages that stay between executions\n",
                   withSeparators(result.onChipConstantBytes));
    }
    printTimes(result, config);
    printEnergy(result, config);
    if (options.timingOnly) {
        fmt::print("data     none: --timing-only leaves the values out\n");
    }
    for (std::size_t i = 0; i < network.outputs.size() - states; ++i) {
        printOutput(report, i);
    }
    if (options.interruption != Interruption::kNone) {
        fmt::print("again    with {} interruptions ({}): the same bytes\n", result.interruptions,
                   nameOf(options.interruption));
    }
    if (!options.layerDirectory.empty()) {
        fmt::print("layers   {} files in {}\n", network.model.main.operations.size(),
                   options.layerDirectory);
    }
}

void printInferJson(const InferReport& report) {
    const auto& [options, config, network, result] = report;
    Json json;
    json["model"] = network.name;
    json["operations"] = network.model.main.operations.size();
    json["macs"] = network.macs;
    json["device"] = config.name;
    json["timing_only"] = options.timingOnly;
    const std::size_t states = network.states.size();
    if (states != 0) {
        json["states"] = states;
    }
    for (std::size_t i = 0; i < network.inputs.size() - states; ++i) {
        Json input = tensorJson(network.inputs[i]);
        if (options.inputFiles.empty()) {
            input["seed"] = options.seed;
        } else {
            input["file"] = options.inputFiles[i];
            if (!result.inputNotes[i].empty()) {
                input["read_as"] = result.inputNotes[i];
            }
        }
        json["inputs"].push_back(std::move(input));
    }
    for (const Run& run : result.runs) {
        json["runs"].push_back({{"cycles", run.cycles},
                                {"job_cycles", run.jobCycles},
                                {"milliseconds", milliseconds(run.cycles, config)},
                                {"time_on_device_us", run.timeOnDeviceUs},
                                {"call_ns", run.callTime.count()},
                                {"energy", energyJson(config, run.activity)}});
    }
    json["estimated_cycles"] = result.estimatedCycles;
    json["commands"] = result.commands;
    json["command_bytes"] = result.commandBytes;
    json["scratch_bytes"] = result.scratchBytes;
    if (options.constantsOnChip != 0) {
        json["on_chip_constant_bytes"] = result.onChipConstantBytes;
    }
    if (config.decoder.bytesPerCycle != 0) {
        json["coded_bytes"] = result.codedLoads.codedBytes;
        json["decoded_bytes"] = result.codedLoads.decodedBytes;
    }
    if (options.interruption != Interruption::kNone) {
        json["interruptions"] = result.interruptions;
    }
    for (std::size_t i = 0; i < network.outputs.size() - states; ++i) {
        json["outputs"].push_back(outputJson(report, i));
    }
    fmt::print("{}\n", jsonText(json, 2));
}

}  // namespace vnpu::sim
