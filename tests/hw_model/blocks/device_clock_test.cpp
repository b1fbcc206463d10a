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

TEST_SUITE_END();

}  // namespace vnpu::test
