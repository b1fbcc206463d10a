// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <systemc>

#include "hw_model/blocks/base/device_clock.h"

namespace vnpu::hw {

/// Deadlines of all engines behind one SystemC event. Engines are state machines that request a
/// cycle; one SystemC method wakes for the earliest request. A command thus costs about one event.
/// Deadlines of the same cycle are served in slot order.
///
/// A controller that runs ahead of SystemC's time (controller.h) serves the deadlines itself, as
/// long as nothing else is due before them. Between horizon() and release() it serves all of them.
/// Simulation thread.
class EngineTimer : public sc_core::sc_module {
  public:
    static constexpr std::size_t kDmaSlot = 0;  // first of four
    static constexpr std::size_t kMacArraySlot = 4;
    static constexpr std::size_t kMacOutputSlot = 5;
    static constexpr std::size_t kVectorSlot = 6;
    static constexpr std::size_t kDspComputeSlot = 7;
    static constexpr std::size_t kDspMemorySlot = 8;
    static constexpr std::size_t kDspYieldSlot = 9;
    static constexpr std::size_t kSlots = 10;
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    class Listener {
      public:
        virtual ~Listener() = default;
        /// At least one deadline has arrived; the listener collects them with takeDue().
        virtual void onTimer() = 0;
    };

    SC_HAS_PROCESS(EngineTimer);
    EngineTimer(const sc_core::sc_module_name& name, DeviceClock& clock);

    void setListener(Listener* listener) { listener_ = listener; }

    void arm(std::size_t slot, std::uint64_t cycle) { deadlines_[slot] = cycle; }
    void disarm(std::size_t slot) { deadlines_[slot] = kNever; }
    std::uint64_t deadline(std::size_t slot) const { return deadlines_[slot]; }

    /// Whether the slot's deadline has arrived; disarms it if so.
    bool takeDue(std::size_t slot, std::uint64_t now) {
        if (deadlines_[slot] > now) {
            return false;
        }
        deadlines_[slot] = kNever;
        return true;
    }

    /// Sets the event to the earliest deadline. Call it once after a group of arm and disarm calls.
    void reschedule();

    /// The earliest deadline after reschedule(), or kNever.
    std::uint64_t scheduled() const { return scheduled_; }

    /// The last cycle before which SystemC has nothing to do but these deadlines; from now on only
    /// serveAhead() serves them.
    std::uint64_t horizon();

    /// Serves the deadlines of the cycle scheduled(), which must not lie behind horizon(). The
    /// clock stays at that cycle.
    void serveAhead();

    /// Hands the deadlines back to SystemC. Does nothing without a preceding horizon().
    void release();

  private:
    void fire();
    void serve(std::uint64_t cycle);
    void notify();

    DeviceClock& clock_;
    Listener* listener_ = nullptr;
    std::array<std::uint64_t, kSlots> deadlines_{};
    std::uint64_t scheduled_ = kNever;
    std::uint64_t notified_ = kNever;  // the event's next notification
    bool isHeld_ = false;
    sc_core::sc_event event_;
};

}  // namespace vnpu::hw
