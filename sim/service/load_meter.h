// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "hw_model/timing/npu_config.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

/// The work of a device's engines since power-on, and the state of its clock.
struct DeviceLoad {
    std::array<std::chrono::nanoseconds, hw::kEngineCount> busy{};  // of device time, with stalls
    std::string power;      // as from powerLabel(); empty: unknown
    std::uint64_t job = 0;  // whose command ended last; 0: none
};

/// Keeps the load of a device for occasional readers.
class LoadMeter : public EventSink {
  public:
    explicit LoadMeter(hw::NpuConfig config) : config_(std::move(config)) {}

    void onEngineCommand(const EngineEvent& event) override;
    void onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                      std::uint32_t level) override;

    /// Any thread.
    DeviceLoad load() const;

  private:
    const hw::NpuConfig config_;
    // Written on the simulation thread; each is read independently.
    std::array<std::atomic<std::uint64_t>, hw::kEngineCount> busyCycles_{};
    std::atomic<hw::regs::PowerState> powerState_{hw::regs::PowerState::kActive};
    std::atomic<std::uint32_t> clockLevel_{0};
    std::atomic<std::uint64_t> job_{0};
    std::array<std::uint64_t, hw::kEngineCount> lastEnds_{};  // simulation thread
};

}  // namespace vnpu::sim
