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

/// A fault that waits for its occasion: a command, a translation, a message, whatever its kind
/// strikes. An occasion counts from `atCycle` on, while the job numbered `job` has the engines.
struct FaultSpec {
    FaultKind kind = FaultKind::kDmaError;
    std::uint64_t atCycle = 0;
    std::optional<Engine> engine{};   // of engine faults; empty: whichever comes first
    std::uint64_t job = 0;            // the n-th job start after arming; 0: any time
    std::uint64_t skip = 0;           // so many occasions go unharmed
    double chance = 1.0;              // that one is taken after that, by the seed
    std::uint64_t times = 1;          // so often in all; 0: without end
    std::uint32_t factor = 8;         // kEngineSlow: how many times longer
    std::uint64_t lastingCycles = 0;  // kEngineSlow: for how long
};

/// A fault that happened.
struct InjectedFault {
    std::size_t spec = 0;  // as numbered by arm()
    FaultKind kind = FaultKind::kDmaError;
    std::uint64_t cycle = 0;
    Engine engine = Engine::kController;  // that it struck
    std::uint64_t jobId = 0;              // of the last job start; that job may have ended
    std::uint32_t command = 0;            // of engine faults: index on its engine
    bool isMadeGood = false;              // kLostInterrupt: a later one raised the line for it, too
};

/// What a command is going to end with.
struct CommandFault {
    FaultKind kind = FaultKind::kDmaError;
    std::uint32_t index = 0;  // of the command on its engine
};

/// Makes faults happen in the device, each on an occasion that time, counts or a seed choose. The
/// blocks ask it where a fault could be; a device without one asks nobody. Simulation thread.
///
/// Not modelled: flips in words that nobody reads; errors of the controller's own accesses to the
/// rings; several faults of one command.
class FaultInjector {
  public:
    explicit FaultInjector(std::uint64_t seed = 0) : random_(seed) {}

    /// Returns the fault's number. Any time.
    std::size_t arm(const FaultSpec& spec);
    /// No fault of this number happens any more.
    void disarm(std::size_t number) { armed_[number].isOver = true; }
    const std::vector<InjectedFault>& injected() const { return injected_; }

    // ---- the device's side
    void setObserver(DeviceObserver* observer) { observer_ = observer; }
    void jobStarted(std::uint64_t jobId);
    std::optional<CommandFault> startCommand(std::uint64_t now, const EngineCommand& command);
    bool failsTranslation(std::uint64_t now, Engine engine);
    /// How many times longer the engine takes at present.
    std::uint32_t slowdown(std::uint64_t now, Engine engine) const;
    bool hangsController(std::uint64_t now);
    /// On a rising line: whether it is not to rise.
    bool losesInterrupt(std::uint64_t now);
    void passMessage(std::uint64_t now, std::span<std::byte> bytes);
    /// A write of the controller's by bus address. Those of a completion record's size are taken
    /// for one.
    void passRecord(std::uint64_t now, std::span<std::byte> bytes);

    /// `schedule` is told when an interrupt without a reason is due.
    void onPulseDue(std::function<void(std::uint64_t cycle)> schedule);
    bool pulses(std::uint64_t now);
    /// The cycle of the next, if one is armed.
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

    bool strikes(FaultKind kind, std::uint64_t now, Engine engine, std::uint32_t command = 0);
    bool isTaken(Armed& armed, std::uint64_t now, Engine engine);
    void record(std::size_t number, std::uint64_t now, Engine engine, std::uint32_t command);
    void flip(std::span<std::byte> bytes);

    std::mt19937_64 random_;
    std::vector<Armed> armed_;
    std::vector<InjectedFault> injected_;
    std::function<void(std::uint64_t)> schedulePulse_;
    DeviceObserver* observer_ = nullptr;
    std::uint64_t jobsStarted_ = 0;
    std::uint64_t jobId_ = 0;
    std::optional<std::size_t> lostInterrupt_;  // the last, in injected_, while the line is low
    std::size_t firstArmed_ = 0;                // all before are over
};

}  // namespace vnpu::hw
