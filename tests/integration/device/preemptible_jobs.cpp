// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/device/preemptible_jobs.h"

#include <algorithm>
#include <cstring>

#include "firmware/api/save_area.h"
#include "tests/hw_model/blocks/job_bench.h"

namespace vnpu::test {

using namespace hw;

namespace {

CommandContext on(Engine engine, std::span<const TokenWait> waits = {}) {
    return {.engine = engine, .waits = waits};
}

std::byte small(std::size_t i) {
    return static_cast<std::byte>(static_cast<int>(i * 7 % 5) - 2);
}

}  // namespace

Checkpoint checkpointOf(std::uint32_t id, const std::vector<SramRange>& ranges,
                        std::uint32_t accumulatorBytes, std::uint32_t flags) {
    Checkpoint checkpoint{};
    checkpoint.id = id;
    checkpoint.flags = flags;
    checkpoint.rangeCount = static_cast<std::uint16_t>(ranges.size());
    checkpoint.accumulatorBytes = accumulatorBytes;
    std::copy(ranges.begin(), ranges.end(), std::begin(checkpoint.ranges));
    return checkpoint;
}

PreemptibleJob accumulatingJob(const ChangeCheckpoint& change) {
    constexpr std::uint32_t kRows = 64;
    constexpr std::uint32_t kColumns = 32;
    constexpr std::uint32_t kDepth = 32;
    constexpr std::uint32_t kInput = kRows * kDepth;
    constexpr std::uint32_t kFilter = kColumns * kDepth;
    constexpr std::uint32_t kOutput = kRows * kColumns;
    PreemptibleJob job;
    job.regionBytes = 0x10000;
    job.outputOffset = 0x8000;
    job.outputBytes = kOutput;
    job.checkpoints = 3;
    job.fill = [](std::byte* region) {
        for (std::size_t i = 0; i < 0x4000; ++i) {
            region[i] = small(i + i / 97);
        }
    };
    CommandWriter& writer = job.writer;
    const auto add = [&](Checkpoint checkpoint) {
        if (change) {
            change(checkpoint);
        }
        writer.add({}, checkpoint);
    };
    writer.add(on(Engine::kDma0), copyBytes(inRegion(0x0000), inSram(0), kInput));
    writer.add(on(Engine::kDma0), copyBytes(inRegion(0x2000), inSram(8192), kInput));
    writer.add(on(Engine::kDma1), copyBytes(inRegion(0x1000), inSram(4096), kFilter));
    writer.add(on(Engine::kDma1), copyBytes(inRegion(0x3000), inSram(12288), kFilter));
    MacConv first = gemm(kRows, kColumns, kDepth, 0, 4096, 16384);
    first.flags = 0;
    const TokenWait loaded1[] = {waitFor(Engine::kDma0, 1), waitFor(Engine::kDma1, 1)};
    writer.add(on(Engine::kMac, loaded1), first);
    add(checkpointOf(0, {{8192, kInput}, {12288, kFilter}}, kOutput * 4));
    MacConv second = gemm(kRows, kColumns, kDepth, 8192, 12288, 16384);
    second.flags = kMacAccumulate | kMacDrain;
    const TokenWait loaded2[] = {waitFor(Engine::kDma0, 2), waitFor(Engine::kDma1, 2)};
    writer.add(on(Engine::kMac, loaded2), second);
    add(checkpointOf(1, {{16384, kOutput}}, 0, kCheckpointOperation));
    const TokenWait product[] = {waitFor(Engine::kMac, 2)};
    writer.add(on(Engine::kVector, product), clampBytes(16384, 20480, kOutput));
    add(checkpointOf(2, {{20480, kOutput}}));
    const TokenWait clamped[] = {waitFor(Engine::kVector, 1)};
    writer.add(on(Engine::kDma2, clamped), copyBytes(inSram(20480), inRegion(0x8000), kOutput));
    writer.add({}, Opcode::kEnd);
    return job;
}

PreemptibleJob loopingJob() {
    constexpr std::uint32_t kBytes = 1024;
    PreemptibleJob job;
    job.regionBytes = 0x10000;
    job.outputOffset = 0x2000;
    job.outputBytes = kBytes;
    job.checkpoints = 3;
    job.fill = [](std::byte* region) {
        for (std::size_t i = 0; i < kBytes; ++i) {
            region[i] = static_cast<std::byte>(i * 37 + i / 7);
        }
        // Each pass takes the next of these as its condition: twice more, then out.
        const std::uint8_t conditions[] = {9, 1, 1, 0, 0, 0, 0, 0, 0};
        std::transform(std::begin(conditions), std::end(conditions), region + 0x3000,
                       [](std::uint8_t value) { return std::byte{value}; });
    };
    CommandWriter& writer = job.writer;
    writer.add(on(Engine::kDma0), copyBytes(inRegion(0), inSram(0), kBytes));
    // A copy, because the job may restart.
    writer.add(on(Engine::kDma3), copyBytes(inRegion(0x3000), inRegion(0x1000), 9));
    writer.add({}, Loop{0, 0});
    const auto body = static_cast<std::uint32_t>(writer.bytes().size());
    writer.add(on(Engine::kDma0), copyBytes(inSram(0), inSram(2048), kBytes));
    writer.add(on(Engine::kDma0), copyBytes(inSram(2049), inSram(0), kBytes - 1));
    writer.add(on(Engine::kDma0), copyBytes(inSram(2048), inSram(kBytes - 1), 1));
    writer.add({}, checkpointOf(0, {{0, kBytes}}));
    const TokenWait rotated[] = {waitFor(Engine::kDma0, 3)};
    writer.add(on(Engine::kDma3, rotated), copyBytes(inRegion(0x1001), inRegion(0x1000), 8));
    Branch branch{};
    branch.condition = inRegion(0x1000);
    branch.target = body;
    branch.flags = kBranchLoops;
    writer.add({}, branch);
    writer.add(on(Engine::kDma2), copyBytes(inSram(0), inRegion(0x2000), kBytes));
    writer.add({}, Opcode::kEnd);
    return job;
}

PreemptibleJob operatorJob(std::uint32_t elements) {
    const std::uint32_t bytes = elements * 4;
    constexpr std::uint64_t kData = 0x1000;
    const auto tensorAt = [=](std::uint64_t place) {
        DspOperand operand{};
        operand.type = TensorType::kFloat32;
        operand.rank = 1;
        operand.dimensions[0] = elements;
        operand.data = inRegion(kData + place * bytes);
        operand.capacityBytes = bytes;
        return operand;
    };
    PreemptibleJob job;
    job.regionBytes = kData + 4ULL * bytes;
    job.outputOffset = kData + 3ULL * bytes;
    job.outputBytes = bytes;
    job.checkpoints = 3;
    job.fill = [=](std::byte* region) {
        const DspOperand operands[] = {tensorAt(0), tensorAt(1), tensorAt(2), tensorAt(3)};
        std::memcpy(region, operands, sizeof(operands));
        for (std::uint32_t i = 0; i < elements; ++i) {
            const float value = static_cast<float>(i) * 0.75F - 100.0F;
            std::memcpy(region + kData + i * sizeof(value), &value, sizeof(value));
        }
    };
    DspOperator floor{};
    floor.op = Operator::kFloor;
    floor.inputCount = floor.outputCount = 1;
    floor.descriptor = inRegion(0);
    CommandWriter& writer = job.writer;
    writer.add(on(Engine::kDsp), floor);
    writer.add({}, checkpointOf(0, {}, 0, kCheckpointOperation));
    const TokenWait first[] = {waitFor(Engine::kDsp, 1)};
    writer.add(on(Engine::kDma0, first), copyBytes(inRegion(kData + bytes), inSram(0), bytes));
    writer.add({}, checkpointOf(1, {{0, bytes}}));
    const TokenWait loaded[] = {waitFor(Engine::kDma0, 1)};
    writer.add(on(Engine::kDma2, loaded),
               copyBytes(inSram(0), inRegion(kData + 2ULL * bytes), bytes));
    floor.descriptor = inRegion(2 * sizeof(DspOperand));
    const TokenWait stored[] = {waitFor(Engine::kDma2, 1)};
    writer.add(on(Engine::kDsp, stored), floor);
    writer.add({}, checkpointOf(2, {}, 0, kCheckpointOperation));
    writer.add({}, Opcode::kEnd);
    return job;
}

PreemptibleJob copyingJob(std::uint32_t bytes, std::uint32_t accumulatorBytes,
                          std::uint32_t idleFills, std::uint32_t sramOffset) {
    PreemptibleJob job;
    job.regionBytes = std::uint64_t{2} * bytes;
    job.outputOffset = bytes;
    job.outputBytes = bytes;
    job.checkpoints = 1;
    job.fill = [bytes](std::byte* region) {
        for (std::size_t i = 0; i < bytes; ++i) {
            region[i] = static_cast<std::byte>(i * 13 + (i >> 8));
        }
    };
    CommandWriter& writer = job.writer;
    writer.add(on(Engine::kDma0), copyBytes(inRegion(0), inSram(sramOffset), bytes));
    const TokenWait loaded[] = {waitFor(Engine::kDma0, 1)};
    writer.add({.waits = loaded},
               checkpointOf(0, {{sramOffset, bytes}}, accumulatorBytes, kCheckpointOperation));
    for (std::uint32_t i = 0; i < idleFills; ++i) {
        writer.add(on(Engine::kDma1, loaded), fillBytes(inSram(sramOffset + bytes), 1024, i, 4));
    }
    writer.add(on(Engine::kDma2, loaded), copyBytes(inSram(sramOffset), inRegion(bytes), bytes));
    writer.add({}, Opcode::kEnd);
    return job;
}

PlacedJob place(FirmwareBench& bench, const PreemptibleJob& job, std::uint64_t jobId) {
    PlacedJob placed;
    placed.regionBus = bench.allocate(job.regionBytes);
    job.fill(bench.memory.at(placed.regionBus));
    placed.slot = bench.makeJob(jobId, job.writer, placed.regionBus, job.regionBytes);
    const NpuConfig config;
    placed.saveBus = bench.addSaveArea(
            placed.slot, fw::saveAreaBytes(std::uint64_t{config.sram.kib} * 1024,
                                           std::uint64_t{config.mac.accumulatorKib} * 1024));
    return placed;
}

NpuConfig poisoningConfig() {
    NpuConfig config;
    config.poisonOnChip = true;
    return config;
}

}  // namespace vnpu::test
