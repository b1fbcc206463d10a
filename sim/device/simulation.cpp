// SPDX-License-Identifier: Apache-2.0
#include "sim/device/simulation.h"

#include <stdexcept>

namespace vnpu::sim {

namespace {

/// Throws errors. Warnings and other messages concern the model's own code; the host has no use for
/// them on its standard output.
void throwErrors(const sc_core::sc_report& report, const sc_core::sc_actions& /*actions*/) {
    if (report.get_severity() >= sc_core::SC_ERROR) {
        throw sc_core::sc_report(report);
    }
}

}  // namespace

Simulation::Simulation() {
    if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
        throw std::runtime_error(
                "the program has set a time resolution of SystemC other than 1 ps, expected a "
                "program that does not use SystemC itself");
    }
    sc_core::sc_report_handler::set_handler(throwErrors);
}

std::uint64_t Simulation::untilNextEvent() const {
    if (!hasStarted_) {
        return 0;
    }
    const sc_core::sc_simcontext* const context = sc_core::sc_get_curr_simcontext();
    return sc_core::sc_pending_activity(context)
                   ? sc_core::sc_time_to_pending_activity(context).value()
                   : kNever;
}

void Simulation::advance(std::uint64_t step) {
    hasStarted_ = true;
    afterStep_.notify(sc_core::sc_time::from_value(step + 1));
    if (step != 0) {
        sc_core::sc_start(sc_core::sc_time::from_value(step));
    }
    // SystemC leaves the last time step to the next call.
    do {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    } while (sc_core::sc_pending_activity_at_current_time(sc_core::sc_get_curr_simcontext()));
    afterStep_.cancel();
}

}  // namespace vnpu::sim
