// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "driver/api/device.h"
#include "driver/port/register_access.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/timing/energy.h"
#include "sim/base/app_uid.h"
#include "sim/base/error.h"
#include "sim/client/driver_log.h"
#include "sim/client/execution_meter.h"
#include "sim/client/model_runner.h"
#include "sim/client/run_platform.h"
#include "sim/config/load_config.h"
#include "sim/config/weight_needs.h"
#include "sim/import/source.h"
#include "sim/models/operand_types.h"
#include "sim/sweep/worker.h"
#include "sim/validate/mutants/mutant.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

// The messages between the processes.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ZooModel, name, batch, weightBits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LayerShape, inputHeight, inputWidth, filterHeight, filterWidth,
                                   channels, filters, stride, rows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SyntheticLayer, macCycles, results, inputBytes, filterBytes,
                                   outputBytes, pooledBytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SyntheticWork, layers, inLargestTiles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SingleOperation, kind, rows, depth, columns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NvdlaModel, network, isDense)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OperationWork, macCycles, vectorCycles, dspCycles, bytes, tiles,
                                   picojoules, blocks, streamBytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, error, cycles, jobCycles, macActiveCycles,
                                   macOperations, bytesRead, bytesWritten, estimatedCycles,
                                   operations)

namespace {

using Json = nlohmann::json;

/// Measures jobs, and the work of the engines by operation.
class JobMeter : public hw::DeviceObserver {
  public:
    /// The configuration has the prices of energy.
    explicit JobMeter(const hw::NpuConfig& config) : config_(config) {}

    void onEngineCommand(const hw::EngineCommandRecord& record) override {
        engines_.onEngineCommand(record);
        if (record.operation == hw::kNoOperation) {
            return;
        }
        if (record.operation >= operations_.size()) {
            operations_.resize(std::size_t{record.operation} + 1);
        }
        OperationWork& work = operations_[record.operation];
        work.macCycles += record.engine == hw::Engine::kMac ? record.busyCycles : 0;
        work.vectorCycles += record.engine == hw::Engine::kVector ? record.busyCycles : 0;
        work.dspCycles += record.engine == hw::Engine::kDsp ? record.busyCycles : 0;
        work.bytes += record.activity[hw::regs::PerfEvent::kBusBytes];
        work.picojoules += hw::energyOf(config_, record.activity).totalPicojoules();
        work.tiles += record.engine == hw::Engine::kMac || record.engine == hw::Engine::kVector;
    }
    void onFirmwareEvent(std::uint64_t cycle, std::string_view event,
                         std::uint64_t jobId) override {
        span_.onFirmwareEvent(cycle, event, jobId);
    }

    std::uint64_t engineCycles() { return engines_.take(); }
    /// The work since the previous call.
    std::vector<OperationWork> operations() { return std::exchange(operations_, {}); }
    std::uint64_t jobCycles() const { return span_.last(); }

  private:
    const hw::NpuConfig& config_;
    JobCycles engines_;
    JobSpan span_;
    std::vector<OperationWork> operations_;
};

Network networkOf(const MeasuredModel& model, bool hasWeights) {
    if (const auto* shape = std::get_if<LayerShape>(&model)) {
        return layerNetwork(*shape);
    }
    if (const auto* operation = std::get_if<SingleOperation>(&model)) {
        return operationNetwork(*operation);
    }
    if (const auto* nvdla = std::get_if<NvdlaModel>(&model)) {
        return nvdlaModelNetwork(*nvdla);
    }
    if (std::holds_alternative<SyntheticWork>(model)) {
        return layerNetwork({});  // a placeholder that the work replaces
    }
    const auto& zoo = std::get<ZooModel>(model);
    return loadNetwork(
            "zoo:" + zoo.name,
            {.zeroWeights = !hasWeights, .weightBits = zoo.weightBits, .batch = zoo.batch});
}

std::uint64_t readCounter(driver::DevicePort& port, hw::regs::PerfEvent event) {
    const auto index = static_cast<std::uint32_t>(event);
    const std::uint64_t low = driver::readRegister<hw::regs::PerfCounter>(port, index);
    const std::uint64_t high = driver::readRegister<hw::regs::PerfCounterHi>(port, index);
    return high << 32U | low;
}

/// The counters of the device since power-on.
Measurement counted(driver::DevicePort& port) {
    Measurement counts;
    counts.macActiveCycles = readCounter(port, hw::regs::PerfEvent::kMacActiveCycles);
    counts.macOperations = readCounter(port, hw::regs::PerfEvent::kMacOperations);
    counts.bytesRead = readCounter(port, hw::regs::PerfEvent::kDmaBytesRead);
    counts.bytesWritten = readCounter(port, hw::regs::PerfEvent::kDmaBytesWritten);
    return counts;
}

void executeOnce(ModelRunner& runner, const std::string& name) {
    const ExecutionResult run = runner.execute(ExecutionPath::kSync);
    if (run.status != nn::ErrorStatus::NONE) {
        throw std::runtime_error(
                fmt::format("{}: the execution ended with {}", name, nameOf(run.status)));
    }
}

/// Adds the bytes and the blocks of the commands of each operation.
void addCommands(std::span<const std::byte> commands, std::vector<OperationWork>& operations) {
    hw::CommandReader reader(commands);
    hw::CommandView command;
    while (reader.next(command)) {
        if (command.header->operation >= operations.size()) {
            continue;
        }
        OperationWork& work = operations[command.header->operation];
        work.streamBytes += command.header->sizeBytes;
        if (command.header->opcode == hw::Opcode::kMacConv) {
            work.blocks += hw::blocksOf(command.as<hw::MacConv>()).count();
        }
    }
}

/// Measures the second of two executions, because the first maps the pools.
Measurement measureOne(ClientContext& context, const MeasuredModel& model, bool hasWeights,
                       JobMeter& job) {
    const Network network = networkOf(model, hasWeights);
    const auto runner = ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
    executeOnce(*runner, network.name);
    job.engineCycles();
    job.operations();
    const Measurement before = counted(context.port());
    executeOnce(*runner, network.name);
    Measurement result = counted(context.port());
    result.cycles = job.engineCycles();
    result.operations = job.operations();
    result.jobCycles = job.jobCycles();
    result.macActiveCycles -= before.macActiveCycles;
    result.macOperations -= before.macOperations;
    result.bytesRead -= before.bytesRead;
    result.bytesWritten -= before.bytesWritten;
    if (const auto compiled = driver::compiledModelOf(runner->preparedModel())) {
        result.estimatedCycles = compiled->estimatedCycles;
        addCommands(compiled->commands, result.operations);
    }
    return result;
}

/// The compiler of the driver, except for synthetic work.
class WorkCompiler {
  public:
    void next(const MeasuredModel& model) { work_ = std::get_if<SyntheticWork>(&model); }

    driver::CompilerFunctions functions() {
        driver::CompilerFunctions functions;
        functions.compile = [this](const android::hardware::neuralnetworks::V1_3::Model& model,
                                   std::span<const driver::PoolView> pools,
                                   const driver::DeviceInfo& device,
                                   const driver::CompileOptions& options) {
            auto compiled = driver::compile(model, pools, device, options);
            return compiled && work_ != nullptr
                           ? withSyntheticWork(std::move(*compiled), *work_, device)
                           : compiled;
        };
        return functions;
    }

  private:
    const SyntheticWork* work_ = nullptr;
};

MeasuredModel modelFrom(const Json& json) {
    const Json& model = json.at("model");
    switch (json.at("kind").get<std::size_t>()) {
        case 0:
            return model.get<ZooModel>();
        case 1:
            return model.get<LayerShape>();
        case 2:
            return model.get<SyntheticWork>();
        case 3:
            return model.get<SingleOperation>();
        default:
            return model.get<NvdlaModel>();
    }
}

}  // namespace

std::vector<Measurement> measure(const MeasureRequest& request) {
    hw::NpuConfig config = parseConfig(request.config, "configuration");
    if (const Mutant* mutant = findMutant(request.mutant);
        mutant != nullptr && mutant->change != nullptr) {
        mutant->change(config);
    }
    config.timingOnly = true;
    DriverLog log;
    JobMeter job(config);
    WorkCompiler compiler;
    driver::SchedulingOptions scheduling;
    if (!request.hasCheckpoints) {
        scheduling.checkpointCycles = 0;
    }
    Platform platform({.config = config,
                       .deviceObserver = &job,
                       .driverObserver = &log,
                       .scheduling = scheduling,
                       .compiler = compiler.functions()});
    std::vector<Measurement> results;
    platform.addClient("measure", kFirstAppUid, [&](ClientContext& context) {
        for (const MeasuredModel& model : request.models) {
            compiler.next(model);
            try {
                results.push_back(measureOne(context, model, needsWeights(config), job));
            } catch (const std::runtime_error& error) {
                const std::string reason = log.lastLine();
                results.push_back({.error = reason.empty()
                                                    ? error.what()
                                                    : fmt::format("{}: {}", error.what(), reason)});
            }
        }
    });
    runPlatform(platform, log);
    return results;
}

std::string toJson(const MeasureRequest& request) {
    Json json = {{"config", request.config},
                 {"models", Json::array()},
                 {"mutant", request.mutant},
                 {"checkpoints", request.hasCheckpoints}};
    for (const MeasuredModel& model : request.models) {
        const Json content = std::visit([](const auto& kind) { return Json(kind); }, model);
        json["models"].push_back({{"kind", model.index()}, {"model", content}});
    }
    return json.dump();
}

MeasureRequest measureRequestFrom(const std::string& text) {
    try {
        const Json json = Json::parse(text);
        MeasureRequest request{json.at("config").get<std::string>(),
                               {},
                               json.value("mutant", ""),
                               json.value("checkpoints", true)};
        if (!request.mutant.empty() && findMutant(request.mutant) == nullptr) {
            throw InputError(
                    fmt::format("stdin: mutant is {}, expected the name of one", request.mutant));
        }
        for (const Json& model : json.at("models")) {
            request.models.push_back(modelFrom(model));
        }
        return request;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("stdin: {}, expected what to measure", error.what()));
    }
}

std::string toJson(const std::vector<Measurement>& measurements) {
    return Json(measurements).dump() + "\n";
}

std::vector<Measurement> measurementsOf(const ProcessResult& result, std::size_t count) {
    if (!result.isExited || result.code != 0) {
        return {count, Measurement{.error = failureOf(result)}};
    }
    try {
        auto measurements = Json::parse(result.output).get<std::vector<Measurement>>();
        if (measurements.size() == count) {
            return measurements;
        }
    } catch (const Json::exception&) {
        // Handled as a wrong number of measurements.
    }
    return {count, Measurement{.error = "it wrote no answer"}};
}

std::vector<std::vector<Measurement>> measureAll(
        const std::vector<MeasureRequest>& requests, ProcessPool& pool,
        const std::function<void(std::size_t done, std::size_t count)>& onDone) {
    std::vector<std::vector<Measurement>> results(requests.size());
    std::size_t done = 0;
    pool.run(
            requests.size(),
            [&](std::size_t index) {
                return ProcessTask{.arguments = {"measure"}, .input = toJson(requests[index])};
            },
            [&](std::size_t index, const ProcessResult& result) {
                results[index] = measurementsOf(result, requests[index].models.size());
                onDone(++done, requests.size());
            });
    return results;
}

}  // namespace vnpu::sim
