// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driver/minimal/include/vnpu/job_file.h"
#include "firmware/api/job_ring.h"
#include "hw_model/regs/command_stream.h"
#include "sim/cli/command_options.h"
#include "sim/client/compile_network.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

namespace {

struct CompileCommandOptions {
    std::string model;
    NetworkOptions modelOptions;
    std::string config = "edge";
    std::string output;
    std::uint64_t checkpointCycles = 0;
};

constexpr std::size_t kPartAlignment = 64;  // of vnpu_job_file

/// Appends the bytes at the next multiple of kPartAlignment; returns their offset.
std::uint64_t appendPart(std::vector<std::byte>& file, std::span<const std::byte> part) {
    file.resize((file.size() + kPartAlignment - 1) / kPartAlignment * kPartAlignment);
    const std::size_t offset = file.size();
    file.insert(file.end(), part.begin(), part.end());
    return offset;
}

template <std::size_t size>
void setName(char (&place)[size], const std::string& name) {
    name.copy(place, size - 1);
}

hal::MappedPool mapPool(const Network& network, std::uint32_t index) {
    auto pool = hal::MappedPool::create(network.model.pools[index]);
    if (!pool) {
        throw std::runtime_error(fmt::format("{}: pool {}: {}", network.name, index, pool.error()));
    }
    return std::move(*pool);
}

vnpu_job_region describeRegion(const Network& network, const driver::CompiledModel& compiled,
                               const driver::Region& region, std::vector<std::byte>& file) {
    vnpu_job_region result{};
    result.index = region.index;
    result.bytes = region.sizeBytes;
    result.flags = region.isWritable ? fw::kRegionWritable : 0;
    switch (region.kind) {
        case driver::RegionKind::kDriverConstants:
            result.kind = VNPU_JOB_CONSTANTS;
            result.data_offset =
                    appendPart(file, std::span(compiled.constants).first(region.sizeBytes));
            break;
        case driver::RegionKind::kConstantPool: {
            const hal::MappedPool pool = mapPool(network, region.index);
            result.kind = VNPU_JOB_CONSTANTS;
            result.data_offset =
                    appendPart(file, std::span(pool.data(), pool.size()).first(region.sizeBytes));
            break;
        }
        case driver::RegionKind::kScratch:
            result.kind = VNPU_JOB_SCRATCH;
            result.bytes = compiled.scratchBytes;
            break;
        case driver::RegionKind::kInput:
            result.kind = VNPU_JOB_INPUT;
            break;
        case driver::RegionKind::kOutput:
            result.kind = VNPU_JOB_OUTPUT;
            break;
    }
    return result;
}

std::vector<std::byte> jobFile(const Network& network, const hw::NpuConfig& config,
                               const CompiledNetwork& compiled) {
    const driver::CompiledModel& model = *compiled.model;
    std::vector<std::byte> file(sizeof(vnpu_job_file));
    vnpu_job_file header{};
    header.magic = VNPU_JOB_FILE_MAGIC;
    header.version = VNPU_JOB_FILE_VERSION;
    header.command_stream_version = hw::kCommandStreamVersion;
    header.estimate_cycles = model.estimatedCycles;
    header.sram_blocks = model.sramBlocks;
    setName(header.config, config.name);
    setName(header.model, network.name);
    static_assert(sizeof(vnpu_job_check) == sizeof(RegisterValue));
    header.check_count = static_cast<std::uint32_t>(compiled.configuration.size());
    header.checks_offset = appendPart(file, std::as_bytes(std::span(compiled.configuration)));
    header.commands_bytes = model.commands.size();
    header.commands_offset = appendPart(file, model.commands);
    std::vector<vnpu_job_region> regions;
    for (const driver::Region& region : model.regions) {
        regions.push_back(describeRegion(network, model, region, file));
    }
    header.region_count = static_cast<std::uint32_t>(regions.size());
    header.regions_offset = appendPart(file, std::as_bytes(std::span(regions)));
    appendPart(file, {});
    header.file_bytes = file.size();
    header.checksum =
            vnpu_job_file_checksum(file.data() + sizeof(header), file.size() - sizeof(header));
    std::memcpy(file.data(), &header, sizeof(header));
    return file;
}

ExitCode compileModel(const CompileCommandOptions& options) {
    const hw::NpuConfig config = loadConfig(options.config);
    const Network network = loadNetwork(options.model, options.modelOptions);
    const CompiledNetwork compiled = compileOn(config, network, options.checkpointCycles);
    if (!compiled.model->dynamicTensors.empty()) {
        throw InputError(fmt::format(
                "{}: {} tensors get their shapes on the device, expected a model whose shapes are "
                "all known",
                network.name, compiled.model->dynamicTensors.size()));
    }
    const std::vector<std::byte> file = jobFile(network, config, compiled);
    std::ofstream out(options.output, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()),
              static_cast<std::streamsize>(file.size()));
    if (!out.flush()) {
        throw InputError(fmt::format("{}: cannot be written", options.output));
    }
    fmt::print("{}: {} for {}, {} bytes: {} commands, {} regions\n", options.output, network.name,
               config.name, file.size(), compiled.model->commandCount,
               compiled.model->regions.size());
    return ExitCode::kDone;
}

}  // namespace

void addCompileCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<CompileCommandOptions>();
    CLI::App& command = addCommand(app, action, "compile",
                                   "Compile a model into a file for drivers (vnpu/job_file.h)",
                                   options, compileModel);
    addModel(command, options->model);
    addImportOptions(command, options->modelOptions);
    addConfig(command, options->config);
    command.add_option("-o,--output", options->output, "The file to write")
            ->type_name("FILE")
            ->required();
    command.add_option("--checkpoint-cycles", options->checkpointCycles,
                       "Cycles between checkpoints, for drivers that preempt jobs; 0: none")
            ->type_name("CYCLES")
            ->capture_default_str();
}

}  // namespace vnpu::sim
