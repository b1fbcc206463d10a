// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/control/boot.h"
#include "driver/control/firmware_log.h"
#include "driver/control/ring_registry.h"
#include "driver/port/device_port.h"
#include "firmware/api/state_dump.h"

namespace vnpu::driver {

/// The visible state of a broken device, taken before its reset.
struct DeviceDump {
    std::vector<std::pair<std::string_view, std::uint32_t>> registers;
    std::vector<std::pair<std::uint32_t, fw::RingHeader>> rings;
    std::vector<std::string> log;        // the newest records of the firmware's
    RunningJob running;                  // according to that log
    std::optional<fw::StateDump> state;  // if the firmware left one since the last reset

    /// Reads registers, so no mutex may be held. Invalidates the firmware's state dump in memory.
    static DeviceDump take(DevicePort& port, const BootMemory& memory, RingRegistry& rings);

    /// One line per item.
    std::vector<std::string> lines() const;
    /// One JSON object.
    std::string json() const;
};

}  // namespace vnpu::driver
