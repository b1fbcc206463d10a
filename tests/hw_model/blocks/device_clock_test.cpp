// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/device_clock.h"

#include <doctest/doctest.h>

#include "tests/support/sim_case.h"

namespace vnpu::test {

using hw::DeviceClock;

TEST_SUITE_BEGIN("hw_model/blocks/device_clock");

TEST_CASE("counts whole cycles and returns the time to an edge [E-3]") {
    simCase([] {
        DeviceClock clock(500'000);
        sc_core::sc_start(5, sc_core::SC_NS);
        CHECK(clock.now() == 2);
        CHECK(clock.until(4) == sc_core::sc_time(3, sc_core::SC_NS));
        CHECK(clock.until(2) == sc_core::SC_ZERO_TIME);
    });
}

TEST_CASE("a lead overrides the present until it is cleared [E-3]") {
    simCase([] {
        DeviceClock clock(1'000'000);
        sc_core::sc_start(10, sc_core::SC_NS);
        clock.setLead(25);
        CHECK(clock.now() == 25);
        CHECK(clock.simulated() == 10);
        clock.clearLead();
        CHECK(clock.now() == 10);
    });
}

TEST_CASE("the horizon is the last cycle before anything happens [E-4]") {
    simCase([] {
        DeviceClock clock(1'000'000);
        sc_core::sc_event event;
        sc_core::sc_start(10, sc_core::SC_NS);
        CHECK(clock.horizon() > 10 + 100'000);
        event.notify(20, sc_core::SC_NS);
        CHECK(clock.horizon() == 29);
        event.notify(sc_core::sc_time(4500, sc_core::SC_PS));
        CHECK(clock.horizon() == 14);
        event.notify(sc_core::SC_ZERO_TIME);
        CHECK(clock.horizon() == 10);
    });
}

TEST_CASE("a resolution finer than a picosecond changes no cycle [issue 28]") {
    simCase([] {
        sc_core::sc_set_time_resolution(10, sc_core::SC_FS);
        DeviceClock clock(3'000'000);  // 333 ps
        sc_core::sc_start(sc_core::sc_time(999, sc_core::SC_PS));
        CHECK(clock.now() == 3);
        CHECK(clock.until(4) == sc_core::sc_time(333, sc_core::SC_PS));
    });
}

TEST_CASE("at a resolution coarser than a cycle, edges come at the next time step [issue 28]") {
    simCase([] {
        sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
        DeviceClock clock(3'000'000);  // 333 ps
        sc_core::sc_event event;
        sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));
        CHECK(clock.now() == 6);  // 1998 ps
        CHECK(clock.until(6) == sc_core::SC_ZERO_TIME);
        CHECK(clock.until(7) == sc_core::sc_time(1, sc_core::SC_NS));
        CHECK(clock.until(10) == sc_core::sc_time(2, sc_core::SC_NS));
        event.notify(sc_core::sc_time(2, sc_core::SC_NS));
        CHECK(clock.horizon() == 9);  // 2997 ps
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
