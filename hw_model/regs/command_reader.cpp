// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/command_reader.h"

namespace vnpu::hw {
namespace {

/// Checks that the command at `bytes`, with `available` bytes left in the stream, is framed as its
/// opcode requires.
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
#define VNPU_OPCODE(op, code, name, engine, Payload) \
    case Opcode::op:                                 \
        return std::is_empty_v<Payload> ? 0 : static_cast<int>(sizeof(Payload));
#include "hw_model/regs/opcodes.def"
    }
    return -1;
}

const char* opcodeName(Opcode opcode) {
    switch (opcode) {
#define VNPU_OPCODE(op, code, name, ...) \
    case Opcode::op:                     \
        return name;
#include "hw_model/regs/opcodes.def"
    }
    return "?";
}

}  // namespace vnpu::hw
