// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <queue>
#include <string>
#include <vector>

#include "sim/trace/command_frontier.h"
#include "sim/trace/events.h"
#include "sim/trace/vcd_writer.h"

namespace vnpu::sim {

/// Signals of the device as a value change dump. waveforms/README.md lists them. Delays only events
/// that a command in progress may precede (CommandFrontier). Left out: register contents, data, and
/// the steps within a command.
class VcdSink : public EventSink {
  public:
    /// Values of npu.<engine>.state.
    enum class EngineState : std::uint8_t { kIdle = 0, kWaiting = 1, kWorking = 2 };

    /// `out` must outlive the sink; the window is in device time since power-on.
    VcdSink(std::ostream& out, VcdWriter::Window window) : writer_(out, window) {}

    void onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) override;
    void onEnd(std::uint64_t timeNs) override;
    void onFrameBegin(const FrameEvent& event) override;
    void onFrameEnd(const FrameEvent& event, std::string_view status) override;
    void onEngineCommand(const EngineEvent& event) override;
    void onInterruptLine(std::uint64_t timeNs, bool level) override;
    void onFirmwareEvent(std::uint64_t timeNs, std::string_view event, const JobInfo* job) override;
    void onMmuMiss(std::uint64_t timeNs, hw::Engine engine, std::uint64_t virtualAddress) override;
    void onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) override;
    void onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                      std::uint32_t level) override;

  private:
    enum class ChangeKind : std::uint8_t {
        kFrame,      // unit: client; value: frame + 1, or 0
        kInterrupt,  // value: level
        kJob,        // value: job id, or 0
        kMmuMiss,
        kPower,  // unit: level; value: state
        kQueue,  // unit: engine; value: commands
        kWait,   // unit: engine
        kStart,  // unit: engine; operation, opcode, job in the fields
        kEnd,    // unit: engine; value: tokens
    };
    struct Change {
        std::uint64_t timeNs = 0;
        std::uint64_t order = 0;  // of arrival, for equal times
        ChangeKind kind = ChangeKind::kJob;
        bool usesDram = false;
        std::uint16_t opcode = 0;
        std::uint32_t unit = 0;
        std::uint32_t operation = 0;
        std::uint64_t value = 0;
    };
    struct Later {
        bool operator()(const Change& a, const Change& b) const {
            return a.timeNs != b.timeNs ? a.timeNs > b.timeNs : a.order > b.order;
        }
    };
    struct EngineSignals {
        std::size_t busy = 0, state = 0, operation = 0, opcode = 0, job = 0, queue = 0, tokens = 0;
        bool isThere = false;    // the engine executes commands
        bool isWaiting = false;  // its next command waits for tokens
        /// Commands at work (the MAC array's output stage overlaps the next command).
        unsigned active = 0;
    };

    void add(Change change);
    void apply(const Change& change);
    void applyEngine(const Change& change);
    void writeUpTo(std::uint64_t timeNs);

    VcdWriter writer_;
    CommandFrontier frontier_;
    std::priority_queue<Change, std::vector<Change>, Later> changes_;
    std::uint64_t order_ = 0;
    std::array<EngineSignals, hw::kEngineCount> engines_{};
    std::vector<std::size_t> frames_;
    std::size_t irq_ = 0, job_ = 0, misses_ = 0, dramBusy_ = 0, dramUsers_ = 0;
    std::size_t powerState_ = 0, clock_ = 0;
    std::vector<std::uint32_t> levelsKhz_;
    std::uint64_t missCount_ = 0;
    unsigned dramActive_ = 0;
};

}  // namespace vnpu::sim
