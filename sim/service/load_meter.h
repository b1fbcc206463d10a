// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// What a device's engines did since power-on, and how its clock stands.
struct DeviceLoad {
    std::array<std::chrono::nanoseconds, hw::kEngineCount> busy{};  // of device time, with stalls
    std::string power;  // as powerLabel() has it; empty: not told
};

/// Keeps a device's load for those who look now and then.
class LoadMeter : public hw::DeviceObserver {
  public:
    explicit LoadMeter(hw::NpuConfig config) : config_(std::move(config)) {}

    void onEngineCommand(const hw::EngineCommandRecord& record) override;
    void onPowerState(std::uint64_t cycle, hw::regs::PowerState state,
                      std::uint32_t level) override;

    /// Any thread.
    DeviceLoad load() const;

  private:
    const hw::NpuConfig config_;
    // Written on the simulation thread; each is read by itself.
    std::array<std::atomic<std::uint64_t>, hw::kEngineCount> busyCycles_{};
    std::atomic<hw::regs::PowerState> powerState_{hw::regs::PowerState::kActive};
    std::atomic<std::uint32_t> clockLevel_{0};
    std::array<std::uint64_t, hw::kEngineCount> lastEnds_{};  // simulation thread
};

}  // namespace vnpu::sim
