// SPDX-License-Identifier: Apache-2.0
#pragma once

// The command stream, version 5: what the driver writes, the firmware validates and dispatches, and
// the engines execute. A stream is a sequence of commands, each a CommandHeader and the payload of
// its opcode, 8-byte aligned, little endian, ended by one kEnd. Addresses are a region of the job
// plus an offset, or an offset into the on-chip SRAM. Every size and count is in the unit that its
// name says.

#include <cstdint>
#include <type_traits>

#include "hw_model/regs/engines.h"
#include "hw_model/regs/operators.h"
#include "hw_model/regs/tensor_type.h"

namespace vnpu::hw {

/// Incremented with every change of layout or meaning below that older streams or devices do not
/// bear; the register COMMAND_STREAM_VERSION holds the device's version.
inline constexpr std::uint32_t kCommandStreamVersion = 5;

inline constexpr std::uint32_t kMaxCommandBytes =
        384;                                   // chosen: a command fits six 64-byte fetches
inline constexpr std::uint32_t kMaxWaits = 6;  // chosen: every other engine but the controller
inline constexpr std::uint32_t kMaxRegions =
        64;  // chosen: the pools of one request, constants and scratch
inline constexpr std::uint32_t kNoOperation =
        0xFFFFFFFF;  // CommandHeader::operation of a command that belongs to no operation
/// Flag in a region's address in the job's table (JOB_REGION_TABLE): engines must not write the
/// region.
inline constexpr std::uint64_t kRegionReadOnly = 1ULL << 63;
inline constexpr std::uint16_t kSpaceSram = 0xFFFF;  // value of MemoryRef::space for on-chip SRAM
/// Value of MemoryRef::space for the accumulator memory; only for the transfers by which the
/// firmware saves and restores a job. A stream that contains it is refused.
inline constexpr std::uint16_t kSpaceAccumulators = 0xFFFE;
/// The same for the local state of a DSP operator that stopped at a yield point (CONFIG_DSP_STATE).
inline constexpr std::uint16_t kSpaceDspState = 0xFFFD;
inline constexpr std::uint32_t kMaxDspStateBytes =
        16384;  // chosen: registers and a few buffers of one 4 KiB page

/// The commands, as opcodes.def lists them.
enum class Opcode : std::uint16_t {
#define VNPU_OPCODE(op, code, ...) op = (code),
#include "hw_model/regs/opcodes.def"
};

/// Element types of the engines' operands.
enum class ElementType : std::uint8_t { kInt8 = 0, kUint8 = 1, kInt32 = 2, kFloat32 = 3 };

constexpr std::uint32_t elementBytes(ElementType type) {
    return type == ElementType::kInt8 || type == ElementType::kUint8 ? 1 : 4;
}

/// A command starts when the token count of `engine` has reached `count`, i.e. when that engine has
/// finished `count` commands of this job. Counts start at zero for every job.
struct TokenWait {
    std::uint32_t count : 24;
    std::uint32_t engine : 8;
};
static_assert(sizeof(TokenWait) == 4);

struct CommandHeader {
    Opcode opcode;
    std::uint16_t sizeBytes;  // header and payload, a multiple of 8
    Engine engine;            // which engine executes it; kController for the control commands
    std::uint8_t waitCount;   // used entries of waits, at most one per engine
    std::uint16_t flags;      // reserved, 0
    std::uint32_t operation;  // index of the model operation, or kNoOperation
    std::uint32_t tile;       // index of the tile within the operation; informative
    std::uint64_t reserved;   // 0
    TokenWait waits[kMaxWaits];
};
static_assert(sizeof(CommandHeader) == 48);

/// A byte address: offset into region `space` of the job, or into SRAM.
struct MemoryRef {
    std::uint16_t space;
    std::uint16_t reserved0;
    std::uint32_t reserved1;
    std::uint64_t offset;
};
static_assert(sizeof(MemoryRef) == 16);

/// Copies counts[0] x counts[1] x counts[2] rows of rowBytes; row (i, j, k) starts at ref.offset +
/// i*stride[0] + j*stride[1] + k*stride[2] on either side. Source strides may be zero or make rows
/// overlap. All directions are possible: region to SRAM, SRAM to region, region to region, SRAM to
/// SRAM. With codedBytes, which only devices with a decoder take (CONFIG_DMA), the source is one
/// block of so many bytes (weight_code.h) in a region, which the channel decodes into the one row
/// of the destination in SRAM; the counts are 1.
struct DmaTransfer {
    MemoryRef source;
    MemoryRef destination;
    std::uint32_t rowBytes;               // at least 1
    std::uint32_t counts[3];              // each at least 1
    std::uint32_t sourceStrides[3];       // bytes
    std::uint32_t destinationStrides[3];  // bytes
    std::uint32_t codedBytes;             // of the block at the source; 0: the rows themselves
    std::uint32_t reserved;
};
static_assert(sizeof(DmaTransfer) == 80);

constexpr bool isCoded(const DmaTransfer& work) {
    return work.codedBytes != 0;
}

/// Fills rows, laid out as in DmaTransfer, with a repeated pattern.
struct DmaFill {
    MemoryRef destination;
    std::uint32_t rowBytes;
    std::uint32_t counts[3];
    std::uint32_t destinationStrides[3];
    std::uint32_t patternBytes;  // 1 or 4; rowBytes is a multiple of it
    std::uint32_t pattern;       // low byte, or the whole little-endian word
    std::uint32_t reserved;
};
static_assert(sizeof(DmaFill) == 56);

/// Converts accumulators or wide intermediates to stored elements: for the 8-bit types
/// clamp(zeroPoint + round(acc * multiplier * 2^(shift-31))), rounded like the TFLite reference
/// (saturating rounding doubling high multiply, then rounding divide by a power of two: "double
/// rounding"); for float32 clamp(acc).
struct OutputStage {
    std::int32_t zeroPoint;
    std::int32_t clampMin;  // float32: the bits of the float
    std::int32_t clampMax;
    std::int32_t multiplier;  // Q31, used without a scale table
    std::int32_t shift;       // left if positive; used without a scale table
    std::uint32_t biasSram;   // int32 or float32 per output channel
    std::uint32_t scaleSram;  // per output channel {int32 multiplier, int32 shift}
    std::uint32_t flags;      // kOutput*
};
static_assert(sizeof(OutputStage) == 32);

inline constexpr std::uint32_t kOutputHasBias = 1U << 0;
inline constexpr std::uint32_t kOutputPerChannel = 1U << 1;  // read scaleSram
inline constexpr std::uint32_t kOutputBiasBytes = 4;         // per channel
inline constexpr std::uint32_t kOutputScaleBytes = 8;        // per channel

/// Convolution of one tile in SRAM on the MAC array. Tensors are dense NHWC without the batch:
///   input: [inputHeight][inputWidth][inputChannels]; strides inputRowBytes, inputPixelBytes
///   filter, normal: dense [outputChannels][filterHeight][filterWidth][inputChannels]
///   filter, depthwise: dense [filterHeight][filterWidth][outputChannels]
///   output: [outputHeight][outputWidth][outputChannels]; strides outputRowBytes, outputPixelBytes
/// Output pixel (y, x) reads input row y*strideHeight - padTop + ky*dilationHeight (columns
/// likewise); positions outside the input read as inputZeroPoint. Depthwise: output channel c reads
/// input channel c / depthMultiplier. Accumulators are 32-bit
/// [outputHeight*outputWidth][outputChannels] at accumulatorOffset of the accumulator memory. With
/// kMacAccumulate the command adds to their values, otherwise it starts from zero. With kMacDrain
/// they go through the output stage to outputSram and are undefined afterwards; otherwise they stay
/// for the next command. A matrix product M x K x N is outputHeight = M, outputWidth = 1,
/// inputHeight = M, filter 1 x 1, K channels, N channels.
///
/// Blocks. The array computes blockHeight x blockWidth x blockChannels results at a time (0, 0, 0:
/// all of them); channels are the outermost loop, then rows, then columns. A command of several
/// blocks must drain and must not accumulate. Its blocks alternate between the two halves of the
/// accumulator memory, so accumulatorOffset must be 0 and a block must fit into one half. Early
/// blocks are stored before late ones are computed: the output must not overlap what the command
/// reads.
struct MacConv {
    ElementType inputType;   // kInt8, kUint8 or kFloat32
    ElementType filterType;  // kFloat32 with kFloat32, else kInt8 or kUint8
    ElementType outputType;  // kInt8 or kUint8 or kFloat32, as inputType's class
    std::uint8_t reserved0;
    std::uint32_t flags;  // kMac*
    std::int32_t inputZeroPoint;
    std::int32_t filterZeroPoint;
    std::uint32_t inputSram;
    std::uint32_t filterSram;
    std::uint32_t outputSram;
    std::uint32_t accumulatorOffset;  // bytes
    std::uint32_t inputHeight, inputWidth, inputChannels;
    std::uint32_t inputRowBytes, inputPixelBytes;
    std::uint32_t outputHeight, outputWidth, outputChannels;
    std::uint32_t outputRowBytes, outputPixelBytes;
    std::uint16_t filterHeight, filterWidth;
    std::uint16_t strideHeight, strideWidth;
    std::uint16_t dilationHeight, dilationWidth;
    std::int32_t padTop, padLeft;  // may be negative: the tile starts inside the loaded rows
    std::uint32_t depthMultiplier;
    std::uint32_t blockHeight, blockWidth, blockChannels;
    std::uint32_t reserved1;
    OutputStage outputStage;
};
static_assert(sizeof(MacConv) == 144);

/// The number of blocks along each axis of a command's output.
struct MacBlocks {
    std::uint32_t rows = 1, columns = 1, channels = 1;

    std::uint64_t count() const { return std::uint64_t{rows} * columns * channels; }
};

constexpr MacBlocks blocksOf(const MacConv& work) {
    if (work.blockHeight == 0 || work.blockWidth == 0 || work.blockChannels == 0) {
        return {};
    }
    const auto parts = [](std::uint32_t extent, std::uint32_t part) {
        return extent / part + (extent % part != 0 ? 1 : 0);
    };
    return {parts(work.outputHeight, work.blockHeight), parts(work.outputWidth, work.blockWidth),
            parts(work.outputChannels, work.blockChannels)};
}

inline constexpr std::uint32_t kMacDepthwise = 1U << 0;
inline constexpr std::uint32_t kMacAccumulate = 1U << 1;
inline constexpr std::uint32_t kMacDrain = 1U << 2;

/// Whether the command takes sums from the accumulators or leaves sums there for another command.
constexpr bool keepsSums(const MacConv& work) {
    return (work.flags & kMacDrain) == 0 || (work.flags & kMacAccumulate) != 0;
}

enum class PoolKind : std::uint8_t { kAverage = 0, kMax = 1 };

/// Pooling of one dense NHWC tile (no batch) in SRAM. Windows are clipped to the input; the average
/// divides by the number of elements inside it. 8-bit averages round half away from zero. The clamp
/// is in stored units.
struct VecPool {
    ElementType type;
    PoolKind kind;
    std::uint16_t reserved0;
    std::uint32_t inputSram, outputSram;
    std::uint32_t inputHeight, inputWidth, channels;
    std::uint32_t outputHeight, outputWidth;
    std::uint16_t windowHeight, windowWidth;
    std::uint16_t strideHeight, strideWidth;
    std::int32_t padTop, padLeft;
    std::int32_t clampMin, clampMax;  // float32: the bits of the float
};
static_assert(sizeof(VecPool) == 56);

enum class EltwiseKind : std::uint8_t { kAdd = 0, kMul = 1 };

/// Element-wise operation of two SRAM operands over dims[0..3], outer to inner; the output is
/// dense. Strides are in elements, 0 if the operand is broadcast. 8-bit ADD follows the TFLite
/// reference: each operand, after subtraction of its zero point, is shifted left by leftShift and
/// scaled by its multiplier; the sum is scaled by the output stage's multiplier. MUL scales the
/// product of the operands, without their zero points, by the output stage's multiplier.
struct VecEltwise {
    ElementType type;
    EltwiseKind kind;
    std::uint16_t reserved0;
    std::uint32_t inputSram[2];
    std::uint32_t outputSram;
    std::uint32_t dims[4];
    std::uint32_t strides[2][4];
    std::int32_t inputZeroPoint[2];
    std::int32_t inputMultiplier[2];
    std::int32_t inputShift[2];
    std::int32_t leftShift;
    std::uint32_t reserved1;
    OutputStage outputStage;  // no bias, no table
};
static_assert(sizeof(VecEltwise) == 128);

enum class UnaryKind : std::uint8_t {
    kClamp = 0,       // same type; the output stage's clamp
    kLut = 1,         // 8 bit to 8 bit through 256 bytes at tableSram, indexed by the stored byte
    kLogistic = 2,    // float32
    kQuantize = 3,    // float32 to 8 bit: clamp(round half away(x / scale) + zeroPoint)
    kDequantize = 4,  // 8 bit to float32: (q - inputZeroPoint) * scale
    kRequantize = 5,  // 8 bit to 8 bit: the output stage applied to (q - inputZeroPoint)
};

/// Element-wise function over `count` dense elements.
struct VecUnary {
    ElementType inputType, outputType;
    UnaryKind kind;
    std::uint8_t reserved0;
    std::uint32_t count;
    std::uint32_t inputSram, outputSram, tableSram;
    std::int32_t inputZeroPoint;
    float scale;
    std::uint32_t reserved1;
    OutputStage outputStage;
};
static_assert(sizeof(VecUnary) == 64);

/// Softmax over the middle dimension of [outer][axis][inner], dense. 8 bit: the TFLite reference's
/// fixed-point algorithm with 5 integer bits for the difference and 12 for the sum;
/// inputMultiplier/inputLeftShift scale beta * inputScale; differences below diffMin count as zero;
/// output scale 1/256 and zero point 0 (kUint8) or -128 (kInt8).
struct VecSoftmax {
    ElementType type;
    std::uint8_t reserved0[3];
    std::uint32_t inputSram, outputSram;
    std::uint32_t outer, axis, inner;
    std::int32_t inputMultiplier, inputLeftShift, diffMin;
    float beta;  // float32 only
};
static_assert(sizeof(VecSoftmax) == 40);

/// Mean over the reduced dimensions of a dense tensor dims[0..3]; dimension d is reduced if bit d
/// of reduceMask is set. The output is dense over the remaining dimensions. 8 bit: same scale and
/// zero point on both sides; the mean of the stored values is rounded half away from zero relative
/// to inputZeroPoint.
struct VecReduce {
    ElementType type;
    std::uint8_t reduceMask;
    std::uint16_t reserved0;
    std::uint32_t inputSram, outputSram;
    std::uint32_t dims[4];
    std::int32_t inputZeroPoint;
    std::uint32_t reserved1[2];
};
static_assert(sizeof(VecReduce) == 40);

/// Destination of kTimestamp: 8 bytes for the cycle counter at the time when every earlier command
/// has been dispatched.
struct Timestamp {
    MemoryRef destination;
};
static_assert(sizeof(Timestamp) == 16);

/// Bytes [offset, offset + sizeBytes) of the SRAM.
struct SramRange {
    std::uint32_t offset;
    std::uint32_t sizeBytes;
};
static_assert(sizeof(SramRange) == 8);

inline constexpr std::uint32_t kMaxLiveRanges =
        8;  // chosen: the compiler merges the nearest ranges beyond it
inline constexpr std::uint32_t kMaxReloads =
        16;  // chosen: weights, biases and tables of a few operations ahead

/// A place where a job may be preempted. It costs almost nothing unless preemption has been
/// requested; then every command before it is finished, the live bytes are saved, and the job later
/// resumes after it. Live bytes are those that later commands read before any of them writes them.
/// `ranges` and the accumulators are saved. Live bytes that still exist in memory are not saved;
/// before the ranges are restored, the transfers that loaded them are repeated completely.
struct Checkpoint {
    std::uint32_t id;           // increases along the stream
    std::uint32_t flags;        // kCheckpoint*
    std::uint16_t rangeCount;   // used entries of ranges; the others are zero
    std::uint16_t reloadCount;  // used entries of reloads; the others are zero
    std::uint32_t accumulatorOffset;
    std::uint32_t accumulatorBytes;    // live bytes from the start of the accumulators, 0: none
    std::uint32_t reloadBytes;         // total bytes of the reloads, for estimates
    SramRange ranges[kMaxLiveRanges];  // ascending, not empty, not overlapping
    /// Stream offsets of kDmaTransfers from memory to SRAM, ascending, before the checkpoint. No
    /// two of them write the same byte.
    std::uint32_t reloads[kMaxReloads];
    /// Expected cycles from the end of the waits until the first later command begins. While the
    /// job may be preempted, the controller stays here for that time, so that no engine has more
    /// than one command queued when another job arrives.
    std::uint32_t holdCycles;
    std::uint32_t reserved;
};
static_assert(sizeof(Checkpoint) == 160);

inline constexpr std::uint32_t kCheckpointOperation =
        1U << 0;  // every operation is either complete or not begun here

/// Loops of one job, by number.
inline constexpr std::uint32_t kMaxLoops = 64;  // chosen: one bit of a word each; nesting is rare

struct Loop {
    std::uint32_t loop;  // below kMaxLoops
    std::uint32_t reserved;
};
static_assert(sizeof(Loop) == 8);

/// A jump: if the condition holds, the controller continues at `target`, the byte offset of a
/// command in the stream, otherwise with the next command. A branch with kBranchLoops first checks
/// the time since the last Loop of the same number: above the job's limit it ends the job with
/// kLoopTimeout.
struct Branch {
    MemoryRef condition;   // one byte, true unless zero; all zeros with kBranchAlways
    std::uint32_t target;  // multiple of 8
    std::uint32_t loop;    // with kBranchLoops, else 0
    std::uint32_t flags;   // kBranch*
    std::uint32_t reserved;
};
static_assert(sizeof(Branch) == 32);

inline constexpr std::uint32_t kBranchAlways = 1U << 0;
inline constexpr std::uint32_t kBranchIfFalse = 1U << 1;  // the condition holds if the byte is zero
inline constexpr std::uint32_t kBranchLoops = 1U << 2;

/// An operand of VecOperator: a dense tensor in SRAM, or with kOperandImmediate a value in `words`:
/// a scalar (rank 0) or an int32 vector of up to four elements (rank 1, `count`).
struct VecOperand {
    TensorType type;
    std::uint8_t rank;       // up to 4
    std::uint8_t flags;      // kOperand*
    std::uint8_t count;      // elements of an immediate, else 0
    std::uint32_t sram;      // 0 for an immediate
    std::uint32_t words[4];  // extents, outermost first, or the immediate; unused words are 0
    float scale;
    std::int32_t zeroPoint;
};
static_assert(sizeof(VecOperand) == 32);

inline constexpr std::uint8_t kOperandImmediate = 1U << 0;
inline constexpr std::uint8_t kOperandOmitted = 1U << 1;  // all fields except the type are 0
inline constexpr std::uint8_t kOperandDynamic = 1U
                                                << 2;  // DspOperand: the dimensions are in `shape`
inline constexpr std::uint32_t kMaxVecOperands = 10;

/// An operator on tensors in SRAM, executed by the vector unit: operands in the operator's order,
/// inputs first. Outputs must have exactly the dimensions that the operator computes.
struct VecOperator {
    Operator op;  // isVectorOperator()
    std::uint8_t inputCount;
    std::uint8_t outputCount;
    std::uint32_t reserved0;
    std::uint64_t reserved1;
    VecOperand operands[kMaxVecOperands];  // unused ones are zero
};
static_assert(sizeof(VecOperator) == kMaxCommandBytes - sizeof(CommandHeader));

/// An operator on tensors in memory, executed by the DSP. `descriptor` refers to an array of
/// inputCount + outputCount DspOperands, 8-byte aligned.
struct DspOperator {
    Operator op;
    std::uint16_t inputCount;
    std::uint16_t outputCount;
    std::uint16_t reserved0;
    MemoryRef descriptor;
};
static_assert(sizeof(DspOperator) == 24);

inline constexpr std::uint32_t kMaxDspOperands = 256;  // chosen: a concatenation of very many parts

/// An operand of DspOperator. The DSP, not the controller, checks what it refers to. Dimensions of
/// an output may be open: 0, or of any rank with kAnyRank; the computed dimensions must match the
/// others.
struct DspOperand {
    MemoryRef data;
    MemoryRef shape;   // kOperandDynamic: a DspShape, read for inputs and written for outputs
    MemoryRef scales;  // channelCount floats
    std::uint64_t capacityBytes;  // room at `data`; less if the region ends before
    std::uint32_t dimensions[kMaxTensorRank];
    float scale;
    std::int32_t zeroPoint;
    std::uint32_t channelCount;  // of a quant8-symm-per-channel tensor
    TensorType type;
    std::uint8_t rank;
    std::uint8_t flags;  // kOperandOmitted, kOperandDynamic
    std::uint8_t channelDimension;
};
static_assert(sizeof(DspOperand) == 104);

inline constexpr std::uint8_t kAnyRank = 0xFF;

/// Dimensions of a tensor that are known only at run time. If an output does not fit its room, the
/// DSP writes all output shapes of the operator that it knows, and the job ends with kNoRoom.
struct DspShape {
    std::uint32_t state;  // kShape*
    std::uint32_t rank;
    std::uint64_t neededBytes;
    std::uint32_t dimensions[kMaxTensorRank];
    std::uint64_t reserved[2];
};
static_assert(sizeof(DspShape) == 64);

inline constexpr std::uint32_t kShapeUnknown = 0;
inline constexpr std::uint32_t kShapeKnown = 1;
inline constexpr std::uint32_t kShapeTooLarge = 2;  // known, but the data were not written

/// The payload type of commands without payload.
struct NoPayload {};

/// Maps payload types to opcodes, for encoder and decoder.
template <typename Payload>
struct OpcodeOf {
    static_assert(!std::is_empty_v<Payload>, "several opcodes have no payload");
    static constexpr Opcode kValue = [] {
#define VNPU_OPCODE(op, code, name, engine, Type) \
    if (std::is_same_v<Type, Payload>) {          \
        return Opcode::op;                        \
    }
#include "hw_model/regs/opcodes.def"
    }();
};

/// The opcode's name in lower case as the disassembler prints it ("mac.conv"), "?" for an unknown
/// one.
const char* opcodeName(Opcode opcode);

}  // namespace vnpu::hw
