// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/command_writer.h"

namespace vnpu::hw::test {

// The job and device that the sample commands are valid for.
inline constexpr std::uint64_t kSramBytes = 64ULL * 1024;
inline constexpr std::uint64_t kAccumulatorBytes = 16ULL * 1024;
inline constexpr std::uint16_t kReadOnlyRegion = 0;  // 4096 bytes
inline constexpr std::uint16_t kWritableRegion = 1;  // 8192 bytes
inline constexpr std::uint16_t kVastRegion = 2;      // nearly 2^64 bytes, writable
inline constexpr std::array<std::uint64_t, 3> kRegionBytes = {4096, 8192, ~0ULL};
inline constexpr std::array<std::uint8_t, 3> kRegionWritable = {0, 1, 1};

inline ValidationLimits sampleLimits() {
    return {kSramBytes, kAccumulatorBytes, kRegionBytes, kRegionWritable};
}

inline MemoryRef inRegion(std::uint16_t region, std::uint64_t offset) {
    MemoryRef ref{};
    ref.space = region;
    ref.offset = offset;
    return ref;
}

inline MemoryRef inSram(std::uint64_t offset) {
    return inRegion(kSpaceSram, offset);
}

/// Four rows of 16 bytes, 64 apart, from the read-only region to SRAM, 32 apart.
inline DmaTransfer sampleTransfer() {
    DmaTransfer work{};
    work.source = inRegion(kReadOnlyRegion, 128);
    work.destination = inSram(0x100);
    work.rowBytes = 16;
    work.counts[0] = 1;
    work.counts[1] = 1;
    work.counts[2] = 4;
    work.sourceStrides[2] = 64;
    work.destinationStrides[2] = 32;
    return work;
}

/// Two rows of 64 bytes, 128 apart, in the writable region.
inline DmaFill sampleFill() {
    DmaFill work{};
    work.destination = inRegion(kWritableRegion, 256);
    work.rowBytes = 64;
    work.counts[0] = 1;
    work.counts[1] = 1;
    work.counts[2] = 2;
    work.destinationStrides[2] = 128;
    work.patternBytes = 4;
    work.pattern = 0xDEADBEEF;
    return work;
}

/// 3x3 convolution of 8x8x4 with padding 1 to 8x8x8, int8, per-channel scales, drained.
inline MacConv sampleConv() {
    MacConv work{};
    work.inputType = work.filterType = work.outputType = ElementType::kInt8;
    work.flags = kMacDrain;
    work.inputZeroPoint = -5;
    work.inputSram = 0x0000;   // 256 bytes
    work.filterSram = 0x1000;  // 288 bytes
    work.outputSram = 0x2000;  // 512 bytes
    work.inputHeight = work.inputWidth = 8;
    work.inputChannels = 4;
    work.inputPixelBytes = 4;
    work.inputRowBytes = 32;
    work.outputHeight = work.outputWidth = 8;
    work.outputChannels = 8;
    work.outputPixelBytes = 8;
    work.outputRowBytes = 64;
    work.filterHeight = work.filterWidth = 3;
    work.strideHeight = work.strideWidth = 1;
    work.dilationHeight = work.dilationWidth = 1;
    work.padTop = work.padLeft = 1;
    work.outputStage.zeroPoint = 3;
    work.outputStage.clampMin = -128;
    work.outputStage.clampMax = 127;
    work.outputStage.biasSram = 0x3000;
    work.outputStage.scaleSram = 0x3100;
    work.outputStage.flags = kOutputHasBias | kOutputPerChannel;
    return work;
}

/// 2x2 average of 8x8x16 to 4x4x16, uint8.
inline VecPool samplePool() {
    VecPool work{};
    work.type = ElementType::kUint8;
    work.kind = PoolKind::kAverage;
    work.inputSram = 0x400;
    work.outputSram = 0x1000;
    work.inputHeight = work.inputWidth = 8;
    work.channels = 16;
    work.outputHeight = work.outputWidth = 4;
    work.windowHeight = work.windowWidth = 2;
    work.strideHeight = work.strideWidth = 2;
    work.clampMin = 0;
    work.clampMax = 255;
    return work;
}

/// Addition of 1x4x4x8 and a vector of 8 that is broadcast, int8.
inline VecEltwise sampleEltwise() {
    VecEltwise work{};
    work.type = ElementType::kInt8;
    work.kind = EltwiseKind::kAdd;
    work.inputSram[0] = 0x100;
    work.inputSram[1] = 0x200;
    work.outputSram = 0x300;
    const std::uint32_t dims[4] = {1, 4, 4, 8};
    const std::uint32_t dense[4] = {128, 32, 8, 1};
    for (int d = 0; d < 4; ++d) {
        work.dims[d] = dims[d];
        work.strides[0][d] = dense[d];
    }
    work.strides[1][3] = 1;
    work.inputMultiplier[0] = work.inputMultiplier[1] = 1 << 30;
    work.leftShift = 20;
    work.outputStage.clampMin = -128;
    work.outputStage.clampMax = 127;
    work.outputStage.multiplier = 1 << 30;
    work.outputStage.shift = -18;
    return work;
}

/// 64 floats to uint8.
inline VecUnary sampleUnary() {
    VecUnary work{};
    work.inputType = ElementType::kFloat32;
    work.outputType = ElementType::kUint8;
    work.kind = UnaryKind::kQuantize;
    work.count = 64;
    work.inputSram = 0x100;
    work.outputSram = 0x400;
    work.scale = 0.5F;
    work.outputStage.zeroPoint = 128;
    work.outputStage.clampMax = 255;
    return work;
}

/// One row of 1000 classes, uint8.
inline VecSoftmax sampleSoftmax() {
    VecSoftmax work{};
    work.type = ElementType::kUint8;
    work.inputSram = 0x0;
    work.outputSram = 0x800;
    work.outer = 1;
    work.axis = 1000;
    work.inner = 1;
    work.inputMultiplier = 1 << 30;
    work.inputLeftShift = 23;
    work.diffMin = -248;
    return work;
}

/// Mean over height and width of 1x7x7x32, int8.
inline VecReduce sampleReduce() {
    VecReduce work{};
    work.type = ElementType::kInt8;
    work.reduceMask = 0b0110;
    work.inputSram = 0x0;
    work.outputSram = 0x1000;
    work.dims[0] = 1;
    work.dims[1] = work.dims[2] = 7;
    work.dims[3] = 32;
    work.inputZeroPoint = -128;
    return work;
}

inline VecOperand sampleTensor(std::uint32_t sram) {
    VecOperand operand{};
    operand.type = TensorType::kFloat32;
    operand.rank = 3;
    operand.sram = sram;
    operand.words[0] = 2;
    operand.words[1] = 5;
    operand.words[2] = 7;
    return operand;
}

/// Division of two tensors of 2x5x7 floats without a fused activation.
inline VecOperator sampleVecOperator() {
    VecOperator work{};
    work.op = Operator::kDiv;
    work.inputCount = 3;
    work.outputCount = 1;
    work.operands[0] = sampleTensor(0x100);
    work.operands[1] = sampleTensor(0x300);
    work.operands[2].type = TensorType::kInt32Scalar;
    work.operands[2].flags = kOperandImmediate;
    work.operands[2].count = 1;
    work.operands[3] = sampleTensor(0x500);
    return work;
}

/// A split into two, its three descriptors at the end of the read-only region.
inline DspOperator sampleDspOperator() {
    DspOperator work{};
    work.op = Operator::kSplit;
    work.inputCount = 1;
    work.outputCount = 2;
    work.descriptor = inRegion(kReadOnlyRegion, 4096 - 3 * sizeof(DspOperand));
    return work;
}

/// Back to byte 96 while a byte of the writable region is not zero.
inline Branch sampleBranch() {
    Branch work{};
    work.condition = inRegion(kWritableRegion, 8191);
    work.target = 96;
    work.loop = 63;
    work.flags = kBranchLoops;
    return work;
}

/// A checkpoint at which nothing is live.
inline Checkpoint emptyCheckpoint(std::uint32_t id) {
    Checkpoint work{};
    work.id = id;
    return work;
}

inline Checkpoint sampleCheckpoint() {
    Checkpoint work{};
    work.id = 7;
    work.flags = kCheckpointOperation;
    work.rangeCount = 2;
    work.ranges[0] = {64, 64};
    work.ranges[1] = {256, 32};
    work.accumulatorOffset = 128;
    work.accumulatorBytes = 256;
    work.reloadCount = 2;
    work.reloadBytes = 96;
    work.reloads[0] = 0;
    work.reloads[1] = 0x80;
    work.holdCycles = 500;
    return work;
}

inline Timestamp sampleTimestamp() {
    return {inRegion(kWritableRegion, 8184)};
}

/// Validates a writer's first command after `change` was applied to its header.
template <typename Change>
JobStatus validateFirst(std::vector<std::byte> bytes, Change change) {
    // The header may be changed so that it no longer frames: view it as the firmware would have.
    auto* header = reinterpret_cast<CommandHeader*>(bytes.data());
    change(*header);
    const CommandView view{header, bytes.data() + sizeof(CommandHeader), 0};
    return validateCommand(view, sampleLimits());
}

/// Validates one command of `Payload` on `engine`.
template <typename Payload>
JobStatus validate(Engine engine, const Payload& payload) {
    CommandWriter writer;
    writer.add({engine}, payload);
    return validateFirst(writer.takeBytes(), [](CommandHeader&) {});
}

}  // namespace vnpu::hw::test
