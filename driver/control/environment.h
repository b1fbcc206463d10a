// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "driver/api/observer.h"
#include "driver/api/options.h"
#include "driver/control/live_counters.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

/// The driver's only way to its observer; does nothing without one. Any thread, no lock held.
class DriverLog {
  public:
    DriverLog(DevicePort& port, DriverObserver* observer) : port_(port), observer_(observer) {}

    void line(std::string_view text) const {
        if (observer_ != nullptr) {
            observer_->onLog(port_.now(), text);
        }
    }

    /// Calls a method of the observer with the present device time and these arguments.
    template <typename Method, typename... Arguments>
    void event(Method method, Arguments&&... arguments) const {
        if (observer_ != nullptr) {
            (observer_->*method)(port_.now(), std::forward<Arguments>(arguments)...);
        }
    }

  private:
    DevicePort& port_;
    DriverObserver* observer_;  // not owned, may be null
};

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

    /// Counts and reports a copy of a client's bytes by the host.
    void countHostCopy(std::uint64_t bytes) const {
        counters.hostCopiedBytes += bytes;
        log.event(&DriverObserver::onHostCopy, bytes);
    }
};

}  // namespace vnpu::driver
