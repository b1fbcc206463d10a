// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/driver/runtime/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/runtime/execution");

TEST_CASE("an execution reads and writes the client's pools in place [MP-3] [MP-6]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 64}));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    const Pool input(64);
    const Pool output(64);
    for (int i = 0; i < 64; ++i) {
        input.bytes()[i] = static_cast<std::uint8_t>(3 * i);
    }

    const Outcome outcome = executeSync(prepared.model, requestOf(input, output, 64));

    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    for (int i = 0; i < 64; ++i) {
        CHECK_EQ(output.bytes()[i], static_cast<std::uint8_t>(3 * i));
    }
    CHECK_EQ(service.counters().hostCopiedBytes, 0);
}

TEST_SUITE_END();
