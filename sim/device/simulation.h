// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

namespace vnpu::sim {

/// SystemC's simulation of this process, for a host that acts between steps of simulated time.
/// Times are picoseconds. SystemC's errors become exceptions. One thread.
class Simulation {
  public:
    static constexpr std::uint64_t kNever = UINT64_MAX;

    /// Throws std::runtime_error if the program itself has configured SystemC differently.
    Simulation();

    /// SystemC's modules can be created until then.
    bool hasStarted() const { return hasStarted_; }

    static std::uint64_t now() { return sc_core::sc_time_stamp().value(); }

    /// The time until the next event; kNever if there is none.
    std::uint64_t untilNextEvent() const;

    /// Whether the end of such a step can be represented.
    static bool canAdvance(std::uint64_t step) { return step < kNever - 1 - now(); }

    /// Executes all events up to and including those at the end of the step. The end comes earlier
    /// if a process calls sc_pause().
    void advance(std::uint64_t step);

  private:
    sc_core::sc_event afterStep_;  // devices run ahead of SystemC's time up to this event
    bool hasStarted_ = false;
};

}  // namespace vnpu::sim
