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

/// A command as an engine copied it from local memory, with what the device adds to it.
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

/// Receives the engines' reports about their commands.
class EngineListener {
  public:
    virtual ~EngineListener() = default;

    /// The command is finished and its token posted. An engine reports its commands in order.
    virtual void commandDone(const EngineCommand& command) = 0;

    /// The command stopped before its end, as requested. Its record covers the part that ran; no
    /// token is posted. The requester starts the rest as a new command.
    virtual void commandStopped(const EngineCommand& /*command*/) {}

    /// The engine cannot execute its command; all engines stop.
    virtual void commandFailed(Engine engine, JobStatus status, const std::string& what) = 0;
};

/// An engine as the dispatcher sees it: a state machine that receives commands and is called at the
/// cycles that it requested (engine_timer.h). Simulation thread.
class ExecutionEngine {
  public:
    virtual ~ExecutionEngine() = default;

    /// Whether the engine could accept a command of any kind.
    virtual bool isReady() const = 0;

    /// The place to put the next command; valid only when the engine is ready.
    virtual EngineCommand& inbox() = 0;

    /// Whether the engine can accept the command in its inbox. Called before each start().
    virtual bool acceptsInbox() { return true; }

    /// Begins the command in the inbox, of which record.queuedCycle, startCycle and the identity
    /// are filled in. May report a failure immediately.
    virtual void start() = 0;

    /// A deadline that the engine set in one of its timer slots has arrived.
    virtual void onDeadline(std::size_t timerSlot) = 0;

    /// Drops the running command; nothing more is written or reported.
    virtual void abort() = 0;

    virtual bool isBusy() const = 0;
};

}  // namespace vnpu::hw
