// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/compiler/stream_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <random>

#include "hw_model/kernels/kernels.h"
#include "hw_model/regs/command_reader.h"

namespace vnpu::driver::test {
namespace {

namespace kernels = hw::kernels;

/// All memories of one job.
class Machine {
  public:
    Machine(const CompiledModel& model, const DeviceInfo& device, std::span<const PoolView> pools,
            std::span<const Bytes> inputs, std::uint32_t seed)
        : sram_(device.sramBytes), accumulators_(device.accumulatorBytes) {
        std::minstd_rand noise(seed);
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
                case RegionKind::kOutput:
                    bytes.resize(region.sizeBytes);
                    scribble(bytes, noise);
                    break;
            }
            bytes.resize(region.sizeBytes);
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
            case hw::Opcode::kVecOperator:
                problem_ = kernels::vecOperator(command.as<hw::VecOperator>(), sram_.data());
                break;
            case hw::Opcode::kVecReduce:
                kernels::vecReduce(command.as<hw::VecReduce>(), sram_.data());
                break;
            default:
                break;
        }
    }

    /// What the latest operator complained about.
    const std::string& problem() const { return problem_; }

    const Bytes& region(std::size_t index) const { return regions_[index]; }

  private:
    static void scribble(Bytes& bytes, std::minstd_rand& noise) {
        for (std::byte& byte : bytes) {
            byte = static_cast<std::byte>(noise() >> 8);
        }
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

    std::string problem_;
    Bytes sram_, accumulators_;
    std::vector<Bytes> regions_;
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

/// Reads, validates and sorts the stream by engine; a sentence if something is wrong.
std::string readStream(const CompiledModel& model, const DeviceInfo& device, Queues& queues) {
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint8_t> writable;
    for (const Region& region : model.regions) {
        sizes.push_back(region.sizeBytes);
        writable.push_back(region.isWritable ? 1 : 0);
    }
    const hw::ValidationLimits limits{device.sramBytes, device.accumulatorBytes, sizes, writable};
    hw::CommandReader reader(model.commands);
    hw::CommandView view;
    Counts seen{};
    std::uint32_t count = 0;
    bool hasEnded = false;
    while (reader.next(view)) {
        const hw::JobStatus status = hw::validateCommand(view, limits);
        if (status != hw::JobStatus::kOk) {
            return fmt::format("{}: {}", hw::jobStatusName(status), hw::disassemble(view));
        }
        if (hasEnded) {
            return "a command stands behind the end";
        }
        if (!isReady(view, seen)) {
            return fmt::format("waits for a later command: {}", hw::disassemble(view));
        }
        ++count;
        hasEnded = view.header->opcode == hw::Opcode::kEnd;
        if (view.header->engine != hw::Engine::kController) {
            queues[hw::engineIndex(view.header->engine)].push_back(view);
            ++seen[hw::engineIndex(view.header->engine)];
        }
    }
    if (reader.status() != hw::JobStatus::kOk || !hasEnded) {
        return "the stream is cut short";
    }
    return count == model.commandCount ? "" : "commandCount is wrong";
}

}  // namespace

InterpretedRun interpret(const CompiledModel& model, const DeviceInfo& device,
                         std::span<const PoolView> pools, std::span<const Bytes> inputs,
                         std::uint32_t seed) {
    InterpretedRun run;
    Queues queues;
    run.error = readStream(model, device, queues);
    if (!run.error.empty()) {
        return run;
    }
    Machine machine(model, device, pools, inputs, seed);
    std::minstd_rand random(seed);
    std::array<std::size_t, hw::kEngineCount> order{0, 1, 2, 3, 4, 5, 6, 7};
    Counts finished{};
    while (true) {
        // A new order of preference now and then: one engine runs far ahead, then another.
        if (random() % 16 == 0) {
            std::shuffle(order.begin(), order.end(), random);
        }
        const auto next = std::find_if(order.begin(), order.end(), [&](std::size_t engine) {
            return !queues[engine].empty() && isReady(queues[engine].front(), finished);
        });
        if (next == order.end()) {
            break;
        }
        machine.execute(queues[*next].front());
        if (!machine.problem().empty()) {
            run.error = machine.problem();
            return run;
        }
        queues[*next].pop_front();
        ++finished[*next];
    }
    for (const auto& queue : queues) {
        if (!queue.empty()) {
            run.error = fmt::format("deadlock: {}", hw::disassemble(queue.front()));
            return run;
        }
    }
    run.outputs.resize(model.outputs.size());
    for (std::size_t r = 0; r < model.regions.size(); ++r) {
        if (model.regions[r].kind == RegionKind::kOutput) {
            run.outputs[model.regions[r].index] = machine.region(r);
        }
    }
    return run;
}

}  // namespace vnpu::driver::test
