// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/api/options.h"
#include "driver/control/driver_log.h"
#include "driver/control/live_counters.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

class JobTracker;
class MailboxClient;
class RingRegistry;

/// The things of one device that every part of the driver may use. DeviceRuntime owns them; the
/// parts hold references. Any thread.
struct Environment {
    DevicePort& port;
    const DeviceInfo& info;
    const DriverOptions& options;
    const DriverLog& log;
    LiveCounters& counters;
    MailboxClient& mailbox;
    RingRegistry& rings;
    JobTracker& jobs;
};

}  // namespace vnpu::driver
