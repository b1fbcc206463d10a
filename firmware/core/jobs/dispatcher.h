// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/api/save_area.h"
#include "firmware/core/base/dispatched_commands.h"
#include "firmware/core/base/watchdog.h"
#include "firmware/core/host/supervisor.h"
#include "firmware/core/scheduling/job.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Why the dispatch of a job stops before its end. VNPU_TRY leaves a function after any but kNone.
enum class Stop {
    kNone,
    kEngineError,  // an engine stopped
    kEngineHang,   // an engine makes no progress (hungEngine())
    kAborted,      // the job or its ring must end
    kPreempted,    // another job must run immediately
    kReset,        // the program must return
};

/// Hands one job's commands to the engines and follows their tokens. Commands stay in local memory,
/// in one ring of slots per engine, until their engine has finished them.
class Dispatcher {
  public:
    struct Parts {
        hw::ControllerPort& port;
        Interrupts& interrupts;
        Supervisor& supervisor;
        DispatchedCommands& commands;
    };

    explicit Dispatcher(const Parts& parts)
        : port_(parts.port),
          interrupts_(parts.interrupts),
          supervisor_(parts.supervisor),
          commands_(parts.commands),
          watchdog_(parts.port) {}

    Watchdog& watchdog() { return watchdog_; }
    /// The engine of the last Stop::kEngineHang.
    std::uint32_t hungEngine() const { return hungEngine_; }

    /// Reads the depth of the engines' queues; once per boot.
    void readDeviceLimits();

    /// Prepares the idle engines for a job of `context`. The data in `keptBlocks` of SRAM is
    /// preserved.
    void start(std::uint32_t context, std::uint64_t jobId, std::uint64_t keptBlocks);

    /// kBadWait if a count exceeds the number of commands that the engine has received, because it
    /// might never be reached. Commands therefore depend on earlier ones only and cannot wait for
    /// each other in a cycle.
    hw::JobStatus checkWaits(const hw::CommandHeader& header) const;

    /// Queues a command on its engine, waiting for a free entry.
    Stop push(const hw::CommandView& command);

    /// Waits until the counts in a control command's header are reached.
    Stop waitForTokens(const hw::CommandHeader& header);

    /// Whether the counts in a control command's header are reached.
    bool isReached(const hw::CommandHeader& header);

    /// Sleeps until that cycle or an event.
    Stop waitUntil(std::uint64_t cycle);

    /// Waits until every engine is idle.
    Stop drain();

    /// Waits until every engine is idle and resets the token counts to zero.
    Stop restart();

    /// Whether the DSP has unfinished commands.
    bool isDspBusy();

    /// Sleeps until the DSP has finished or an event comes.
    Stop waitForDsp();

    /// Waits until the engines are idle. If only the DSP is busy, with its last operator, it is
    /// stopped at a yield point, and that operator then counts as not dispatched.
    Stop settle();

    /// The operator at whose yield point the DSP stopped.
    struct StoppedOperator {
        std::uint32_t command = kNoDspCommand;  // offset in the stream
        std::uint64_t doneCycles = 0;
        std::uint64_t doneBytes = 0;
    };
    StoppedOperator stoppedOperator();

    /// Continues the operator that settle() stopped.
    void continueDsp();

    /// Sets the progress with which the next operator starts.
    void loadDspProgress(const StoppedOperator& done);

    /// The commands that each engine has finished; all of them once settle() has returned kNone.
    void copyTokens(std::uint32_t (&tokens)[hw::kEngineCount]) const;

    /// Sets the counts from which the tokens of idle engines continue.
    void loadTokens(const std::uint32_t (&tokens)[hw::kEngineCount]);

    /// Stops the engines and discards their commands.
    void abort();

    /// Services doorbells, messages and the heartbeat; returns why the job must stop.
    Stop service();

    /// Offset in the stream of the command that `engine` has not finished, or kNoCommand.
    std::uint32_t unfinishedCommand(std::uint32_t engine);

  private:
    Stop stopDsp();
    Stop drainOthers(std::uint32_t exception);
    bool isHung();
    bool hasRoom(std::uint32_t engine);
    Stop waitForRoom(std::uint32_t engine);
    bool isReached(std::uint32_t engine, std::uint32_t count);
    Stop waitForToken(std::uint32_t engine, std::uint32_t count);

    hw::ControllerPort& port_;
    Interrupts& interrupts_;
    Supervisor& supervisor_;
    DispatchedCommands& commands_;
    Watchdog watchdog_;
    std::uint32_t hungEngine_ = Watchdog::kNone;
    std::uint32_t window_ = 1;                                // commands that one engine may hold
    std::array<std::uint32_t, hw::kEngineCount> finished_{};  // tokens as last read
    std::array<std::uint32_t, hw::kEngineCount> free_{};      // queue entries known to be free
    bool isDspStopped_ = false;
    std::uint64_t keptBlocks_ = 0;  // the value of JOB_KEEP
};

}  // namespace vnpu::fw

namespace vnpu {

inline bool hasFailed(fw::Stop stop) {
    return stop != fw::Stop::kNone;
}
inline fw::Stop failureOf(fw::Stop stop) {
    return stop;
}

}  // namespace vnpu
