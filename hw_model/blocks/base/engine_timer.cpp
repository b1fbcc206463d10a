// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/engine_timer.h"

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
    scheduled_ = *std::min_element(deadlines_.begin(), deadlines_.end());
    if (!isHeld_) {
        notify();
    }
}

void EngineTimer::notify() {
    if (scheduled_ == notified_) {
        return;
    }
    if (scheduled_ > notified_) {
        event_.cancel();
    }
    notified_ = scheduled_;
    if (scheduled_ != kNever) {
        event_.notify(clock_.until(scheduled_));
    }
}

std::uint64_t EngineTimer::horizon() {
    isHeld_ = true;
    const std::uint64_t horizon = clock_.horizon();
    if (notified_ == kNever || horizon + 1 < notified_) {
        return horizon;
    }
    // This event is the next activity in SystemC and hides what comes after it.
    event_.cancel();
    notified_ = kNever;
    return clock_.horizon();
}

void EngineTimer::serveAhead() {
    serve(scheduled_);
}

void EngineTimer::serve(std::uint64_t cycle) {
    clock_.setLead(cycle);
    listener_->onTimer();
    reschedule();
}

void EngineTimer::release() {
    if (isHeld_) {
        isHeld_ = false;
        notify();
    }
}

void EngineTimer::fire() {
    notified_ = kNever;
    serve(clock_.simulated());  // computed once here: it costs a division
    clock_.clearLead();
}

}  // namespace vnpu::hw
