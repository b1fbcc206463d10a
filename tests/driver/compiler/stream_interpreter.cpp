// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/compiler/stream_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <random>

#include "hw_model/kernels/kernels.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/dsp_interpreter.h"
#include "tests/support/weight_code_reference.h"

namespace vnpu::driver::test {
namespace {

namespace kernels = hw::kernels;

constexpr std::uint64_t kDynamicOutputBytes = 65536;  // chosen: room for every example's outputs

std::uint64_t sizeOf(const CompiledModel& model, const Region& region) {
    const bool isDynamic =
            region.kind == RegionKind::kOutput && model.isDynamicOutput(region.index);
    return isDynamic ? kDynamicOutputBytes : region.sizeBytes;
}

/// All memories of one job.
class Machine {
  public:
    Machine(const CompiledModel& model, const DeviceInfo& device, std::span<const PoolView> pools,
            std::span<const Bytes> inputs, std::uint32_t seed)
        : noise_(seed), sram_(device.sramBytes), accumulators_(device.accumulatorBytes) {
        std::mt19937_64& noise = noise_;
        scribble(sram_, noise);
        scribble(accumulators_, noise);
        for (const Region& region : model.regions) {
            Bytes bytes;
            switch (region.kind) {
                case RegionKind::kDriverConstants:
                    bytes = model.constants;
                    break;
                case RegionKind::kConstantPool:
                    bytes.assign(pools[region.index].begin(), pools[region.index].end());
                    break;
                case RegionKind::kInput:
                    bytes = inputs[region.index];
                    break;
                case RegionKind::kScratch:
                    bytes.resize(region.sizeBytes);
                    scribble(bytes, noise);
                    std::fill_n(bytes.begin(), model.dynamicTensors.size() * sizeof(hw::DspShape),
                                std::byte{0});
                    break;
                case RegionKind::kOutput:
                    bytes.resize(sizeOf(model, region));
                    scribble(bytes, noise);
                    break;
            }
            bytes.resize(sizeOf(model, region));
            regions_.push_back(std::move(bytes));
        }
    }

    void execute(const hw::CommandView& command) {
        switch (command.header->opcode) {
            case hw::Opcode::kDmaTransfer:
                transfer(command.as<hw::DmaTransfer>());
                break;
            case hw::Opcode::kDmaFill:
                fill(command.as<hw::DmaFill>());
                break;
            case hw::Opcode::kMacConv:
                kernels::macConv(command.as<hw::MacConv>(), sram_.data(), accumulators_.data());
                break;
            case hw::Opcode::kVecPool:
                kernels::vecPool(command.as<hw::VecPool>(), sram_.data());
                break;
            case hw::Opcode::kVecEltwise:
                kernels::vecEltwise(command.as<hw::VecEltwise>(), sram_.data());
                break;
            case hw::Opcode::kVecUnary:
                kernels::vecUnary(command.as<hw::VecUnary>(), sram_.data());
                break;
            case hw::Opcode::kVecSoftmax:
                kernels::vecSoftmax(command.as<hw::VecSoftmax>(), sram_.data());
                break;
            case hw::Opcode::kVecReduce:
                kernels::vecReduce(command.as<hw::VecReduce>(), sram_.data());
                break;
            case hw::Opcode::kVecOperator:
                note(kernels::vecOperator(command.as<hw::VecOperator>(), sram_.data()));
                break;
            case hw::Opcode::kDspOperator:
                note(runDspOperator(command.as<hw::DspOperator>(),
                                    [this](const hw::MemoryRef& ref) { return spanAt(ref); }));
                break;
            default:
                break;
        }
    }

    const Bytes& region(std::size_t index) const { return regions_[index]; }

    /// The shape of a dynamic tensor as the device determined it.
    hw::DspShape shape(const CompiledModel& model, std::size_t index) const {
        hw::DspShape shape{};
        for (std::size_t r = 0; r < regions_.size(); ++r) {
            if (model.regions[r].kind == RegionKind::kScratch) {
                std::memcpy(&shape, &regions_[r][index * sizeof(shape)], sizeof(shape));
            }
        }
        return shape;
    }

    /// The reason for which a command failed; empty if none did.
    const std::string& problem() const { return problem_; }

    /// Overwrites everything as another job would, except bytes that the checkpoint declares live,
    /// and data restored by `reload`.
    void preempt(const hw::Checkpoint& checkpoint, const std::function<void()>& reload) {
        const Bytes sram = sram_;
        const Bytes accumulators = accumulators_;
        scribble(sram_, noise_);
        scribble(accumulators_, noise_);
        reload();
        for (std::uint32_t i = 0; i < checkpoint.rangeCount; ++i) {
            std::copy_n(&sram[checkpoint.ranges[i].offset], checkpoint.ranges[i].sizeBytes,
                        &sram_[checkpoint.ranges[i].offset]);
        }
        std::copy_n(accumulators.begin() + checkpoint.accumulatorOffset,
                    checkpoint.accumulatorBytes,
                    accumulators_.begin() + checkpoint.accumulatorOffset);
    }

    bool isTaken(const hw::Branch& branch) {
        if ((branch.flags & hw::kBranchAlways) != 0) {
            return true;
        }
        const bool isTrue = *at(branch.condition) != std::byte{0};
        return isTrue != ((branch.flags & hw::kBranchIfFalse) != 0);
    }

  private:
    /// Eight bytes at a time: a preemption scribbles over the whole SRAM.
    static void scribble(Bytes& bytes, std::mt19937_64& noise) {
        for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
            const std::uint64_t word = noise();
            std::memcpy(&bytes[i], &word, std::min(sizeof(word), bytes.size() - i));
        }
    }

    void note(const std::string& problem) {
        if (problem_.empty()) {
            problem_ = problem;
        }
    }

    std::span<std::byte> spanAt(const hw::MemoryRef& ref) {
        Bytes& home = regions_[ref.space];
        return std::span(home).subspan(std::min<std::uint64_t>(ref.offset, home.size()));
    }

    std::byte* at(const hw::MemoryRef& ref) {
        Bytes& home = ref.space == hw::kSpaceSram ? sram_ : regions_[ref.space];
        return home.data() + ref.offset;
    }

    template <typename Visit>
    static void forEachRow(const std::uint32_t* counts, Visit visit) {
        for (std::uint64_t i = 0; i < counts[0]; ++i) {
            for (std::uint64_t j = 0; j < counts[1]; ++j) {
                for (std::uint64_t k = 0; k < counts[2]; ++k) {
                    visit(i, j, k);
                }
            }
        }
    }

    void transfer(const hw::DmaTransfer& work) {
        const std::byte* source = at(work.source);
        std::byte* destination = at(work.destination);
        if (work.codedBytes != 0) {
            const auto decoded =
                    vnpu::test::referenceDecode({source, work.codedBytes}, work.rowBytes);
            if (!decoded) {
                problem_ = fmt::format("a damaged block of {} bytes", work.codedBytes);
                return;
            }
            std::copy(decoded->begin(), decoded->end(), destination);
            return;
        }
        forEachRow(work.counts, [&](std::uint64_t i, std::uint64_t j, std::uint64_t k) {
            const auto offset = [&](const std::uint32_t* strides) {
                return i * strides[0] + j * strides[1] + k * strides[2];
            };
            std::memmove(destination + offset(work.destinationStrides),
                         source + offset(work.sourceStrides), work.rowBytes);
        });
    }

    void fill(const hw::DmaFill& work) {
        std::byte* destination = at(work.destination);
        forEachRow(work.counts, [&](std::uint64_t i, std::uint64_t j, std::uint64_t k) {
            std::byte* row = destination + i * work.destinationStrides[0] +
                             j * work.destinationStrides[1] + k * work.destinationStrides[2];
            for (std::uint32_t b = 0; b < work.rowBytes; b += work.patternBytes) {
                std::memcpy(row + b, &work.pattern, work.patternBytes);
            }
        });
    }

    std::mt19937_64 noise_;
    Bytes sram_, accumulators_;
    std::vector<Bytes> regions_;
    std::string problem_;
};

using Queues = std::array<std::deque<hw::CommandView>, hw::kEngineCount>;
using Counts = std::array<std::uint32_t, hw::kEngineCount>;

bool isReady(const hw::CommandView& command, const Counts& finished) {
    for (unsigned i = 0; i < command.header->waitCount; ++i) {
        const hw::TokenWait wait = command.header->waits[i];
        if (finished[wait.engine] < wait.count) {
            return false;
        }
    }
    return true;
}

/// Reads and validates the stream; returns a sentence if it is invalid.
std::string readStream(const CompiledModel& model, const DeviceInfo& device,
                       std::vector<hw::CommandView>& commands) {
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint8_t> writable;
    for (const Region& region : model.regions) {
        sizes.push_back(sizeOf(model, region));
        writable.push_back(region.isWritable ? 1 : 0);
    }
    const hw::ValidationLimits limits{device.sramBytes, device.accumulatorBytes, sizes, writable};
    hw::CommandReader reader(model.commands);
    hw::CommandView view;
    while (reader.next(view)) {
        const hw::JobStatus status = hw::validateCommand(view, limits);
        if (status != hw::JobStatus::kOk) {
            return fmt::format("{}: {}", hw::jobStatusName(status), hw::disassemble(view));
        }
        if (!commands.empty() && commands.back().header->opcode == hw::Opcode::kEnd) {
            return "a command stands behind the end";
        }
        commands.push_back(view);
    }
    if (reader.status() != hw::JobStatus::kOk || commands.empty() ||
        commands.back().header->opcode != hw::Opcode::kEnd) {
        return "the stream is cut short";
    }
    return commands.size() == model.commandCount ? "" : "commandCount is wrong";
}

/// Dispatches in order, like the controller; queued commands run in any order that tokens allow.
class Controller {
  public:
    Controller(Machine& machine, std::span<const hw::CommandView> commands, std::uint32_t seed)
        : machine_(machine), commands_(commands), random_(seed) {}

    std::string run();

  private:
    std::string dispatch(const hw::CommandView& command);
    std::string drain();
    std::string step(const hw::CommandView& command, std::size_t& next);
    std::string preempt(const hw::Checkpoint& checkpoint);
    /// The command at this offset of the stream.
    auto find(std::size_t offset) const {
        return std::find_if(commands_.begin(), commands_.end(),
                            [&](const hw::CommandView& c) { return c.offset == offset; });
    }

    Machine& machine_;
    std::span<const hw::CommandView> commands_;
    std::minstd_rand random_;
    Queues queues_;
    Counts seen_{};
    Counts finished_{};
};

std::string Controller::run() {
    constexpr int kMostSteps = 1'000'000;  // an endless loop
    std::size_t next = 0;
    for (int steps = 0; steps < kMostSteps; ++steps) {
        const hw::CommandView& command = commands_[next++];
        const bool isControl = command.header->engine == hw::Engine::kController;
        std::string problem = isControl ? step(command, next) : dispatch(command);
        if (!problem.empty() || command.header->opcode == hw::Opcode::kEnd) {
            return problem;
        }
    }
    return "the stream does not come to its end";
}

std::string Controller::dispatch(const hw::CommandView& command) {
    if (!isReady(command, seen_)) {
        return fmt::format("waits for a later command: {}", hw::disassemble(command));
    }
    queues_[hw::engineIndex(command.header->engine)].push_back(command);
    ++seen_[hw::engineIndex(command.header->engine)];
    return "";
}

std::string Controller::step(const hw::CommandView& command, std::size_t& next) {
    if (std::string problem = drain(); !problem.empty()) {
        return problem;
    }
    const hw::Opcode opcode = command.header->opcode;
    if (opcode == hw::Opcode::kCheckpoint) {
        if (std::string problem = preempt(command.as<hw::Checkpoint>()); !problem.empty()) {
            return problem;
        }
    }
    if (opcode == hw::Opcode::kSegment || opcode == hw::Opcode::kLoop ||
        opcode == hw::Opcode::kBranch) {
        seen_ = finished_ = {};
    }
    if (opcode == hw::Opcode::kBranch && machine_.isTaken(command.as<hw::Branch>())) {
        const std::uint32_t target = command.as<hw::Branch>().target;
        const auto found = find(target);
        if (found == commands_.end()) {
            return fmt::format("no command begins at {}", target);
        }
        next = static_cast<std::size_t>(found - commands_.begin());
    }
    return "";
}

std::string Controller::preempt(const hw::Checkpoint& checkpoint) {
    std::string problem;
    machine_.preempt(checkpoint, [&] {
        for (std::uint32_t i = 0; i < checkpoint.reloadCount; ++i) {
            const auto found = find(checkpoint.reloads[i]);
            if (found == commands_.end() || found->header->opcode != hw::Opcode::kDmaTransfer) {
                problem = fmt::format("no transfer to repeat at {}", checkpoint.reloads[i]);
                return;
            }
            machine_.execute(*found);
        }
    });
    return problem;
}

std::string Controller::drain() {
    std::array<std::size_t, hw::kEngineCount> order{0, 1, 2, 3, 4, 5, 6, 7};
    while (true) {
        // A new order of preference from time to time, so that different engines run far ahead.
        if (random_() % 16 == 0) {
            std::shuffle(order.begin(), order.end(), random_);
        }
        const auto next = std::find_if(order.begin(), order.end(), [&](std::size_t engine) {
            return !queues_[engine].empty() && isReady(queues_[engine].front(), finished_);
        });
        if (next == order.end()) {
            break;
        }
        machine_.execute(queues_[*next].front());
        queues_[*next].pop_front();
        ++finished_[*next];
    }
    for (const auto& queue : queues_) {
        if (!queue.empty()) {
            return fmt::format("deadlock: {}", hw::disassemble(queue.front()));
        }
    }
    return machine_.problem();
}

}  // namespace

InterpretedRun interpret(const CompiledModel& model, const DeviceInfo& device,
                         std::span<const PoolView> pools, std::span<const Bytes> inputs,
                         std::uint32_t seed) {
    InterpretedRun run;
    std::vector<hw::CommandView> commands;
    run.error = readStream(model, device, commands);
    if (!run.error.empty()) {
        return run;
    }
    Machine machine(model, device, pools, inputs, seed);
    run.error = Controller(machine, commands, seed).run();
    if (!run.error.empty()) {
        return run;
    }
    run.outputs.resize(model.outputs.size());
    run.shapes.resize(model.outputs.size());
    for (std::size_t o = 0; o < model.outputs.size(); ++o) {
        run.shapes[o] = model.outputs[o].dimensions;
    }
    for (std::size_t r = 0; r < model.regions.size(); ++r) {
        if (model.regions[r].kind == RegionKind::kOutput) {
            run.outputs[model.regions[r].index] = machine.region(r);
        }
    }
    for (std::size_t i = 0; i < model.dynamicTensors.size(); ++i) {
        const std::uint32_t output = model.dynamicTensors[i].output;
        const auto shape = machine.shape(model, i);
        if (output != DynamicTensor::kInternal && shape.state == hw::kShapeKnown) {
            run.shapes[output].assign(shape.dimensions, shape.dimensions + shape.rank);
            run.outputs[output].resize(shape.neededBytes);
        }
    }
    return run;
}

}  // namespace vnpu::driver::test
