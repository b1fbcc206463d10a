// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/register_text.h"

#include <doctest/doctest.h>

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/bringup/register_text");

TEST_CASE("registers, elements of arrays and undefined offsets have names") {
    CHECK(registerName(0x44) == "STATUS");
    CHECK(registerName(0x10C) == "DOORBELL[3]");
    CHECK(registerName(0xABC) == "offset 0x0abc");
    CHECK(registerName(0x46) == "offset 0x0046");
    CHECK(registerName(0xFFFF'FFFC) == "offset 0xfffffffc");
}

TEST_CASE("values show the fields that are not 0") {
    CHECK(fieldsText(0x60, 0x3) == "JOB_DONE MESSAGE");
    CHECK(fieldsText(0x44, 0x12) == "STATE=2 BUSY");
    CHECK(fieldsText(0x44, 0).empty());
    CHECK(fieldsText(0x48, 0x1234).empty());
}

TEST_CASE("times are microseconds with six digits") {
    CHECK(timeText(0) == "0.000000 us");
    CHECK(timeText(12'345'678) == "12.345678 us");
}

TEST_SUITE_END();
