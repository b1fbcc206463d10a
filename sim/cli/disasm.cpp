// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <memory>
#include <optional>
#include <string>

#include "driver/api/scheduling.h"
#include "hw_model/regs/command_reader.h"
#include "sim/cli/command_options.h"
#include "sim/cli/tensor_report.h"
#include "sim/client/compile_network.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

namespace {

struct DisasmOptions {
    std::string model;
    std::string config = "edge";
    std::optional<std::uint32_t> operation;
    std::uint64_t checkpointCycles = driver::SchedulingOptions{}.checkpointCycles;
};

std::string describeRegion(const driver::Region& region) {
    switch (region.kind) {
        case driver::RegionKind::kDriverConstants:
            return "constants of the driver";
        case driver::RegionKind::kConstantPool:
            return fmt::format("pool {} of the model", region.index);
        case driver::RegionKind::kScratch:
            return "scratch";
        case driver::RegionKind::kInput:
            return fmt::format("input {}", region.index);
        case driver::RegionKind::kOutput:
            return fmt::format("output {}", region.index);
    }
    return "?";
}

void printHead(const Network& network, const driver::CompiledModel& compiled) {
    fmt::print(
            "; {}: {} commands, {} bytes, {} bytes of SRAM in {} of {} blocks, "
            "{} bytes of scratch\n",
            network.name, compiled.commandCount, compiled.commands.size(), compiled.sramBytesUsed,
            std::popcount(compiled.sramBlocks), hw::kSramBlockCount, compiled.scratchBytes);
    fmt::print("; {} checkpoints, at most {} cycles apart, up to {} bytes to save\n",
               compiled.checkpointCount, withSeparators(compiled.longestIntervalCycles),
               withSeparators(compiled.saveBytes));
    for (std::size_t i = 0; i < compiled.regions.size(); ++i) {
        fmt::print("; region {}: {}, {} bytes{}\n", i, describeRegion(compiled.regions[i]),
                   compiled.regions[i].sizeBytes,
                   compiled.regions[i].isWritable ? ", writable" : "");
    }
}

void printOperation(const Network& network, const driver::CompiledModel& compiled,
                    std::uint32_t operation) {
    if (operation >= network.model.main.operations.size()) {
        fmt::print("\n; of no operation\n");
        return;
    }
    fmt::print("\n; operation {} {} {}", operation,
               nameOf(network.model.main.operations[operation].type),
               network.operationNames[operation]);
    if (operation < compiled.operations.size()) {
        const driver::OperationEstimate& estimate = compiled.operations[operation];
        fmt::print(": {} commands, {} cycles estimated", estimate.commands,
                   withSeparators(estimate.cycles));
    }
    fmt::print("\n");
}

ExitCode disassembleModel(const DisasmOptions& options) {
    const Network network = loadNetwork(options.model);
    const std::size_t operations = network.model.main.operations.size();
    if (options.operation && *options.operation >= operations) {
        throw InputError(fmt::format("--operation {}: {} has {} operations, expected 0 to {}",
                                     *options.operation, network.name, operations, operations - 1));
    }
    const auto compiled =
            compileOn(loadConfig(options.config), network, options.checkpointCycles).model;
    printHead(network, *compiled);
    hw::CommandReader reader(compiled->commands);
    hw::CommandView view;
    std::optional<std::uint32_t> current;
    while (reader.next(view)) {
        const std::uint32_t operation = view.header->operation;
        if (options.operation && operation != *options.operation) {
            continue;
        }
        if (operation != current) {
            printOperation(network, *compiled, operation);
            current = operation;
        }
        fmt::print("{}\n", hw::disassemble(view));
    }
    if (options.operation && !current) {
        const auto& estimates = compiled->operations;
        const bool isFolded =
                *options.operation < estimates.size() && estimates[*options.operation].isFolded;
        fmt::print("\n; operation {} has no commands of its own{}\n", *options.operation,
                   isFolded ? ": it became part of another" : "");
    }
    if (reader.status() != hw::JobStatus::kOk) {
        throw std::runtime_error(fmt::format("the stream is damaged at byte {}", reader.offset()));
    }
    return ExitCode::kDone;
}

}  // namespace

void addDisasmCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<DisasmOptions>();
    CLI::App& command =
            addCommand(app, action, "disasm", "Print the commands that a model is compiled to",
                       options, disassembleModel);
    addModel(command, options->model);
    addConfig(command, options->config);
    command.add_option("--operation", options->operation, "Only commands of this operation")
            ->type_name("N");
    addNumber(command, "--checkpoint-cycles", options->checkpointCycles,
              "Cycles between checkpoints; 0 for none, as in a model without a priority", 0);
}

}  // namespace vnpu::sim
