// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/case_watch.h"

#include <doctest/doctest.h>

#include <chrono>
#include <future>

using vnpu::sim::CaseWatch;
using namespace std::chrono_literals;

TEST_SUITE_BEGIN("sim/ci/case_watch");

TEST_CASE("a case that does not end is told") {
    std::promise<void> told;
    bool isTold = false;
    CaseWatch watch(1ms, [&] {
        if (!isTold) {
            isTold = true;
            told.set_value();
        }
    });
    watch.begin();
    told.get_future().wait();
    watch.end();
    CHECK(true);  // without the call the test would not come here
}

TEST_CASE("cases that end are not told, however many there are") {
    int late = 0;
    {
        CaseWatch watch(1h, [&] { ++late; });
        for (int i = 0; i < 1000; ++i) {
            watch.begin();
            watch.end();
        }
    }
    CHECK(late == 0);
}

TEST_CASE("a watch without a case ends at once") {
    const CaseWatch watch(1h, [] {});
    CHECK(true);
}

TEST_SUITE_END();
