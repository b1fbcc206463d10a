// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engine_timer.h"

#include <algorithm>

namespace vnpu::hw {

EngineTimer::EngineTimer(const sc_core::sc_module_name& name, DeviceClock& clock)
    : sc_module(name), clock_(clock) {
    deadlines_.fill(kNever);
    SC_METHOD(fire);
    sensitive << event_;
    dont_initialize();
}

void EngineTimer::reschedule() {
    const std::uint64_t earliest = *std::min_element(deadlines_.begin(), deadlines_.end());
    if (earliest == scheduled_) {
        return;
    }
    if (earliest > scheduled_) {
        event_.cancel();
    }
    scheduled_ = earliest;
    if (earliest != kNever) {
        event_.notify(clock_.until(earliest));
    }
}

void EngineTimer::fire() {
    scheduled_ = kNever;
    clock_.setLead(clock_.simulated());  // spares those who ask the division
    listener_->onTimer();
    reschedule();
    clock_.clearLead();
}

}  // namespace vnpu::hw
