// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/text_table.h"
#include "sim/cli/choice_option.h"
#include "sim/cli/command_options.h"
#include "sim/client/model_runner.h"
#include "sim/client/remote_context.h"
#include "sim/conform/flavor.h"
#include "sim/import/source.h"
#include "sim/models/operand_types.h"
#include "sim/scenario/input_data.h"
#include "sim/scenario/scenario_client.h"

namespace vnpu::sim {

namespace {

struct ClientOptions {
    std::string model;
    std::string socket;
    std::string service;
    ClientPriority priority = ClientPriority::kMedium;
    ExecutionPath path = ExecutionPath::kSync;
    std::uint64_t count = 100;
    std::uint64_t seed = 1;
};

using Microseconds = std::vector<double>;

constexpr std::string_view kMeaningOfTimes =
        "The first two are wall time. Time in the driver is device time from call to result: while "
        "threads of\nthe host run, device time passes as well, at pace max in steps of 20 us and "
        "faster than wall time.\nTime on the device is that of the job alone; the host has no part "
        "in it.\n";

/// Minimum, median, P99 and maximum of the measured values.
std::vector<std::string> rowOf(const std::string& name, Microseconds values) {
    std::vector<std::string> row{name};
    std::sort(values.begin(), values.end());
    for (const double share : {0.0, 0.5, 0.99, 1.0}) {
        const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
        row.push_back(values.empty() ? "-" : fmt::format("{:.1f}", values[index]));
    }
    return row;
}

double microseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) * 1e-3;
}

/// Round-trip times of empty calls.
Microseconds measureCalls(ClientContext& context) {
    Microseconds times;
    for (int i = 0; i < 100; ++i) {  // chosen: enough for a median
        const auto begin = context.now();
        if (!context.device()->ping().isOk()) {
            throw std::runtime_error("the service died");
        }
        times.push_back(microseconds(context.now() - begin));
    }
    return times;
}

struct Measured {
    Microseconds call, driver, device;
    std::uint64_t hash = 0;
};

Measured execute(ModelRunner& runner, const Network& network, const ClientOptions& options) {
    Measured measured;
    for (std::uint64_t i = 0; i < options.count; ++i) {
        const ExecutionResult run = runner.execute(options.path);
        if (run.status != nn::ErrorStatus::NONE) {
            throw std::runtime_error(fmt::format("execution {} of {} ended with {}", i,
                                                 network.name, nameOf(run.status)));
        }
        const std::uint64_t hash = hashOutputs(network, runner);
        if (i > 0 && hash != measured.hash) {
            throw std::runtime_error(fmt::format(
                    "execution {} of {} has outputs that differ from the first", i, network.name));
        }
        measured.hash = hash;
        measured.call.push_back(microseconds(run.end - run.begin));
        if (run.timeOnDeviceUs != UINT64_MAX && run.timeInDriverUs != UINT64_MAX) {
            measured.driver.push_back(static_cast<double>(run.timeInDriverUs));
            measured.device.push_back(static_cast<double>(run.timeOnDeviceUs));
        }
    }
    return measured;
}

ExitCode client(const ClientOptions& options) {
    const Network network = loadNetwork(options.model);
    RemoteContext context(options.socket.empty() ? hal::serviceSocketPath() : options.socket,
                          options.service);
    const auto runner = ModelRunner::prepare(context, network, halPriority(options.priority));
    Random random(options.seed);
    fillInputs(network, *runner, random);
    const Measured measured = execute(*runner, network, options);
    TextTable table({"microseconds"}, {"min", "median", "P99", "max"});
    table.addRow(rowOf("execution, as the client sees it", measured.call));
    table.addRow(rowOf("empty call, round trip", measureCalls(context)));
    table.addRow(rowOf("in the driver, simulated", measured.driver));
    table.addRow(rowOf("on the device, simulated", measured.device));
    fmt::print("{} on {}: {} executions, {}, outputs {:016x}\n{}{}", network.name, context.name(),
               options.count, nameOf(options.path), measured.hash, table.text(), kMeaningOfTimes);
    return ExitCode::kDone;
}

}  // namespace

void addClientCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<ClientOptions>();
    CLI::App& command =
            addCommand(app, action, "client", "Run a model through a service and report latencies",
                       options, client);
    addModel(command, options->model);
    addSocket(command, options->socket);
    command.add_option("--service", options->service,
                       "Name of the device (default: the first of the service)");
    addChoice(command, "--priority", options->priority,
              {ClientPriority::kLow, ClientPriority::kMedium, ClientPriority::kHigh},
              "Priority of the model among those of this user (UID)");
    addChoice(command, "--path", options->path,
              {std::begin(kExecutionPaths), std::end(kExecutionPaths)},
              "How executions reach the driver");
    addNumber(command, "--count", options->count, "Executions");
    addSeed(command, options->seed, "Seed of the inputs");
}

}  // namespace vnpu::sim
