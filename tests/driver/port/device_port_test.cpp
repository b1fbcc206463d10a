// SPDX-License-Identifier: Apache-2.0
#include "driver/port/device_port.h"

#include <doctest/doctest.h>

#include "tests/driver/support/port_conformance.h"
#include "tests/driver/support/service.h"

using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/port/device_port");

TEST_CASE("the fake device keeps the contract of the device port") {
    Service service;
    checkDevicePort(service.port);
}

TEST_SUITE_END();
