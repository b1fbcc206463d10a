// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hw_model/regs/command_stream.h"

namespace vnpu::hw {

/// The header fields of a command that do not follow from its payload.
struct CommandContext {
    Engine engine = Engine::kController;
    std::uint32_t operation = kNoOperation;
    std::uint32_t tile = 0;
    std::span<const TokenWait> waits = {};
};

/// Appends encoded commands to a byte stream. One thread.
class CommandWriter {
  public:
    /// Appends a command with a payload.
    template <typename Payload>
    void add(const CommandContext& context, const Payload& payload) {
        addRaw(OpcodeOf<Payload>::kValue, context, &payload, sizeof(Payload));
    }

    /// Appends a command without payload (kNop, kEnd, kBarrier).
    void add(const CommandContext& context, Opcode opcode) { addRaw(opcode, context, nullptr, 0); }

    const std::vector<std::byte>& bytes() const { return bytes_; }
    std::vector<std::byte> takeBytes() { return std::move(bytes_); }
    std::uint32_t commandCount() const { return commandCount_; }

  private:
    void addRaw(Opcode opcode, const CommandContext& context, const void* payload,
                std::size_t payloadBytes);

    std::vector<std::byte> bytes_;
    std::uint32_t commandCount_ = 0;
};

}  // namespace vnpu::hw
