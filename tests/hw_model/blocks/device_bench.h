// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/blocks/device.h"
#include "hw_model/regs/command_writer.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"
#include "tests/hw_model/blocks/memory_target.h"

namespace vnpu::test {

/// Records the events of the device.
class RecordingObserver : public hw::DeviceObserver {
  public:
    void onEngineCommand(const hw::EngineCommandRecord& record) override {
        commands.push_back(record);
    }
    void onFault(std::uint64_t, hw::Engine, hw::JobStatus status, std::string_view what) override {
        faults.emplace_back(status, what);
    }
    void onMmuMiss(std::uint64_t, hw::Engine, std::uint64_t virtualAddress) override {
        misses.push_back(virtualAddress);
    }
    void onInterruptLine(std::uint64_t cycle, bool level) override {
        line.emplace_back(cycle, level);
    }
    void onRegisterAccess(std::uint64_t cycle, bool write, bool fromController,
                          std::uint32_t offset, std::uint32_t value) override {
        accesses.push_back({cycle, write, fromController, offset, value});
    }
    void onFirmwareEvent(std::uint64_t cycle, std::string_view event, std::uint64_t) override {
        events.emplace_back(cycle, event);
    }
    void onPowerState(std::uint64_t cycle, hw::regs::PowerState state, std::uint32_t) override {
        powerStates.emplace_back(cycle, state);
    }

    /// The commands of one engine in order.
    std::vector<hw::EngineCommandRecord> of(hw::Engine engine) const;

    struct RegisterAccess {
        std::uint64_t cycle;
        bool isWrite;
        bool isController;
        std::uint32_t offset;
        std::uint32_t value;
    };

    std::vector<hw::EngineCommandRecord> commands;
    std::vector<std::pair<hw::JobStatus, std::string>> faults;
    std::vector<std::uint64_t> misses;
    std::vector<std::pair<std::uint64_t, bool>> line;
    std::vector<RegisterAccess> accesses;
    std::vector<std::pair<std::uint64_t, std::string>> events;
    std::vector<std::pair<std::uint64_t, hw::regs::PowerState>> powerStates;
};

inline std::uint64_t cyclesOf(const hw::EngineCommandRecord& record) {
    return record.endCycle - record.startCycle;
}

/// The device's cycle counter as its controller reads it.
inline std::uint32_t cycleOf(hw::ControllerPort& port) {
    return port.read32(hw::regs::CycleCounterLo::kSpec.offset);
}

/// A program that runs a function at every boot and then sleeps until reset.
class ScriptProgram : public hw::ControllerProgram {
  public:
    using Script = std::function<void(hw::ControllerPort&)>;
    explicit ScriptProgram(Script script) : script_(std::move(script)) {}
    void run(hw::ControllerPort& port) override;

  private:
    Script script_;
};

/// Commands of one job, each for one engine.
class CommandList {
  public:
    struct Item {
        hw::Engine engine;
        std::vector<std::byte> bytes;
    };

    template <typename Payload>
    CommandList& add(hw::Engine engine, const Payload& payload,
                     const std::vector<hw::TokenWait>& waits = {}) {
        hw::CommandWriter writer;
        writer.add({.engine = engine, .waits = waits}, payload);
        items_.push_back({engine, writer.takeBytes()});
        return *this;
    }

    /// An encoded command.
    CommandList& addBytes(hw::Engine engine, std::vector<std::byte> bytes) {
        items_.push_back({engine, std::move(bytes)});
        return *this;
    }

    const std::vector<Item>& items() const { return items_; }

  private:
    std::vector<Item> items_;
};

hw::TokenWait waitFor(hw::Engine engine, std::uint32_t count);

/// A region of a job as the controller writes it to local memory.
struct Region {
    std::uint64_t address;
    std::uint64_t bytes;
};

inline constexpr std::uint32_t kContext = 3;           // chosen: any context but 0
inline constexpr std::uint32_t kRegionTable = 0xE000;  // local offset
inline constexpr std::uint32_t kCommandSlotBytes = hw::kMaxCommandBytes;

/// Starts a job in kContext: region table and JOB_START.
void startJob(hw::ControllerPort& port, const std::vector<Region>& regions);

/// Pushes the commands in order, waiting for queue entries.
void pushAll(hw::ControllerPort& port, const CommandList& list);

/// Sleeps until every engine has finished its commands of the list, or an engine stopped; returns
/// ENGINE_ERROR.
std::uint32_t waitForAll(hw::ControllerPort& port, const CommandList& list);

/// A device with memory and a host that drives registers, all in one simulation. The host acts
/// between runs of the simulation.
class DeviceBench : public sc_core::sc_module {
  public:
    struct Options {
        hw::NpuConfig config = {};
        ScriptProgram::Script script = [](hw::ControllerPort&) {};
        std::unique_ptr<hw::ControllerProgram> program = nullptr;  // instead of script
        std::size_t memoryBytes = 16U << 20;
        bool grantsPointers = true;
        bool isObserved = true;
        hw::FaultInjector* faults = nullptr;
        bool mayRunAhead = false;  // the host must then act from processes or while nothing runs
    };

    SC_HAS_PROCESS(DeviceBench);
    explicit DeviceBench(Options options, const sc_core::sc_module_name& name = "bench");

    std::uint32_t read(std::uint32_t offset);
    void write(std::uint32_t offset, std::uint32_t value);

    /// One access of any shape; `bytes` is filled or sent.
    tlm::tlm_response_status access(bool isWrite, std::uint64_t address, void* bytes,
                                    unsigned count);

    /// Takes the device out of reset and starts its program.
    void boot();
    void run(std::uint64_t cycles);
    /// Runs until the condition holds, checked every 16 cycles; false if it does not within
    /// `cycles`.
    bool runUntil(const std::function<bool()>& condition, std::uint64_t cycles);
    std::uint64_t cycle() const;
    /// Creates an event in every cycle from now on, so that no engine can run ahead.
    void startTicking();
    std::uint64_t perf(hw::regs::PerfEvent event);

    /// Maps bytes at a virtual address of kContext; tables live in the memory's last MiB.
    void map(std::uint64_t virtualAddress, std::uint64_t busAddress, std::uint64_t bytes,
             bool isWritable = true, bool isLarge = false);
    /// Makes the page's entry invalid.
    void unmap(std::uint64_t virtualAddress);
    std::uint64_t rootTable() const { return rootTable_; }
    /// For scripts: writes CONTEXT_ROOT of kContext.
    void setRoot(hw::ControllerPort& port) const;

    RecordingObserver observer;
    MemoryTarget memory;
    hw::Device device;
    sc_core::sc_signal<bool> irq;
    tlm_utils::simple_initiator_socket<DeviceBench> host;

  private:
    void tick();
    std::uint64_t entryAddress(std::uint64_t virtualAddress);

    sc_core::sc_event tickEvent_;
    std::uint64_t rootTable_;
    std::uint64_t nextTable_;
};

}  // namespace vnpu::test
