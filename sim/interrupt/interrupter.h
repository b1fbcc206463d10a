// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "driver/port/device_port.h"
#include "sim/base/random.h"
#include "sim/interrupt/interruption.h"
#include "sim/models/stress_models.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Interrupts the executions of other clients of a platform, either through the firmware, or by a
/// rival of high priority that comes at random times and checks its own results. The platform must
/// have an interruptible configuration and scheduling. One client at a time; deterministic.
class Interrupter {
  public:
    /// Adds the rival, which is another app; before the platform runs.
    Interrupter(Platform& platform, std::uint64_t seed);
    ~Interrupter();
    Interrupter(const Interrupter&) = delete;
    Interrupter& operator=(const Interrupter&) = delete;

    /// Calls `run` on the client's own thread and interrupts executions of about this duration
    /// meanwhile. Returns the number of interruptions. Throws std::runtime_error if the firmware
    /// refuses, or if the rival got a wrong result.
    std::uint64_t interrupt(ClientContext& context, Interruption how,
                            std::chrono::nanoseconds duration, const std::function<void()>& run);

    /// Ends the rival's thread; no client can be interrupted afterwards.
    void finish();

  private:
    class Rival;

    std::uint64_t interruptions(ClientContext& context) const;

    const std::shared_ptr<Rival> rival_;
};

}  // namespace vnpu::sim
