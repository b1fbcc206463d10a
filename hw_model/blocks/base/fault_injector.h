// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/engine_command.h"
#include "hw_model/blocks/base/fault_kind.h"

namespace vnpu::hw {

/// A fault that waits for an opportunity: a command, a translation, a message or whatever else its
/// kind affects. Opportunities count from `atCycle` on, while job number `job` has the engines.
struct FaultSpec {
    FaultKind kind = FaultKind::kDmaError;
    std::uint64_t atCycle = 0;
    std::optional<Engine> engine{};  // of engine faults; empty: any engine
    /// Of engine faults except kMmuFault: only commands of this operation of a model, the number in
    /// CommandHeader::operation. Empty: all commands.
    std::optional<std::uint32_t> operation{};
    std::uint64_t job = 0;    // the n-th job start after arming; 0: any time
    std::uint64_t skip = 0;   // opportunities that pass without a fault
    double chance = 1.0;      // of a fault at each opportunity after that; drawn from the seed
    std::uint64_t times = 1;  // number of faults in all; 0: unlimited
    double factor = 8.0;      // kEngineSlow: how many times longer, more than 1
    /// kEngineSlow: for how long the engine is slow; with `operation`, for how long the commands of
    /// that operation are, on all engines or on `engine`.
    std::uint64_t lastingCycles = 0;
};

/// A fault that happened.
struct InjectedFault {
    std::size_t spec = 0;  // as numbered by arm()
    FaultKind kind = FaultKind::kDmaError;
    std::uint64_t cycle = 0;
    Engine engine = Engine::kController;  // the engine that was hit
    std::uint64_t jobId = 0;              // of the last job start; that job may have ended
    std::uint32_t command = 0;            // of engine faults: index on its engine
    bool isMadeGood = false;  // kLostInterrupt: a later interrupt raised the line for this one, too
};

/// The fault in which a command will end.
struct CommandFault {
    FaultKind kind = FaultKind::kDmaError;
    std::uint32_t index = 0;  // of the command on its engine
};

/// Injects faults into the device at opportunities selected by time, counts or a seed. The blocks
/// ask it wherever a fault could occur; it is optional. Simulation thread.
///
/// Not modeled: flips in words that are never read; errors of the controller's own accesses to the
/// rings; several faults of one command.
class FaultInjector {
  public:
    explicit FaultInjector(std::uint64_t seed = 0) : random_(seed) {}

    /// Returns the fault's number. May be called at any time.
    std::size_t arm(const FaultSpec& spec);
    /// Injects no further faults of this number.
    void disarm(std::size_t number) { armed_[number].isOver = true; }
    const std::vector<InjectedFault>& injected() const { return injected_; }

    // ---- called by the device
    void setObserver(DeviceObserver* observer) { observer_ = observer; }
    void jobStarted(std::uint64_t jobId);
    std::optional<CommandFault> startCommand(std::uint64_t now, const EngineCommand& command);
    bool failsTranslation(std::uint64_t now, Engine engine);
    /// The factor by which the engine's command, of which `operation` is the model's operation,
    /// currently takes longer.
    double slowdown(std::uint64_t now, Engine engine, std::uint32_t operation) const;
    /// Called at the end of a command that writes SRAM: what to XOR each written byte with, 0 if
    /// its results are right.
    std::byte takeWrongResult(Engine engine, std::uint32_t command);
    bool hangsController(std::uint64_t now);
    /// Called on a rising interrupt line: whether the edge is suppressed.
    bool losesInterrupt(std::uint64_t now);
    void passMessage(std::uint64_t now, std::span<std::byte> bytes);
    /// Called for each write of the controller by bus address. Writes of a completion record's size
    /// count as completion records.
    void passRecord(std::uint64_t now, std::span<std::byte> bytes);

    /// Registers `schedule`, which is called when a spurious interrupt becomes due.
    void onPulseDue(std::function<void(std::uint64_t cycle)> schedule);
    bool pulses(std::uint64_t now);
    /// The cycle of the next spurious interrupt, if one is armed.
    std::optional<std::uint64_t> nextPulse() const;

  private:
    struct Armed {
        FaultSpec spec;
        std::uint64_t jobsBefore = 0;
        std::uint64_t skipped = 0;
        std::uint64_t happened = 0;
        std::uint64_t slowUntil = 0;
        bool isOver = false;
    };

    /// Which command starts; nothing for faults that wait for other opportunities.
    struct CommandName {
        std::uint32_t index = 0;
        std::optional<std::uint32_t> operation;
    };

    /// A command whose results will be wrong.
    struct WrongResult {
        Engine engine = Engine::kController;
        std::uint32_t command = 0;
        std::byte mask{};
    };

    bool strikes(FaultKind kind, std::uint64_t now, Engine engine, const CommandName& command);
    bool isTaken(Armed& armed, std::uint64_t now, Engine engine, const CommandName& command);
    void record(std::size_t number, std::uint64_t now, Engine engine, std::uint32_t command);
    void flip(std::span<std::byte> bytes);

    std::mt19937_64 random_;
    std::vector<Armed> armed_;
    std::vector<InjectedFault> injected_;
    std::vector<WrongResult> wrongResults_;  // of commands that run
    std::function<void(std::uint64_t)> schedulePulse_;
    DeviceObserver* observer_ = nullptr;
    std::uint64_t jobsStarted_ = 0;
    std::uint64_t jobId_ = 0;
    std::optional<std::size_t>
            lostInterrupt_;  // index in injected_ of the last lost interrupt while the line is low
    std::size_t firstArmed_ = 0;  // all faults before it are over
};

}  // namespace vnpu::hw
