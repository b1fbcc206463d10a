// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "driver/control/dma_memory.h"
#include "driver/control/mailbox_client.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"
#include "driver/result.h"
#include "firmware/api/boot.h"
#include "firmware/api/scheduling.h"
#include "firmware/api/state_dump.h"

namespace vnpu::driver {

/// The device memory that the booted firmware keeps using.
class BootMemory {
  public:
    static Result<BootMemory> create(DevicePort& port, LiveCounters& counters,
                                     const DeviceInfo& info);

    /// Device memory that create() takes, whole pages.
    static std::uint64_t sizeBytes();

    std::uint64_t parametersBusAddress() const { return memory_.busAddress(); }
    /// The firmware's log ring (firmware/api/log.h).
    std::span<const std::byte> log() const { return log_.bytes(); }
    /// Where the firmware describes a hang (firmware/api/state_dump.h).
    std::span<std::byte> dump() const {
        return memory_.bytes().subspan(kDumpOffset, sizeof(fw::StateDump));
    }
    /// The parameters that kSetScheduling names; the firmware reads them again after a reset.
    std::span<std::byte> scheduling() const {
        return memory_.bytes().subspan(kSchedulingOffset, sizeof(fw::SchedulingParameters));
    }
    std::uint64_t schedulingBusAddress() const { return memory_.busAddress() + kSchedulingOffset; }

  private:
    BootMemory(DmaAllocation memory, DmaAllocation log)
        : memory_(std::move(memory)), log_(std::move(log)) {}

    static constexpr std::uint64_t kDumpOffset = sizeof(fw::BootParameters);
    static constexpr std::uint64_t kSchedulingOffset = kDumpOffset + sizeof(fw::StateDump);
    static constexpr std::uint64_t kBytes = kSchedulingOffset + sizeof(fw::SchedulingParameters);

    DmaAllocation memory_;  // BootParameters, StateDump, SchedulingParameters
    DmaAllocation log_;
};

/// Holds the device in reset: from now on it touches no memory and raises no interrupt.
void holdInReset(DevicePort& port);

/// Starts the firmware with all interrupts enabled and waits until it is ready. The interrupt
/// handler must be set and pass messages to `mailbox`. Fails if the firmware refuses, does not
/// answer or has another major version.
Result<void> bootFirmware(DevicePort& port, const BootMemory& memory, const DeviceInfo& info,
                          MailboxClient& mailbox);

}  // namespace vnpu::driver
