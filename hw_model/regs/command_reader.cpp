// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/command_reader.h"

namespace vnpu::hw {
namespace {

/// Whether the command at `bytes`, of which `available` bytes are there, is framed as its opcode
/// demands.
JobStatus checkFrame(const std::byte* bytes, std::size_t available) {
    if (reinterpret_cast<std::uintptr_t>(bytes) % alignof(CommandHeader) != 0) {
        return JobStatus::kMisaligned;
    }
    if (available < sizeof(CommandHeader)) {
        return JobStatus::kTruncatedStream;
    }
    const auto* header = reinterpret_cast<const CommandHeader*>(bytes);
    const int payload = payloadBytes(header->opcode);
    if (payload < 0) {
        return JobStatus::kBadOpcode;
    }
    if (header->sizeBytes % 8 != 0) {
        return JobStatus::kMisaligned;
    }
    if (header->sizeBytes != sizeof(CommandHeader) + static_cast<std::size_t>(payload)) {
        return JobStatus::kBadCommandSize;
    }
    return header->sizeBytes <= available ? JobStatus::kOk : JobStatus::kTruncatedStream;
}

}  // namespace

bool CommandReader::next(CommandView& view) {
    if (status_ != JobStatus::kOk || offset_ == stream_.size()) {
        return false;
    }
    const std::byte* bytes = stream_.data() + offset_;
    status_ = checkFrame(bytes, stream_.size() - offset_);
    if (status_ != JobStatus::kOk) {
        return false;
    }
    view.header = reinterpret_cast<const CommandHeader*>(bytes);
    view.payload = bytes + sizeof(CommandHeader);
    view.offset = offset_;
    offset_ += view.header->sizeBytes;
    return true;
}

int payloadBytes(Opcode opcode) {
    switch (opcode) {
        case Opcode::kNop:
        case Opcode::kEnd:
        case Opcode::kBarrier:
        case Opcode::kSegment:
            return 0;
        case Opcode::kLoop:
            return sizeof(Loop);
        case Opcode::kBranch:
            return sizeof(Branch);
        case Opcode::kTimestamp:
            return sizeof(Timestamp);
        case Opcode::kCheckpoint:
            return sizeof(Checkpoint);
        case Opcode::kDmaTransfer:
            return sizeof(DmaTransfer);
        case Opcode::kDmaFill:
            return sizeof(DmaFill);
        case Opcode::kMacConv:
            return sizeof(MacConv);
        case Opcode::kVecPool:
            return sizeof(VecPool);
        case Opcode::kVecEltwise:
            return sizeof(VecEltwise);
        case Opcode::kVecUnary:
            return sizeof(VecUnary);
        case Opcode::kVecSoftmax:
            return sizeof(VecSoftmax);
        case Opcode::kVecReduce:
            return sizeof(VecReduce);
        case Opcode::kVecOperator:
            return sizeof(VecOperator);
        case Opcode::kDspOperator:
            return sizeof(DspOperator);
    }
    return -1;
}

const char* opcodeName(Opcode opcode) {
    switch (opcode) {
        case Opcode::kNop:
            return "nop";
        case Opcode::kEnd:
            return "end";
        case Opcode::kBarrier:
            return "barrier";
        case Opcode::kSegment:
            return "segment";
        case Opcode::kLoop:
            return "loop";
        case Opcode::kBranch:
            return "branch";
        case Opcode::kTimestamp:
            return "timestamp";
        case Opcode::kCheckpoint:
            return "checkpoint";
        case Opcode::kDmaTransfer:
            return "dma.transfer";
        case Opcode::kDmaFill:
            return "dma.fill";
        case Opcode::kMacConv:
            return "mac.conv";
        case Opcode::kVecPool:
            return "vec.pool";
        case Opcode::kVecEltwise:
            return "vec.eltwise";
        case Opcode::kVecUnary:
            return "vec.unary";
        case Opcode::kVecSoftmax:
            return "vec.softmax";
        case Opcode::kVecReduce:
            return "vec.reduce";
        case Opcode::kVecOperator:
            return "vec.operator";
        case Opcode::kDspOperator:
            return "dsp.operator";
    }
    return "?";
}

}  // namespace vnpu::hw
