// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>

#include "hw_model/regs/command_reader.h"

namespace vnpu::hw {
namespace {

using Line = std::back_insert_iterator<std::string>;

const char* typeName(ElementType type) {
    switch (type) {
        case ElementType::kInt8:
            return "int8";
        case ElementType::kUint8:
            return "uint8";
        case ElementType::kInt32:
            return "int32";
        case ElementType::kFloat32:
            return "float32";
    }
    return "?";
}

const char* poolName(PoolKind kind) {
    switch (kind) {
        case PoolKind::kAverage:
            return "average";
        case PoolKind::kMax:
            return "max";
    }
    return "?";
}

const char* eltwiseName(EltwiseKind kind) {
    switch (kind) {
        case EltwiseKind::kAdd:
            return "add";
        case EltwiseKind::kMul:
            return "mul";
    }
    return "?";
}

const char* unaryName(UnaryKind kind) {
    switch (kind) {
        case UnaryKind::kClamp:
            return "clamp";
        case UnaryKind::kLut:
            return "lut";
        case UnaryKind::kLogistic:
            return "logistic";
        case UnaryKind::kQuantize:
            return "quantize";
        case UnaryKind::kDequantize:
            return "dequantize";
        case UnaryKind::kRequantize:
            return "requantize";
    }
    return "?";
}

std::string place(const MemoryRef& ref) {
    return ref.space == kSpaceSram ? fmt::format("sram:0x{:x}", ref.offset)
                                   : fmt::format("region{}:0x{:x}", ref.space, ref.offset);
}

/// Prints counts and strides of repeated rows ("x3@0x40 x2@0x400"); nothing for a single row.
void printCounts(Line to, const std::uint32_t* counts, const std::uint32_t* from,
                 const std::uint32_t* into) {
    for (int d = 0; d < 3; ++d) {
        if (counts[d] == 1) {
            continue;
        }
        if (from != nullptr) {
            fmt::format_to(to, " x{}@{}->{}B", counts[d], from[d], into[d]);
        } else {
            fmt::format_to(to, " x{}@{}B", counts[d], into[d]);
        }
    }
}

void printClamp(Line to, ElementType type, std::int32_t low, std::int32_t high) {
    if (type == ElementType::kFloat32) {
        fmt::format_to(to, " clamp [{}, {}]", std::bit_cast<float>(low),
                       std::bit_cast<float>(high));
    } else {
        fmt::format_to(to, " clamp [{}, {}]", low, high);
    }
}

void printStage(Line to, ElementType type, const OutputStage& stage) {
    if (type != ElementType::kFloat32) {
        fmt::format_to(to, " zero {}", stage.zeroPoint);
        if ((stage.flags & kOutputPerChannel) != 0) {
            fmt::format_to(to, " scales sram:0x{:x}", stage.scaleSram);
        } else {
            fmt::format_to(to, " scale {}*2^{}", stage.multiplier, std::int64_t{stage.shift} - 31);
        }
    }
    if ((stage.flags & kOutputHasBias) != 0) {
        fmt::format_to(to, " bias sram:0x{:x}", stage.biasSram);
    }
    printClamp(to, type, stage.clampMin, stage.clampMax);
}

void print(Line to, const DmaTransfer& work) {
    fmt::format_to(to, " {} -> {} {}B", place(work.source), place(work.destination), work.rowBytes);
    if (isCoded(work)) {
        fmt::format_to(to, " from {}B coded", work.codedBytes);
        return;
    }
    printCounts(to, work.counts, work.sourceStrides, work.destinationStrides);
}

void print(Line to, const DmaFill& work) {
    fmt::format_to(to, " 0x{:x} ({}B) -> {} {}B", work.pattern, work.patternBytes,
                   place(work.destination), work.rowBytes);
    printCounts(to, work.counts, nullptr, work.destinationStrides);
}

void print(Line to, const MacConv& work) {
    fmt::format_to(to, " {} sram:0x{:x} {}x{}x{} pitch {}/{}B zero {}", typeName(work.inputType),
                   work.inputSram, work.inputHeight, work.inputWidth, work.inputChannels,
                   work.inputRowBytes, work.inputPixelBytes, work.inputZeroPoint);
    fmt::format_to(to, " * {}{} sram:0x{:x} {}x{}",
                   (work.flags & kMacDepthwise) != 0 ? "depthwise " : "", typeName(work.filterType),
                   work.filterSram, work.filterHeight, work.filterWidth);
    fmt::format_to(to, " zero {} stride {}x{} dilation {}x{} pad {},{}", work.filterZeroPoint,
                   work.strideHeight, work.strideWidth, work.dilationHeight, work.dilationWidth,
                   work.padTop, work.padLeft);
    if ((work.flags & kMacDepthwise) != 0) {
        fmt::format_to(to, " multiplier {}", work.depthMultiplier);
    }
    fmt::format_to(to, " {} acc:0x{:x} {}x{}x{}", (work.flags & kMacAccumulate) != 0 ? "+=" : "->",
                   work.accumulatorOffset, work.outputHeight, work.outputWidth,
                   work.outputChannels);
    if (work.blockHeight != 0) {
        fmt::format_to(to, " by {}x{}x{}", work.blockHeight, work.blockWidth, work.blockChannels);
    }
    if ((work.flags & kMacDrain) != 0) {
        fmt::format_to(to, " drain {} sram:0x{:x} pitch {}/{}B", typeName(work.outputType),
                       work.outputSram, work.outputRowBytes, work.outputPixelBytes);
        printStage(to, work.outputType, work.outputStage);
    }
}

void print(Line to, const VecPool& work) {
    fmt::format_to(to, " {} {} sram:0x{:x} {}x{}x{} -> sram:0x{:x} {}x{}", poolName(work.kind),
                   typeName(work.type), work.inputSram, work.inputHeight, work.inputWidth,
                   work.channels, work.outputSram, work.outputHeight, work.outputWidth);
    fmt::format_to(to, " window {}x{} stride {}x{} pad {},{}", work.windowHeight, work.windowWidth,
                   work.strideHeight, work.strideWidth, work.padTop, work.padLeft);
    printClamp(to, work.type, work.clampMin, work.clampMax);
}

void print(Line to, const VecEltwise& work) {
    fmt::format_to(to, " {} {} {}x{}x{}x{}", eltwiseName(work.kind), typeName(work.type),
                   work.dims[0], work.dims[1], work.dims[2], work.dims[3]);
    for (int i = 0; i < 2; ++i) {
        const std::uint32_t* strides = work.strides[i];
        fmt::format_to(to, "{} sram:0x{:x} step {},{},{},{}", i == 0 ? "" : ",", work.inputSram[i],
                       strides[0], strides[1], strides[2], strides[3]);
    }
    fmt::format_to(to, " -> sram:0x{:x}", work.outputSram);
    printStage(to, work.type, work.outputStage);
}

void print(Line to, const VecUnary& work) {
    fmt::format_to(to, " {} {} sram:0x{:x} -> {} sram:0x{:x} {} elements", unaryName(work.kind),
                   typeName(work.inputType), work.inputSram, typeName(work.outputType),
                   work.outputSram, work.count);
    switch (work.kind) {
        case UnaryKind::kLut:
            fmt::format_to(to, " table sram:0x{:x}", work.tableSram);
            break;
        case UnaryKind::kQuantize:
            fmt::format_to(to, " by {} zero {}", work.scale, work.outputStage.zeroPoint);
            printClamp(to, work.outputType, work.outputStage.clampMin, work.outputStage.clampMax);
            break;
        case UnaryKind::kDequantize:
            fmt::format_to(to, " by {} zero {}", work.scale, work.inputZeroPoint);
            break;
        case UnaryKind::kClamp:
        case UnaryKind::kRequantize:
            printStage(to, work.outputType, work.outputStage);
            break;
        case UnaryKind::kLogistic:
            break;
    }
}

void print(Line to, const VecSoftmax& work) {
    fmt::format_to(to, " {} sram:0x{:x} -> sram:0x{:x} {}x{}x{}", typeName(work.type),
                   work.inputSram, work.outputSram, work.outer, work.axis, work.inner);
}

void print(Line to, const VecReduce& work) {
    fmt::format_to(to, " mean {} sram:0x{:x} -> sram:0x{:x} {}x{}x{}x{} over", typeName(work.type),
                   work.inputSram, work.outputSram, work.dims[0], work.dims[1], work.dims[2],
                   work.dims[3]);
    for (int d = 0; d < 4; ++d) {
        if (((work.reduceMask >> d) & 1) != 0) {
            fmt::format_to(to, " {}", d);
        }
    }
}

void print(Line to, const VecOperator& work) {
    fmt::format_to(to, " {}", operatorName(work.op));
    for (std::uint32_t i = 0; i < std::uint32_t{work.inputCount} + work.outputCount; ++i) {
        if (i == work.inputCount) {
            fmt::format_to(to, " ->");
        }
        const VecOperand& operand = work.operands[std::min(i, kMaxVecOperands - 1)];
        fmt::format_to(to, " {}", tensorTypeName(operand.type));
        if ((operand.flags & kOperandOmitted) != 0) {
            fmt::format_to(to, ":none");
            continue;
        }
        const bool isImmediate = (operand.flags & kOperandImmediate) != 0;
        if (isImmediate) {
            fmt::format_to(to, "=");
        } else {
            fmt::format_to(to, " sram:0x{:x} ", operand.sram);
        }
        const std::uint32_t words = isImmediate ? operand.count : operand.rank;
        for (std::uint32_t d = 0; d < std::min<std::uint32_t>(words, 4); ++d) {
            fmt::format_to(to, "{}{}", d == 0 ? "" : "x", operand.words[d]);
        }
    }
}

void print(Line to, const DspOperator& work) {
    fmt::format_to(to, " {} {} -> {} operands at {}", operatorName(work.op), work.inputCount,
                   work.outputCount, place(work.descriptor));
}

void print(Line to, const Branch& work) {
    fmt::format_to(to, " to 0x{:06x}", work.target);
    if ((work.flags & kBranchAlways) == 0) {
        fmt::format_to(to, " if {}{}", (work.flags & kBranchIfFalse) != 0 ? "not " : "",
                       place(work.condition));
    }
    if ((work.flags & kBranchLoops) != 0) {
        fmt::format_to(to, " loop {}", work.loop);
    }
}

void print(Line to, const Checkpoint& work) {
    fmt::format_to(to, " {}", work.id);
    if ((work.flags & kCheckpointOperation) != 0) {
        fmt::format_to(to, " between operations");
    }
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(work.rangeCount, kMaxLiveRanges); ++i) {
        fmt::format_to(to, " {} {}", place({kSpaceSram, 0, 0, work.ranges[i].offset}),
                       work.ranges[i].sizeBytes);
    }
    if (work.accumulatorBytes != 0) {
        fmt::format_to(to, " acc+0x{:x} {}", work.accumulatorOffset, work.accumulatorBytes);
    }
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(work.reloadCount, kMaxReloads); ++i) {
        fmt::format_to(to, "{} 0x{:06x}", i == 0 ? " reloads" : "", work.reloads[i]);
    }
    if (work.holdCycles != 0) {
        fmt::format_to(to, " hold {}", work.holdCycles);
    }
}

void print(Line to, const Timestamp& work) {
    fmt::format_to(to, " -> {}", place(work.destination));
}

void print(Line to, const Loop& work) {
    fmt::format_to(to, " {}", work.loop);
}

void print(Line /*to*/, const NoPayload& /*work*/) {}

}  // namespace

std::string disassemble(const CommandView& command) {
    const CommandHeader& header = *command.header;
    std::string text;
    const Line to = std::back_inserter(text);
    fmt::format_to(to, "{:06x} {} {}", command.offset, engineName(header.engine),
                   opcodeName(header.opcode));
    withPayload(command, false, [&](const auto& work) {
        print(to, work);
        return true;
    });
    if (header.operation != kNoOperation) {
        fmt::format_to(to, " ; operation {} tile {}", header.operation, header.tile);
    }
    if (header.waitCount != 0) {
        text += " wait";
    }
    for (unsigned i = 0; i < header.waitCount && i < kMaxWaits; ++i) {
        const TokenWait wait = header.waits[i];
        const auto count = static_cast<unsigned>(wait.count);
        fmt::format_to(to, " {}>={}", engineName(static_cast<Engine>(wait.engine)), count);
    }
    return text;
}

}  // namespace vnpu::hw
