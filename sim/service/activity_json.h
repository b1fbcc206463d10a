// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "driver/api/activity.h"
#include "sim/service/live_device.h"
#include "sim/trace/event_stream.h"

namespace vnpu::sim {

/// What a driver does and has done lately: {"current", "ended", "faults", "fault_count", "resets",
/// "is_given_up"}. Times are in ns of device time since power-on; null where there is none.
nlohmann::ordered_json activityJson(const driver::DriverActivity& activity);

/// [{"kind", "at_ns", "engine", "job"}] of the latest injected faults. "engine" and "job" are null
/// where the fault has none; `events` converts times.
nlohmann::ordered_json injectedJson(const LiveDevice::Injected& injected,
                                    const EventStream& events);

}  // namespace vnpu::sim
