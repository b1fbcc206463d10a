// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw {

/// A command as an engine copied it from the local memory, with what the device knows of it.
struct EngineCommand {
    CommandHeader header{};
    alignas(8) std::array<std::byte, kMaxCommandBytes - sizeof(CommandHeader)> payload{};
    std::uint32_t contextId = 0;  // MMU context of the job
    EngineCommandRecord record;

    template <typename Payload>
    Payload as() const {
        Payload value{};
        std::memcpy(&value, payload.data(), sizeof(value));
        return value;
    }

    CommandView view() const { return {&header, payload.data(), 0}; }
};

/// What the engines tell about their commands.
class EngineListener {
  public:
    virtual ~EngineListener() = default;

    /// The command is finished: its token is posted. Engines report their commands in order.
    virtual void commandDone(const EngineCommand& command) = 0;

    /// The command stopped before its end, as it was asked to: its record tells of this part, no
    /// token is posted. Whoever asked starts the rest as a command.
    virtual void commandStopped(const EngineCommand& /*command*/) {}

    /// The engine cannot execute its command; all engines stop.
    virtual void commandFailed(Engine engine, JobStatus status, const std::string& what) = 0;
};

/// An engine as the dispatcher sees it: a state machine that is fed commands and called at the
/// cycles it asked for (engine_timer.h). Simulation thread.
class ExecutionEngine {
  public:
    virtual ~ExecutionEngine() = default;

    /// Whether the engine could take a command, whatever it is.
    virtual bool isReady() const = 0;

    /// Where the next command is to be put; only asked when ready.
    virtual EngineCommand& inbox() = 0;

    /// Whether the engine could take the command in its inbox. Asked before each start().
    virtual bool acceptsInbox() { return true; }

    /// Begins the command in the inbox; record.queuedCycle, startCycle and identity are filled in.
    /// May report a failure at once.
    virtual void start() = 0;

    /// A deadline that the engine set in one of its timer slots has come.
    virtual void onDeadline(std::size_t timerSlot) = 0;

    /// Drops whatever runs; nothing more is written or reported.
    virtual void abort() = 0;

    virtual bool isBusy() const = 0;
};

}  // namespace vnpu::hw
