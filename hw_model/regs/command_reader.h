// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/sram_blocks.h"
#include "hw_model/regs/status.h"

namespace vnpu::hw {

/// What validation depends on in the job and the device.
struct ValidationLimits {
    std::uint64_t sramBytes = 0;
    std::uint64_t accumulatorBytes = 0;
    std::span<const std::uint64_t> regionBytes = {};    // size of each region
    std::span<const std::uint8_t> regionWritable = {};  // 1 where the job may write it
    std::uint64_t sramBlocks = kAllSramBlocks;  // blocks that commands may use (sram_blocks.h)
};

/// One decoded command; payload points into the stream.
struct CommandView {
    const CommandHeader* header = nullptr;
    const std::byte* payload = nullptr;
    std::size_t offset = 0;  // of the header within the stream

    /// Returns the payload; `Payload` must be the type that belongs to the opcode.
    template <typename Payload>
    Payload as() const {
        Payload value{};
        if constexpr (!std::is_empty_v<Payload>) {
            std::memcpy(&value, payload, sizeof(Payload));
        }
        return value;
    }
};

/// Reads a stream without trusting it. next() returns false at the end and on a framing error;
/// status() then returns the reason (kOk, kTruncatedStream, kBadOpcode, kBadCommandSize,
/// kMisaligned).
class CommandReader {
  public:
    explicit CommandReader(std::span<const std::byte> stream) : stream_(stream) {}

    bool next(CommandView& view);
    JobStatus status() const { return status_; }
    std::size_t offset() const { return offset_; }

  private:
    std::span<const std::byte> stream_;
    std::size_t offset_ = 0;
    JobStatus status_ = JobStatus::kOk;
};

/// Size of an opcode's payload in bytes, or -1 for an unknown opcode.
int payloadBytes(Opcode opcode);

/// Returns visit(payload) with a copy of the command's payload (NoPayload if it has none), or
/// `byDefault` for an unknown opcode.
template <typename Result, typename Visit>
Result withPayload(const CommandView& command, Result byDefault, const Visit& visit) {
    switch (command.header->opcode) {
#define VNPU_OPCODE(op, code, name, engine, Payload) \
    case Opcode::op:                                 \
        return visit(command.as<Payload>());
#include "hw_model/regs/opcodes.def"
    }
    return byDefault;
}

/// Validates one framed command: the engine fits the opcode, reserved fields are zero, every
/// address range lies within its region, SRAM or the accumulators, enumerations are in range,
/// counts and strides that must not be zero are not, sizes do not overflow. Returns kOk or the
/// first violation.
JobStatus validateCommand(const CommandView& command, const ValidationLimits& limits);

/// One line of disassembly: offset, engine, opcode, operands, waits; no newline.
std::string disassemble(const CommandView& command);

}  // namespace vnpu::hw
