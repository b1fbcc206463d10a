// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/engine_timer.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

// Records every deadline.
class Recorder : public EngineTimer::Listener {
  public:
    Recorder(DeviceClock& clock, EngineTimer& timer) : clock_(clock), timer_(timer) {
        timer.setListener(this);
    }
    void onTimer() override {
        ++calls;
        for (std::size_t slot = 0; slot < EngineTimer::kSlots; ++slot) {
            if (timer_.takeDue(slot, clock_.now())) {
                seen.emplace_back(clock_.now(), slot);
            }
        }
    }

    std::vector<std::pair<std::uint64_t, std::size_t>> seen;
    int calls = 0;

  private:
    DeviceClock& clock_;
    EngineTimer& timer_;
};

using Seen = std::vector<std::pair<std::uint64_t, std::size_t>>;

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/engine_timer");

TEST_CASE("deadlines are served in time order, equal ones together in slot order [E-4]") {
    simCase([] {
        DeviceClock clock(1'000'000);
        EngineTimer timer("timer", clock);
        Recorder recorder(clock, timer);
        timer.arm(5, 100);
        timer.arm(2, 100);
        timer.arm(6, 40);
        timer.reschedule();
        sc_core::sc_start(1, sc_core::SC_US);
        CHECK(recorder.seen == Seen{{40, 6}, {100, 2}, {100, 5}});
        CHECK(recorder.calls == 2);
    });
}

TEST_CASE("a deadline can move in either direction and be dropped [E-4]") {
    simCase([] {
        DeviceClock clock(1'000'000);
        EngineTimer timer("timer", clock);
        Recorder recorder(clock, timer);
        timer.arm(0, 100);
        timer.arm(1, 200);
        timer.reschedule();
        timer.arm(0, 150);
        timer.reschedule();
        timer.arm(1, 50);
        timer.reschedule();
        timer.arm(2, 300);
        timer.reschedule();
        timer.disarm(2);
        timer.reschedule();
        sc_core::sc_start(1, sc_core::SC_US);
        CHECK(recorder.seen == Seen{{50, 1}, {150, 0}});
        CHECK(timer.scheduled() == EngineTimer::kNever);
    });
}

TEST_CASE("cycles of an odd clock are whole steps of SystemC's time [E-3]") {
    simCase([] {
        DeviceClock clock(700'000);
        CHECK(clock.period() == sc_core::sc_time(1429, sc_core::SC_PS));
        EngineTimer timer("timer", clock);
        Recorder recorder(clock, timer);
        timer.arm(0, 1000);
        timer.reschedule();
        sc_core::sc_start(sc_core::sc_time(1'428'999, sc_core::SC_PS));
        CHECK(recorder.seen.empty());
        sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_PS));
        CHECK(recorder.seen == Seen{{1000, 0}});
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
