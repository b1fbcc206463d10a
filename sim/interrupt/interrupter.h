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

/// Interrupts what other clients of a platform execute: by telling the firmware to, or with a rival
/// of high priority that comes at random times and checks its own results. The platform has an
/// interruptible configuration and scheduling. One client at a time; deterministic.
class Interrupter {
  public:
    /// Adds the rival, another app; before the platform runs.
    Interrupter(Platform& platform, std::uint64_t seed);
    ~Interrupter();
    Interrupter(const Interrupter&) = delete;
    Interrupter& operator=(const Interrupter&) = delete;

    /// Calls `run` on the client's own thread, where executions of about this duration are
    /// interrupted in this way; afterwards nothing is. How often they were. Throws
    /// std::runtime_error if the firmware refuses, or if the rival got a wrong result.
    std::uint64_t interrupt(ClientContext& context, Interruption how,
                            std::chrono::nanoseconds duration, const std::function<void()>& run);

    /// No client will be interrupted any more: the rival's thread ends.
    void finish();

  private:
    class Rival;

    std::uint64_t interruptions(ClientContext& context) const;

    const std::shared_ptr<Rival> rival_;
};

}  // namespace vnpu::sim
