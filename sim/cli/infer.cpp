// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/runtime/device.h"
#include "sim/cli/commands.h"
#include "sim/cli/tensor_report.h"
#include "sim/client/driver_log.h"
#include "sim/client/job_cycles.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/models/expose.h"
#include "sim/models/operand_types.h"
#include "sim/models/source.h"
#include "sim/report/device_peaks.h"
#include "sim/scenario/input_data.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kTopClasses = 5;
constexpr std::size_t kLayersAtOnce = 24;  // chosen: well below what a job has room for
constexpr std::uint32_t kAppUid = 10000;   // source: Android, AID_APP_START

struct InferOptions {
    std::string model;
    std::vector<std::string> inputFiles;
    std::string outputDirectory;
    std::string layerDirectory;
    std::string config = "edge";
    std::uint64_t seed = 1;
    std::uint32_t repeat = 1;
    bool timingOnly = false;
    bool json = false;
};

/// One execution as it was measured.
struct Run {
    std::uint64_t cycles = 0;
    std::uint64_t timeOnDeviceUs = 0;
    std::chrono::nanoseconds callTime{};
};

struct InferResult {
    std::vector<Run> runs;
    std::vector<Bytes> outputs;
    std::vector<Bytes> layers;  // --layers: output of every operation
    std::uint64_t estimatedCycles = 0;
    std::uint64_t commandBytes = 0;
    std::uint32_t commands = 0;
    std::uint64_t scratchBytes = 0;
};

std::string inputName(const Network& network, std::size_t index) {
    const std::string& name = network.inputs[index].name;
    return name.empty() ? fmt::format("input {}", index)
                        : fmt::format("input {} ({})", index, name);
}

Bytes readInput(const Network& network, std::size_t index, const std::string& path) {
    const std::uint64_t expected = network.inputs[index].sizeBytes;
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
        throw InputError(fmt::format("{}: {}: cannot be read: {}", inputName(network, index), path,
                                     error.message()));
    }
    if (size != expected) {
        throw InputError(fmt::format("{}: {} has {} bytes, expected {}", inputName(network, index),
                                     path, size, expected));
    }
    Bytes bytes(size);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        throw InputError(fmt::format("{}: {}: cannot be read", inputName(network, index), path));
    }
    return bytes;
}

/// The given files, or random bytes if there are none.
std::vector<Bytes> makeInputs(const InferOptions& options, const Network& network) {
    std::vector<Bytes> inputs;
    if (!options.inputFiles.empty() && options.inputFiles.size() != network.inputs.size()) {
        throw InputError(fmt::format("{} --input files, {} has {} inputs",
                                     options.inputFiles.size(), network.name,
                                     network.inputs.size()));
    }
    Random random(options.seed);
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
        if (!options.inputFiles.empty()) {
            inputs.push_back(readInput(network, i, options.inputFiles[i]));
            continue;
        }
        inputs.emplace_back(network.inputs[i].sizeBytes);
        fillInput(network.inputs[i], inputs.back(), random);
    }
    return inputs;
}

std::unique_ptr<ModelRunner> prepareWith(ClientContext& context, const Network& network,
                                         const std::vector<Bytes>& inputs) {
    auto runner = ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::memcpy(runner->input(i).data(), inputs[i].data(), inputs[i].size());
    }
    return runner;
}

ExecutionResult executeOnce(ModelRunner& runner, const Network& network) {
    const ExecutionResult run = runner.execute(ExecutionPath::kSync);
    if (run.status != nn::ErrorStatus::NONE) {
        throw std::runtime_error(
                fmt::format("{}: the execution ended with {}", network.name, nameOf(run.status)));
    }
    return run;
}

Bytes outputBytes(const ModelRunner& runner, std::size_t index) {
    const auto bytes = runner.output(index);
    return {bytes.begin(), bytes.end()};
}

/// Prepares and runs the network on the client's thread.
void inferOn(ClientContext& context, const InferOptions& options, const Network& network,
             const std::vector<Bytes>& inputs, JobCycles& jobCycles, InferResult& result) {
    const auto runner = prepareWith(context, network, inputs);
    jobCycles.take();
    for (std::uint32_t i = 0; i < options.repeat; ++i) {
        const ExecutionResult run = executeOnce(*runner, network);
        result.runs.push_back({jobCycles.take(), run.timeOnDeviceUs, run.end - run.begin});
    }
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        result.outputs.push_back(outputBytes(*runner, i));
    }
    if (const auto compiled = driver::compiledModelOf(runner->preparedModel())) {
        result.estimatedCycles = compiled->estimatedCycles;
        result.commandBytes = compiled->commands.size();
        result.commands = compiled->commandCount;
        result.scratchBytes = compiled->scratchBytes;
    }
}

/// Runs the network again, with some operations' outputs as model outputs each time.
void inferLayersOn(ClientContext& context, const Network& network, const std::vector<Bytes>& inputs,
                   InferResult& result) {
    const std::size_t operations = network.model.main.operations.size();
    for (std::size_t first = 0; first < operations; first += kLayersAtOnce) {
        const Network part = exposeOperations(network, first, kLayersAtOnce);
        const auto runner = prepareWith(context, part, inputs);
        executeOnce(*runner, part);
        for (std::size_t i = first; i < std::min(operations, first + kLayersAtOnce); ++i) {
            result.layers.push_back(outputBytes(*runner, outputOfOperation(part, i).value()));
        }
    }
}

InferResult runInference(const InferOptions& options, const hw::NpuConfig& config,
                         const Network& network, const std::vector<Bytes>& inputs) {
    DriverLog log;
    JobCycles jobCycles;
    Platform platform({.config = config, .deviceObserver = &jobCycles, .driverObserver = &log});
    InferResult result;
    platform.addClient("infer", kAppUid, [&](ClientContext& context) {
        inferOn(context, options, network, inputs, jobCycles, result);
        if (!options.layerDirectory.empty()) {
            inferLayersOn(context, network, inputs, result);
        }
    });
    try {
        platform.run();
    } catch (const std::runtime_error& error) {
        if (log.lastLine().empty()) {
            throw;
        }
        throw std::runtime_error(fmt::format("{}: {}", error.what(), log.lastLine()));
    }
    return result;
}

void writeFile(const std::string& directory, const std::string& name, const Bytes& bytes) {
    const auto path = std::filesystem::path(directory) / name;
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
        throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
    }
}

void makeDirectory(const std::string& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error || !std::filesystem::is_directory(directory)) {
        throw InputError(fmt::format("{}: no folder to write to: {}", directory, error.message()));
    }
}

/// The part of a TensorFlow name that people know, fit for a file name.
std::string fileStem(const std::string& name) {
    constexpr std::size_t kLongest = 60;  // chosen: long enough to tell layers apart
    std::string stem = name.substr(0, std::min(name.find(';'), kLongest));
    std::replace_if(
            stem.begin(), stem.end(),
            [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; }, '_');
    return stem;
}

void writeResults(const InferOptions& options, const Network& network, const InferResult& result) {
    for (std::size_t i = 0; i < result.outputs.size() && !options.outputDirectory.empty(); ++i) {
        writeFile(options.outputDirectory, fmt::format("out{}.bin", i), result.outputs[i]);
    }
    for (std::size_t i = 0; i < result.layers.size(); ++i) {
        writeFile(options.layerDirectory,
                  fmt::format("op{:02}_{}.bin", i, fileStem(network.operationNames[i])),
                  result.layers[i]);
    }
}

double milliseconds(std::uint64_t cycles, const hw::NpuConfig& config) {
    return static_cast<double>(cycles) / config.clockKhz;
}

/// How far the estimate lies from the measured cycles, in percent.
double estimateError(const InferResult& result) {
    const auto cycles = static_cast<double>(result.runs.back().cycles);
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
    fmt::print("estimate {} cycles = {:.3f} ms by the driver ({:+.1f} %)\n",
               withSeparators(result.estimatedCycles), milliseconds(result.estimatedCycles, config),
               estimateError(result));
}

void printOutput(const InferOptions& options, const Network& network, const InferResult& result,
                 std::size_t index) {
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
            text += fmt::format("{}{} ({:.4f})", text.empty() ? "" : ", ", entry.index,
                                entry.value);
        }
        fmt::print("         top classes: {}\n", text);
    }
    if (!options.outputDirectory.empty()) {
        fmt::print("         -> {}/out{}.bin\n", options.outputDirectory, index);
    }
}

void printText(const InferOptions& options, const hw::NpuConfig& config, const Network& network,
               const InferResult& result) {
    fmt::print("model    {}: {} operations, {} multiply-accumulates\n", network.name,
               network.model.main.operations.size(), withSeparators(network.macs));
    fmt::print("device   {}\n", describeDevice(config));
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
        const std::string from = options.inputFiles.empty()
                                         ? fmt::format("random, seed {}", options.seed)
                                         : options.inputFiles[i];
        fmt::print("input {}  {} {}: {}\n", i, network.inputs[i].name,
                   describeTensor(network.inputs[i]), from);
    }
    fmt::print("compiled {} commands of {} bytes, {} bytes of device memory between layers\n",
               withSeparators(result.commands), withSeparators(result.commandBytes),
               withSeparators(result.scratchBytes));
    printTimes(result, config);
    if (options.timingOnly) {
        fmt::print("data     none: --timing-only leaves the values out\n");
    }
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        printOutput(options, network, result, i);
    }
    if (!options.layerDirectory.empty()) {
        fmt::print("layers   {} files in {}\n", network.model.main.operations.size(),
                   options.layerDirectory);
    }
}

Json outputJson(const InferOptions& options, const Network& network, const InferResult& result,
                std::size_t index) {
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
            json["top"].push_back({{"class", entry.index}, {"value", entry.value}});
        }
    }
    if (!options.outputDirectory.empty()) {
        json["file"] = fmt::format("{}/out{}.bin", options.outputDirectory, index);
    }
    return json;
}

void printJson(const InferOptions& options, const hw::NpuConfig& config, const Network& network,
               const InferResult& result) {
    Json json;
    json["model"] = network.name;
    json["operations"] = network.model.main.operations.size();
    json["macs"] = network.macs;
    json["device"] = config.name;
    json["timing_only"] = options.timingOnly;
    for (std::size_t i = 0; i < network.inputs.size(); ++i) {
        Json input = tensorJson(network.inputs[i]);
        if (options.inputFiles.empty()) {
            input["seed"] = options.seed;
        } else {
            input["file"] = options.inputFiles[i];
        }
        json["inputs"].push_back(std::move(input));
    }
    for (const Run& run : result.runs) {
        json["runs"].push_back({{"cycles", run.cycles},
                                {"milliseconds", milliseconds(run.cycles, config)},
                                {"time_on_device_us", run.timeOnDeviceUs},
                                {"call_ns", run.callTime.count()}});
    }
    json["estimated_cycles"] = result.estimatedCycles;
    json["commands"] = result.commands;
    json["command_bytes"] = result.commandBytes;
    json["scratch_bytes"] = result.scratchBytes;
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        json["outputs"].push_back(outputJson(options, network, result, i));
    }
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

ExitCode infer(const InferOptions& options) {
    const bool hasLayers = !options.layerDirectory.empty();
    if (options.timingOnly && (hasLayers || !options.outputDirectory.empty())) {
        throw InputError(
                "--timing-only computes no values, so there is nothing for --output or "
                "--layers");
    }
    hw::NpuConfig config = loadConfig(options.config);
    config.timingOnly = config.timingOnly || options.timingOnly;
    const Network network =
            loadNetwork(options.model, {.seed = options.seed, .zeroWeights = config.timingOnly});
    const std::vector<Bytes> inputs = makeInputs(options, network);
    for (const std::string& directory : {options.outputDirectory, options.layerDirectory}) {
        if (!directory.empty()) {
            makeDirectory(directory);
        }
    }
    const InferResult result = runInference(options, config, network, inputs);
    writeResults(options, network, result);
    (options.json ? printJson : printText)(options, config, network, result);
    return ExitCode::kDone;
}

}  // namespace

void addInferCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<InferOptions>();
    CLI::App* command = app.add_subcommand("infer", "Run a model once on the simulated device");
    command->add_option("model", options->model, "MODEL.tflite or zoo:NAME")->required();
    command->add_option("--input", options->inputFiles,
                        "Raw bytes of an input tensor, one file per input in order; random without")
            ->type_name("FILE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command->add_option("--output", options->outputDirectory,
                        "Write each output tensor as DIR/out<k>.bin")
            ->type_name("DIR");
    command->add_option("--layers", options->layerDirectory,
                        "Write every operation's output as DIR/op<NN>_<name>.bin")
            ->type_name("DIR");
    command->add_option("--config", options->config, "Configuration by name or TOML file")
            ->capture_default_str();
    command->add_flag("--timing-only", options->timingOnly, "Leave the data out, keep the times");
    command->add_option("--repeat", options->repeat, "Executions, one after the other")
            ->check(CLI::Range(1U, 1000000U))
            ->capture_default_str();
    command->add_option("--seed", options->seed, "Of random inputs and of a zoo network's weights")
            ->capture_default_str();
    command->add_flag("--json", options->json, "Print a JSON object");
    command->callback([options, &action] { action = [options] { return infer(*options); }; });
}

}  // namespace vnpu::sim
