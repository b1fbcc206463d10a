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

/// Why the dispatch of a job stops before its end.
enum class Stop {
    kNone,
    kEngineError,  // an engine stopped
    kEngineHang,   // an engine stands still (hungEngine())
    kAborted,      // the job, or its ring, is to end
    kPreempted,    // another job is to run, at once
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
    /// Of the last Stop::kEngineHang.
    std::uint32_t hungEngine() const { return hungEngine_; }

    /// Reads the depth of the engines' queues; once per boot.
    void readDeviceLimits();

    /// Makes the engines ready for a job of `context`. They are idle. What is in `keptBlocks` of
    /// SRAM stays.
    void start(std::uint32_t context, std::uint64_t jobId, std::uint64_t keptBlocks);

    /// kBadWait where a count is more than what that engine has been given: it might never be
    /// reached. With this, each command depends on earlier ones only, and no set of commands can
    /// wait for each other in a ring.
    hw::JobStatus checkWaits(const hw::CommandHeader& header) const;

    /// Queues a command on its engine, waiting for a free entry.
    Stop push(const hw::CommandView& command);

    /// Waits until the counts that a control command names are reached.
    Stop waitForTokens(const hw::CommandHeader& header);

    /// Whether the counts that a control command names are reached.
    bool isReached(const hw::CommandHeader& header);

    /// Sleeps until that cycle has come, or something else.
    Stop waitUntil(std::uint64_t cycle);

    /// Waits until every engine is idle.
    Stop drain();

    /// Waits until every engine is idle and lets tokens count from zero.
    Stop restart();

    /// Whether the DSP has not finished all that it was given.
    bool isDspBusy();

    /// Sleeps until the DSP has, or something comes.
    Stop waitForDsp();

    /// Waits until the engines are idle, but has the DSP stop in the midst of its last operator if
    /// it alone works; that then counts as not dispatched.
    Stop settle();

    /// The operator in whose midst the DSP stopped.
    struct StoppedOperator {
        std::uint32_t command = kNoDspCommand;  // offset in the stream
        std::uint64_t doneCycles = 0;
        std::uint64_t doneBytes = 0;
    };
    StoppedOperator stoppedOperator();

    /// Lets the operator that the DSP stopped in go on where it is.
    void continueDsp();

    /// Makes the next operator one of which so much is done.
    void loadDspProgress(const StoppedOperator& done);

    /// What each engine has finished; all of it, once settle() has returned kNone.
    void copyTokens(std::uint32_t (&tokens)[hw::kEngineCount]) const;

    /// Lets the tokens of idle engines go on from these counts.
    void loadTokens(const std::uint32_t (&tokens)[hw::kEngineCount]);

    /// Stops the engines and forgets what they were given.
    void abort();

    /// Serves what goes on beside, and tells whether the job must stop.
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
    std::uint32_t window_ = 1;  // commands of one engine that may be under way
    std::array<std::uint32_t, hw::kEngineCount> finished_{};  // tokens as last read
    std::array<std::uint32_t, hw::kEngineCount> free_{};      // queue entries that are surely free
    bool isDspStopped_ = false;
    std::uint64_t keptBlocks_ = 0;  // as JOB_KEEP says
};

}  // namespace vnpu::fw
