// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "driver/api/device.h"
#include "sim/base/app_uid.h"
#include "sim/cli/choice_option.h"
#include "sim/cli/command_options.h"
#include "sim/cli/import_report.h"
#include "sim/cli/infer_report.h"
#include "sim/client/execution_meter.h"
#include "sim/client/model_runner.h"
#include "sim/client/run_platform.h"
#include "sim/config/load_config.h"
#include "sim/config/weight_needs.h"
#include "sim/import/source.h"
#include "sim/interrupt/interrupter.h"
#include "sim/linux_port/linux_platform.h"
#include "sim/media/model_metadata.h"
#include "sim/models/expose.h"
#include "sim/models/file_values.h"
#include "sim/models/operand_types.h"
#include "sim/models/weight_distribution.h"
#include "sim/report/write_report.h"
#include "sim/scenario/input_data.h"

namespace vnpu::sim {

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kLayersAtOnce = 24;  // chosen: well below the most outputs of a job

std::string inputName(const Network& network, std::size_t index) {
    const std::string& name = network.inputs[index].name;
    return name.empty() ? fmt::format("input {}", index)
                        : fmt::format("input {} ({})", index, name);
}

Bytes readInput(const Network& network, std::size_t index, const std::string& path,
                const InferOptions& options, const media::ModelMetadata& metadata,
                std::string& note) {
    if (media::kindOfFile(path) != media::FileKind::kRaw) {
        media::InputData data = media::readMedia(
                path, network.inputs[index], options.media,
                index < metadata.inputs.size() ? metadata.inputs[index] : media::InputFacts{});
        note = data.how;
        return std::move(data.bytes);
    }
    const std::uint64_t expected = fileBytes(network.inputs[index]);
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
    return operandFromFile(network.inputs[index], bytes);
}

/// The given files, or random bytes if there are none; then the first values of the states.
std::vector<Bytes> makeInputs(const InferOptions& options, const Network& network,
                              const media::ModelMetadata& metadata,
                              std::vector<std::string>& notes) {
    std::vector<Bytes> inputs;
    notes.resize(network.inputs.size());
    const std::size_t given = network.inputs.size() - network.states.size();
    if (!options.inputFiles.empty() && options.inputFiles.size() != given) {
        throw InputError(fmt::format("{} --input files, {} has {} inputs",
                                     options.inputFiles.size(), network.name, given));
    }
    Random random(options.seed);
    for (std::size_t i = 0; i < given; ++i) {
        if (!options.inputFiles.empty()) {
            inputs.push_back(
                    readInput(network, i, options.inputFiles[i], options, metadata, notes[i]));
            continue;
        }
        inputs.emplace_back(network.inputs[i].sizeBytes);
        fillInput(network.inputs[i], inputs.back(), random);
    }
    for (const NetworkState& state : network.states) {
        inputs.push_back(state.initial);
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
    ExecutionResult run = runner.execute(ExecutionPath::kSync);
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

/// The states that an execution left become those of the next one.
void handOnStates(ModelRunner& runner, const Network& network, std::vector<Bytes>& inputs) {
    for (const NetworkState& state : network.states) {
        inputs[state.input] = outputBytes(runner, state.output);
        std::copy(inputs[state.input].begin(), inputs[state.input].end(),
                  runner.input(state.input).begin());
    }
}

/// Prepares and runs the network on the client's thread. `inputs` become those of the last run.
void inferOn(ClientContext& context, const InferOptions& options, const Network& network,
             std::vector<Bytes>& inputs, ExecutionMeter& meter, InferResult& result) {
    const auto runner = prepareWith(context, network, inputs);
    meter.take(context.now());
    for (std::uint32_t i = 0; i < options.repeat; ++i) {
        if (i != 0) {
            handOnStates(*runner, network, inputs);
        }
        const ExecutionResult run = executeOnce(*runner, network);
        const ExecutionMeter::Measure measure = meter.take(context.now());
        result.runs.push_back({measure.cycles, measure.jobCycles, run.timeOnDeviceUs,
                               run.end - run.begin, measure.activity});
    }
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        result.outputs.push_back(outputBytes(*runner, i));
    }
    result.onChipConstantBytes = driver::countersOf(context.device()).onChipConstantBytes;
    if (const auto compiled = driver::compiledModelOf(runner->preparedModel())) {
        result.estimatedCycles = compiled->estimatedCycles;
        result.commandBytes = compiled->commands.size();
        result.commands = compiled->commandCount;
        result.scratchBytes = compiled->scratchBytes;
        result.codedLoads = codedLoadsOf(compiled->commands);
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

/// Runs the model once more with interruptions; the outputs must be the same bytes.
void inferInterruptedOn(ClientContext& context, const InferOptions& options, const Network& network,
                        const std::vector<Bytes>& inputs, Interrupter& interrupter,
                        InferResult& result) {
    const auto runner = prepareWith(context, network, inputs);
    result.interruptions =
            interrupter.interrupt(context, options.interruption, result.runs.back().callTime,
                                  [&] { executeOnce(*runner, network); });
    interrupter.finish();
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        if (outputBytes(*runner, i) != result.outputs[i]) {
            throw std::runtime_error(
                    fmt::format("{}: output {} of the interrupted execution is not that of the "
                                "undisturbed one, after {} interruptions",
                                network.name, i, result.interruptions));
        }
    }
}

InferResult inferInterrupted(const InferOptions& options, const hw::NpuConfig& config,
                             const Network& network, std::vector<Bytes> inputs) {
    DriverLog log;
    ExecutionMeter meter(config);
    BusTools tools(options.busTools, interruptible(config));
    Platform platform({.config = interruptible(config),
                       .deviceObserver = &meter,
                       .driverObserver = &log,
                       .scheduling = interruptibleScheduling(options.checkpointCycles),
                       .busObserver = tools.observer(),
                       .onChip = {.constantsShare = options.constantsOnChip}});
    Interrupter interrupter(platform, options.seed);
    InferResult result;
    platform.addClient("infer", kFirstAppUid, [&](ClientContext& context) {
        inferOn(context, options, network, inputs, meter, result);
        inferInterruptedOn(context, options, network, inputs, interrupter, result);
    });
    runPlatform(platform, log, tools);
    result.mistakes = tools.mistakes();
    return result;
}

InferResult runInference(const InferOptions& options, const hw::NpuConfig& config,
                         const Network& network, std::vector<Bytes> inputs) {
    DriverLog log;
    ExecutionMeter meter(config);
    BusTools tools(options.busTools, config);
    Platform platform({.config = config,
                       .deviceObserver = &meter,
                       .driverObserver = &log,
                       .busObserver = tools.observer(),
                       .onChip = {.constantsShare = options.constantsOnChip}});
    InferResult result;
    platform.addClient("infer", kFirstAppUid, [&](ClientContext& context) {
        inferOn(context, options, network, inputs, meter, result);
        if (!options.layerDirectory.empty()) {
            inferLayersOn(context, network, inputs, result);
        }
    });
    runPlatform(platform, log, tools);
    result.mistakes = tools.mistakes();
    return result;
}

/// For a driver whose observer is called on any thread.
class SharedDriverLog : public DriverLog {
  public:
    void onLog(std::chrono::nanoseconds now, std::string_view line) override {
        const std::lock_guard guard(mutex_);
        DriverLog::onLog(now, line);
    }

  private:
    std::mutex mutex_;
};

/// On the device behind a kernel driver; `config` becomes what that device reports.
InferResult inferOnPort(const InferOptions& options, hw::NpuConfig& config, const Network& network,
                        std::vector<Bytes> inputs) {
    SharedDriverLog log;
    InferResult result;
    const auto body = [&](ClientContext& context, const hw::NpuConfig& reported) {
        config = reported;
        ExecutionMeter meter(config);  // sees nothing of this device
        inferOn(context, options, network, inputs, meter, result);
        for (Run& run : result.runs) {
            run.cycles = run.timeOnDeviceUs * config.clockKhz / 1000;
            run.jobCycles = run.cycles;
        }
        if (!options.layerDirectory.empty()) {
            inferLayersOn(context, network, inputs, result);
        }
    };
    try {
        runOnKernelDriver(options.port, &log, body);
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throwWithReason(error, log.lastLine());
    }
    return result;
}

void writeBytes(const std::string& directory, const std::string& name, const Bytes& bytes) {
    const auto path = std::filesystem::path(directory) / name;
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
        throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
    }
}

void makeDirectory(const std::string& directory) {
    if (const std::error_code error = makeFolder(directory)) {
        throw InputError(fmt::format("{}: no folder to write to: {}", directory, error.message()));
    }
}

/// The first part of a TensorFlow name, with the characters of a file name.
std::string fileStem(const std::string& name) {
    constexpr std::size_t kLongest = 60;  // chosen: enough to distinguish layers
    std::string stem = name.substr(0, std::min(name.find(';'), kLongest));
    std::replace_if(
            stem.begin(), stem.end(),
            [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; }, '_');
    return stem;
}

void writeResults(const InferOptions& options, const Network& network, const InferResult& result) {
    const std::size_t outputs =
            options.outputDirectory.empty() ? 0 : network.outputs.size() - network.states.size();
    for (std::size_t i = 0; i < outputs; ++i) {
        writeBytes(options.outputDirectory, fmt::format("out{}.bin", i),
                   fileFromOperand(network.outputs[i], result.outputs[i]));
    }
    for (std::size_t i = 0; i < result.layers.size(); ++i) {
        writeBytes(options.layerDirectory,
                   fmt::format("op{:02}_{}.bin", i, fileStem(network.operationNames[i])),
                   result.layers[i]);
    }
}

/// The unsupported operators of the model instead of an execution.
ExitCode listUnsupported(const InferOptions& options) {
    const graph::Report report = importModel(options.model, options.modelOptions).report;
    const std::vector<CheckedModel> models = {{options.model, report, ""}};
    fmt::print("{}", options.json ? checkJson(models) : unsupportedText(models));
    return report.isComplete() ? ExitCode::kDone : ExitCode::kFailed;
}

ExitCode infer(const InferOptions& options) {
    if (options.listsUnsupported) {
        return listUnsupported(options);
    }
    const bool hasLayers = !options.layerDirectory.empty();
    if (options.timingOnly && (hasLayers || !options.outputDirectory.empty())) {
        throw InputError(
                "--timing-only computes no values, so there is nothing for --output or "
                "--layers");
    }
    if (options.interruption != Interruption::kNone && (hasLayers || options.timingOnly)) {
        throw InputError(
                "--interrupt compares values, so it goes without --timing-only and --layers");
    }
    if (!options.port.empty() &&
        (options.interruption != Interruption::kNone || options.timingOnly)) {
        throw InputError(
                "--port uses a device as it is, so it goes without --interrupt and --timing-only");
    }
    hw::NpuConfig config = loadConfig(options.config);
    config.timingOnly = config.timingOnly || options.timingOnly;
    NetworkOptions modelOptions = options.modelOptions;
    modelOptions.seed = options.seed;
    modelOptions.zeroWeights = !needsWeights(config);
    const Network network = loadNetwork(options.model, modelOptions);
    const media::ModelMetadata metadata = media::readModelMetadata(options.model);
    std::vector<std::string> notes;
    const std::vector<Bytes> inputs = makeInputs(options, network, metadata, notes);
    for (const std::string& directory : {options.outputDirectory, options.layerDirectory}) {
        if (!directory.empty()) {
            makeDirectory(directory);
        }
    }
    const bool isInterrupted = options.interruption != Interruption::kNone;
    InferResult result = !options.port.empty() ? inferOnPort(options, config, network, inputs)
                                               : (isInterrupted ? inferInterrupted : runInference)(
                                                         options, config, network, inputs);
    result.inputNotes = std::move(notes);
    result.labels = metadata.outputs;
    if (!options.labelFile.empty()) {
        result.labels.assign(network.outputs.size(), media::readLabels(options.labelFile));
    }
    result.labels.resize(network.outputs.size());
    writeResults(options, network, result);
    (options.json ? printInferJson : printInferText)({options, config, network, result});
    return result.mistakes == 0 ? ExitCode::kDone : ExitCode::kFailed;
}

/// What to do with pictures and sounds.
void addMediaOptions(CLI::App& command, InferOptions& options) {
    const auto numbers = [&](const char* name, std::vector<float>& values, const char* help) {
        command.add_option(name, values, help)->delimiter(',')->type_name("NUMBER[,...]");
    };
    numbers("--mean", options.media.normalization.mean,
            "Subtracted from pixel values 0 to 255, one for all channels or one for each (default: "
            "the model's metadata, else 127.5 for float inputs)");
    numbers("--std", options.media.normalization.deviation, "Divides pixel values, likewise");
    command.add_flag_callback(
            "--crop", [&options] { options.media.fit = media::Fit::kCrop; },
            "Take the middle of a picture of another aspect ratio, instead of distorting it");
    command.add_option("--sample-rate", options.media.sampleRate,
                       "Samples per second that the model expects (default: its metadata, else "
                       "16000)")
            ->type_name("HZ");
    command.add_option("--labels", options.labelFile,
                       "Names of classes, one per line (default: the model's metadata)")
            ->type_name("FILE");
}

}  // namespace

void addInferCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<InferOptions>();
    CLI::App& command =
            addCommand(app, action, "infer", "Run a model on the simulated device", options, infer);
    addModel(command, options->model);
    addImportOptions(command, options->modelOptions);
    command.add_flag("--list-unsupported", options->listsUnsupported,
                     "List the operators that cannot run, instead of running the model");
    command.add_option(
                   "--weight-bits", options->modelOptions.weightBits,
                   "Entropy of a zoo network's 8-bit weights (default: 8, uniform values, which "
                   "no code shortens)")
            ->type_name("BITS")
            ->check(CLI::Range(WeightDistribution::kLeastBits, NetworkOptions::kUniformBits));
    command.add_option("--input", options->inputFiles,
                       "Raw bytes of an input tensor, or a picture (PNG, JPEG, BMP, PPM), a sound "
                       "(WAV) or an array (NPY); one file per input in order (default: random "
                       "values)")
            ->type_name("FILE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    addMediaOptions(command, *options);
    const auto folder = [&](const char* name, std::string& value, const char* help) {
        command.add_option(name, value, help)->type_name("DIR");
    };
    folder("--output", options->outputDirectory, "Write each output tensor as DIR/out<k>.bin");
    folder("--layers", options->layerDirectory,
           "Write the output of every operation as DIR/op<NN>_<name>.bin");
    addConfig(command, options->config);
    command.add_option("--port", options->port,
                       "Use the device behind this node of the Linux kernel driver, such as "
                       "/dev/vnpu0-raw, instead of a simulated one")
            ->type_name("NODE")
            ->excludes("--config");
    command.add_flag("--timing-only", options->timingOnly, "Simulate times without data");
    command.add_option("--repeat", options->repeat, "Executions, one after the other")
            ->check(CLI::Range(1U, 1000000U))
            ->capture_default_str();
    command.add_option("--constants-on-chip", options->constantsOnChip,
                       "Share of the device's on-chip memory (sram.resident_kib) that keeps "
                       "constants of the model between executions")
            ->type_name("SHARE")
            ->excludes("--port")
            ->check(CLI::Range(0.0, 1.0))
            ->capture_default_str();
    addChoice(command, "--interrupt", options->interruption,
              {std::begin(kInterruptions), std::end(kInterruptions)},
              "Execute once more with interruptions and compare the outputs: save and restore at "
              "every checkpoint, save and restore between operations, or stop and restart at "
              "random times");
    addNumber(command, "--checkpoint-cycles", options->checkpointCycles,
              "With --interrupt: cycles between checkpoints");
    addBusTools(command, options->busTools);
    addSeed(command, options->seed, "Seed of random inputs and of the weights of a zoo network");
    addJson(command, options->json);
}

}  // namespace vnpu::sim
