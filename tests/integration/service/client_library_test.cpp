// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "sim/service/service_process.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::ProgramResult;
using vnpu::test::runProgram;

/// A program that knows the HAL and libvnpu_client.so alone, with the service at this socket.
ProgramResult runRemoteDevice(const std::string& socket) {
    REQUIRE(::setenv("VNPU_SOCKET", socket.c_str(), 1) == 0);
    const ProgramResult result = runProgram(VNPU_REMOTE_DEVICE, {});
    ::unsetenv("VNPU_SOCKET");
    return result;
}

}  // namespace

TEST_SUITE_BEGIN("integration/service/client_library");

TEST_CASE("a program that knows the HAL alone uses the device of a service [E-5]") {
    const ServiceProcess service(VNPU_PROGRAM, {"--config", "mobile"});
    const ProgramResult result = runRemoteDevice(service.socketPath());
    CHECK(result.exitCode == 0);
    CHECK(result.output == "vnpu-mobile\n");
    CHECK(result.errors.empty());
}

TEST_CASE("a program that knows the HAL alone uses all devices of a service [E-5]") {
    const ServiceProcess service(VNPU_PROGRAM, {"--config", "edge", "--config", "nvdla-large"});
    const ProgramResult result = runRemoteDevice(service.socketPath());
    CHECK(result.exitCode == 0);
    CHECK(result.output == "vnpu-edge\nvnpu-nvdla_large\n");
}

TEST_CASE("without a service there is no device [E-5]") {
    const ProgramResult result = runRemoteDevice("/nowhere/vnpu.sock");
    CHECK(result.exitCode == 1);
    CHECK(result.errors == "failed: a device is there\n");
}

TEST_SUITE_END();
