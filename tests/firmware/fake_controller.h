// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/controller_port.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw::test {

/// A device for the firmware: registers, interrupts, memory, and engines that compute nothing but
/// take their time, wait for tokens and post them. Every access to a register that does not exist
/// or is not accessible counts as a protocol error, and so does a command that changes in local
/// memory before its engine has finished it.
///
/// The host's part is a script: at(cycle, ...) runs an action at a time; whenIdle(...) actions run
/// one after another, whenever nothing else would happen. After the last action, reset is asserted,
/// so that ControllerProgram::run() returns.
class FakeController final : public hw::ControllerPort {
  public:
    static constexpr std::uint64_t kMemoryBase = 0x10000;
    static constexpr std::uint64_t kMemoryBytes = 0x800000;
    static constexpr std::uint64_t kVirtualOffset =
            0x40000000;  // of bus addresses, in every context
    static constexpr std::uint32_t kQueueDepth = 8;
    static constexpr std::size_t kLocalMemoryBytes = 0x10000;
    static constexpr std::uint64_t kResumeCycles = 5000;

    FakeController();

    std::uint32_t read32(std::uint32_t offset) override;
    void write32(std::uint32_t offset, std::uint32_t value) override;
    hw::JobStatus readMemory(std::uint32_t context, std::uint64_t address,
                             std::span<std::byte> destination) override;
    hw::JobStatus writeMemory(std::uint32_t context, std::uint64_t address,
                              std::span<const std::byte> source) override;
    std::span<std::byte> localMemory() override { return localMemory_; }
    void charge(std::uint32_t cycles) override;
    void waitForInterrupt(std::uint64_t timeoutCycles) override;
    void trace(std::string_view event, std::uint64_t jobId) override;

    // ---- the host's side ----
    void at(std::uint64_t cycle, std::function<void()> action);
    void whenIdle(std::function<void()> action) { idleActions_.push_back(std::move(action)); }
    void assertReset();
    /// Gives the device clock levels of 1000 and 500 MHz and an autosuspend time.
    void setPower(std::uint32_t autosuspendUs);
    void hostWrite(std::uint32_t offset, std::uint32_t value);
    std::uint32_t hostRead(std::uint32_t offset) const;
    std::span<std::byte> memory(std::uint64_t busAddress, std::size_t bytes);
    std::uint64_t now() const { return now_; }
    void setLocalMemoryBytes(std::size_t bytes) { localMemory_.resize(bytes); }

    /// Unmaps a page from every context: accesses fault.
    void unmap(std::uint64_t virtualAddress) { unmapped_.push_back(virtualAddress & ~0xFFFULL); }

    // ---- engines ----
    struct Failure {
        hw::Engine engine = hw::Engine::kMac;
        std::uint64_t jobId = 0;
        std::uint32_t number = 0;  // of the command on its engine
        hw::JobStatus status = hw::JobStatus::kBusError;
        std::uint64_t faultAddress = 0;
    };
    void failCommand(const Failure& failure) { failures_.push_back(failure); }
    std::array<std::uint32_t, hw::kEngineCount> engineCycles{};  // per command
    std::uint32_t dspYieldCycles = 0;                            // between yield points, 0: none
    std::vector<std::uint64_t> dspCredits;                       // DSP_DONE_CYCLES at each start
    std::array<bool, hw::kEngineCount> isHung{};  // commands that it starts never end
    bool ignoresAborts = false;                   // of those

    /// Stops the engines with this value of ENGINE_ERROR, whatever they are doing.
    void stopEngines(std::uint32_t engineError);

    struct Executed {
        std::uint64_t jobId;
        std::uint32_t context;
        hw::Engine engine;
        std::uint32_t number;
        hw::CommandHeader header;
        std::uint64_t startCycle;
        std::uint64_t endCycle;
        std::vector<std::byte> bytes;  // of the whole command
        std::uint32_t regionTable;     // where the engines looked up regions
    };
    std::vector<Executed> executed;
    std::function<void(const Executed&)> onExecuted;  // the data that an engine would write

    struct Mark {
        std::uint64_t cycle;
        std::string event;
        std::uint64_t jobId;
    };
    std::vector<Mark> marks;
    std::vector<std::uint64_t> heartbeats;  // cycles of the ticks
    std::vector<std::uint32_t> raised;      // values written to IRQ_RAISE
    std::vector<std::uint64_t> written;     // addresses of bus writes, in order
    std::uint32_t aborts = 0;
    std::uint32_t segments = 0;
    std::vector<std::uint64_t> read;  // addresses of reads in a context, in order
    std::uint32_t invalidations = 0;
    std::uint32_t sleeps = 0;
    std::vector<std::uint64_t> powerDowns;   // cycles at which the domain went down
    std::vector<std::uint32_t> clockLevels;  // as they were set
    std::function<void()> onSuspendArmed;    // called before the next wait
    std::vector<std::string> protocolErrors;

  private:
    struct Pushed {
        std::uint32_t offset;
        std::vector<std::byte> bytes;
    };
    struct EngineState {
        std::deque<Pushed> queue;
        bool isRunning = false;
        std::uint64_t startCycle = 0;
        std::uint64_t endCycle = 0;
        std::uint32_t tokens = 0;
    };
    struct Timed {
        std::uint64_t cycle;
        std::uint64_t order;
        std::function<void()> action;
    };

    std::uint32_t& word(std::uint32_t offset) { return words_.at(offset / 4); }
    std::uint32_t readSideEffect(std::uint32_t offset, const hw::regs::RegisterHit& hit);
    void writeSideEffect(std::uint32_t offset, std::uint32_t value,
                         const hw::regs::RegisterHit& hit);
    void powerDown();
    void pushCommand(std::uint32_t engine, std::uint32_t offset);
    void startJob(std::uint32_t context);
    void startSegment();
    void abortEngines();
    void startEngines();
    void finishCommand(std::uint32_t engine);
    void startCommand(std::uint32_t engine);
    void writeYield(std::uint32_t value);
    void planYield();
    void stopDsp();
    bool isDspStopped();
    void recordFault(std::uint32_t engine, std::uint64_t address, bool isWrite);
    std::optional<std::uint64_t> nextEvent() const;
    void advanceTo(std::uint64_t cycle);
    hw::JobStatus translate(std::uint32_t context, std::uint64_t address, std::size_t bytes,
                            bool isWrite, std::uint64_t& busAddress);
    void raise(const hw::regs::FieldSpec& field);
    void complain(const std::string& what) { protocolErrors.push_back(what); }

    std::vector<std::byte> memory_;
    std::vector<std::byte> localMemory_;
    std::vector<std::uint32_t> words_;
    std::array<EngineState, hw::kEngineCount> engines_{};
    bool isHalted_ = false;
    std::uint32_t context_ = 0;
    std::optional<std::uint64_t> dspStopCycle_;
    std::uint64_t dspCredit_ = 0;  // of the operator that runs
    std::uint64_t now_ = 1000;
    std::uint64_t actionOrder_ = 0;
    std::vector<Timed> timed_;
    std::deque<std::function<void()>> idleActions_;
    std::vector<Failure> failures_;
    std::vector<std::uint64_t> unmapped_;
};

}  // namespace vnpu::fw::test
