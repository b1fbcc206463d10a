// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/fake_compiler.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hw_model/regs/command_stream.h"

namespace vnpu::driver::test {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Model;

namespace {

/// The rows of an image that an argument lies in; a rowBytes of 0: in no image.
struct Rows {
    std::uint32_t rowBytes;
    std::uint32_t strideBytes;

    std::uint64_t offsetOf(std::uint64_t byte) const {
        return rowBytes == 0 ? byte : byte / rowBytes * strideBytes + byte % rowBytes;
    }
};

struct Commands {
    std::uint32_t hasConstants;
    std::uint32_t poolCount;
    std::uint32_t hasScratch;
    std::uint32_t imageBytes;  // that the job writes to an output in an image
    Rows input;
    Rows output;
};

Rows rowsOf(const std::vector<std::optional<ImageRows>>& images) {
    return images.empty() || !images[0] ? Rows{}
                                        : Rows{static_cast<std::uint32_t>(images[0]->rowBytes),
                                               static_cast<std::uint32_t>(images[0]->strideBytes)};
}

/// The bytes of argument `i` in memory.
std::uint64_t placeBytes(const std::vector<std::optional<ImageRows>>& images, std::size_t i,
                         std::uint64_t tensorBytes) {
    return i < images.size() && images[i] ? images[i]->sizeBytes() : tensorBytes;
}

TensorShape shapeOf(const Model& model, std::uint32_t operand,
                    const std::vector<std::uint32_t>& otherwise) {
    TensorShape shape;
    shape.dimensions = model.main.operands[operand].dimensions;
    bool isKnown = !shape.dimensions.empty();
    for (const std::uint32_t dimension : shape.dimensions) {
        isKnown = isKnown && dimension != 0;
    }
    if (!isKnown) {
        shape.dimensions = otherwise;
    }
    shape.sizeBytes = 1;
    for (const std::uint32_t dimension : shape.dimensions) {
        shape.sizeBytes *= dimension;
    }
    return shape;
}

CompiledModel compileRelu(const Model& model, std::span<const PoolView> pools,
                          const CompileOptions& options) {
    CompiledModel compiled;
    const bool hasCopies = model.operandValues.size() > 0;
    if (hasCopies) {
        const auto* values = reinterpret_cast<const std::byte*>(model.operandValues.data());
        compiled.constants.assign(values, values + model.operandValues.size());
        compiled.regions.push_back(
                {RegionKind::kDriverConstants, 0, compiled.constants.size(), false});
    }
    for (std::uint32_t i = 0; i < pools.size(); ++i) {
        compiled.regions.push_back({RegionKind::kConstantPool, i, pools[i].size(), false});
    }
    for (std::size_t i = 0; i < model.main.inputIndexes.size(); ++i) {
        const auto given = i < options.inputDimensions.size() ? options.inputDimensions[i]
                                                              : std::vector<std::uint32_t>{};
        compiled.inputs.push_back(shapeOf(model, model.main.inputIndexes[i], given));
        compiled.regions.push_back(
                {RegionKind::kInput, static_cast<std::uint32_t>(i),
                 placeBytes(options.inputImages, i, compiled.inputs.back().sizeBytes), false});
    }
    for (std::size_t i = 0; i < model.main.outputIndexes.size(); ++i) {
        compiled.outputs.push_back(
                shapeOf(model, model.main.outputIndexes[i], compiled.inputs[0].dimensions));
        compiled.regions.push_back(
                {RegionKind::kOutput, static_cast<std::uint32_t>(i),
                 placeBytes(options.outputImages, i, compiled.outputs.back().sizeBytes), true});
    }
    const Commands commands{hasCopies ? 1U : 0U,
                            static_cast<std::uint32_t>(pools.size()),
                            0,
                            static_cast<std::uint32_t>(compiled.outputs[0].sizeBytes),
                            rowsOf(options.inputImages),
                            rowsOf(options.outputImages)};
    compiled.commands.resize(sizeof(commands));
    std::memcpy(compiled.commands.data(), &commands, sizeof(commands));
    return compiled;
}

/// Lets the device determine output 0 and a tensor in scratch memory.
void makeDynamic(CompiledModel& compiled, const CompileOptions& options) {
    compiled.outputs[0] = {{0}, 0};
    const std::uint64_t capacity = options.capacities.size() > 1 ? options.capacities[1] : 0;
    compiled.dynamicTensors = {{.output = 0, .capacityBytes = 0},
                               {.output = DynamicTensor::kInternal,
                                .capacityBytes = std::max(capacity, kFirstCapacityBytes)}};
    compiled.scratchBytes = 2 * sizeof(hw::DspShape) + CompiledModel::kSpareBytes +
                            compiled.dynamicTensors[1].capacityBytes;
    for (Region& region : compiled.regions) {
        if (region.kind == RegionKind::kOutput && region.index == 0) {
            region.sizeBytes = 0;
        }
    }
    compiled.regions.push_back({RegionKind::kScratch, 0, compiled.scratchBytes, true});
}

/// Reads or writes bytes of a job's region through the device's MMU, within the limits of the
/// region.
class RegionAccess {
  public:
    RegionAccess(FakeMemory& memory, const ObservedJob& job) : memory_(memory), job_(job) {}

    std::byte read(std::size_t region, std::uint64_t offset) {
        return access(region, offset, false);
    }
    void write(std::size_t region, std::uint64_t offset, std::byte value) {
        const fw::RegionEntry& entry = job_.regions[region];
        if ((entry.flags & fw::kRegionWritable) == 0) {
            status_ = hw::JobStatus::kReadOnlyRegion;
            return;
        }
        access(region, offset, true, value);
    }
    hw::JobStatus status() const { return status_; }

  private:
    std::byte access(std::size_t region, std::uint64_t offset, bool isWrite, std::byte value = {}) {
        std::byte* at =
                memory_.translate(job_.context, job_.regions[region].address + offset, isWrite);
        if (at == nullptr) {
            status_ = hw::JobStatus::kMmuFault;
            return {};
        }
        if (isWrite) {
            *at = value;
        }
        return *at;
    }

    FakeMemory& memory_;
    const ObservedJob& job_;
    hw::JobStatus status_ = hw::JobStatus::kOk;
};

hw::JobStatus runRelu(FakeMemory& memory, const ObservedJob& job) {
    Commands commands{};
    std::memcpy(&commands, job.commands.data(), sizeof(commands));
    RegionAccess regions(memory, job);
    std::uint32_t sum = 0;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < commands.hasConstants + commands.poolCount; ++i) {
        sum += std::to_integer<std::uint32_t>(regions.read(next++, 0));
    }
    const std::size_t input = next;
    const std::size_t scratch = job.regions.size() - 1;  // if there is one
    const std::size_t output = scratch - commands.hasScratch;
    const std::uint64_t bytes =
            commands.output.rowBytes == 0 ? job.regions[output].sizeBytes : commands.imageBytes;
    for (std::uint64_t i = 0; i < bytes; ++i) {
        const std::byte read = regions.read(input, commands.input.offsetOf(i));
        auto value = static_cast<std::byte>(std::to_integer<std::uint32_t>(read) + sum);
        if (commands.hasScratch != 0) {
            const std::uint64_t at = i % job.regions[scratch].sizeBytes;
            regions.write(scratch, at, value);
            value = regions.read(scratch, at);
        }
        regions.write(output, commands.output.offsetOf(i), value);
    }
    return regions.status();
}

}  // namespace

CompilerFunctions FakeCompiler::functions() {
    return {.findUnsupported =
                    [this](const Model& model) {
                        return std::vector<std::string>(model.main.operations.size(), refusal);
                    },
            .compile = [this](const Model& model, std::span<const PoolView> pools,
                              const DeviceInfo&,
                              const CompileOptions& options) -> Result<CompiledModel> {
                seenOptions.push_back(options);
                if (whileCompiling) {
                    whileCompiling();
                }
                if (options.mayGoOn && !options.mayGoOn()) {
                    return fail(ErrorStatus::MISSED_DEADLINE_PERSISTENT, "no time is left");
                }
                CompiledModel compiled = compileRelu(model, pools, options);
                if (isDynamic) {
                    makeDynamic(compiled, options);
                } else if (scratchBytes > 0) {
                    compiled.scratchBytes = scratchBytes;
                    compiled.regions.push_back({RegionKind::kScratch, 0, scratchBytes, true});
                    const std::uint32_t one = 1;
                    std::memcpy(compiled.commands.data() + offsetof(Commands, hasScratch), &one,
                                sizeof(one));
                }
                while (compiled.regions.size() < regionCountToClaim) {
                    compiled.regions.push_back(compiled.regions.back());
                }
                compiled.estimatedCycles = estimatedCycles;
                compiled.saveBytes = saveBytes;
                return compiled;
            }};
}

FakeDevicePort::JobFunction FakeCompiler::jobFunction() {
    return runRelu;
}

}  // namespace vnpu::driver::test
