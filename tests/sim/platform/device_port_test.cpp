// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "sim/config/load_config.h"
#include "sim/platform/live_platform.h"
#include "sim/platform/platform.h"
#include "tests/driver/support/port_conformance.h"
#include "tests/support/sim_case.h"

namespace {

using vnpu::driver::test::checkDevicePort;
using vnpu::sim::ClientContext;
using vnpu::sim::LivePlatform;
using vnpu::sim::loadConfig;
using vnpu::sim::Platform;
using vnpu::test::simCase;

}  // namespace

TEST_SUITE_BEGIN("sim/platform/device_port");

TEST_CASE("the platform in virtual time fulfills the contract of the device port") {
    simCase([] {
        Platform platform({.config = loadConfig("edge")});
        platform.addClient("host", 10001,
                           [](ClientContext& context) { checkDevicePort(context.port()); });
        platform.run();
    });
}

TEST_CASE("the live platform fulfills the contract of the device port") {
    simCase([] {
        LivePlatform platform({.config = loadConfig("edge")});
        platform.run(
                {{"host", 10001, [](ClientContext& context) { checkDevicePort(context.port()); }}});
    });
}

TEST_SUITE_END();
