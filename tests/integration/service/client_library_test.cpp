// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sim/service/service_process.h"
#include "tests/support/installation.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::Installation;
using vnpu::test::ProgramResult;
using vnpu::test::runProgram;

/// A program that uses only the HAL and libvnpu_client.so, with the service at this socket.
ProgramResult runRemoteDevice(const std::string& socket,
                              const std::string& program = VNPU_REMOTE_DEVICE) {
    REQUIRE(::setenv("VNPU_SOCKET", socket.c_str(), 1) == 0);
    const ProgramResult result = runProgram(program, {});
    ::unsetenv("VNPU_SOCKET");
    return result;
}

}  // namespace

TEST_SUITE_BEGIN("integration/service/client_library");

TEST_CASE("a program that knows only the HAL uses the device of a service [E-5]") {
    const ServiceProcess service(VNPU_PROGRAM, {"--config", "mobile"});
    const ProgramResult result = runRemoteDevice(service.socketPath());
    CHECK(result.exitCode == 0);
    CHECK(result.output == "vnpu-mobile\n");
    CHECK(result.errors.empty());
}

TEST_CASE("a program that knows only the HAL uses all devices of a service [E-5]") {
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

TEST_CASE("a driver of one's own serves bursts by AOSP's names [B-8] [B-8a]") {
    const ProgramResult result = runProgram(VNPU_OWN_BURST, {});
    CAPTURE(result.errors);
    CHECK(result.exitCode == 0);
}

TEST_CASE("the installed files are sufficient for a program, and can be moved [E-5] [B-8a]") {
    if (!Installation::isUsable()) {
        MESSAGE("skipped: the compiler alone does not know of the sanitizer");
        return;
    }
    const Installation installed;
    const std::string program =
            installed.compile("tests/sim/passthrough/named_device.cpp", "", "vnpu-client");
    const ServiceProcess service(installed / "bin/vnpu", {"--config", "mobile"});
    const ProgramResult result = runRemoteDevice(service.socketPath(), program);
    CHECK(result.exitCode == 0);
    CHECK(result.output == "vnpu-mobile\n");
    CHECK(result.errors.empty());

    // Bursts by AOSP's names, on the client library (by its package's requirement) or another.
    const char* const source = "tests/integration/service/own_burst.cpp";
    CHECK(runProgram(installed.compile(source, "", "vnpu-neuralnetworks_common"), {}).exitCode ==
          0);
    CHECK(runProgram(installed.compile(source, "-lneuralnetworks_common", "vnpu-passthrough"), {})
                  .exitCode == 0);
}

TEST_CASE("the installed example computes a convolution through NNAPI's C interface") {
    if (!Installation::isUsable()) {
        MESSAGE("skipped: the compiler alone does not know of the sanitizer");
        return;
    }
    const Installation installed;
    const std::string program =
            installed.compileWith("gcc -std=c99 -pedantic -Wall -Wextra -Werror",
                                  "sim/ndk/examples/convolution.c", "", "vnpu-neuralnetworks");
    const ProgramResult result = runProgram(program, {});
    CAPTURE(result.errors);
    CHECK(result.exitCode == 0);
    CHECK(result.output.find("compiled for vnpu-edge, priority 90\n"
                             "compiled for vnpu-edge, priority 110\n"
                             "alone ") == 0);
    CHECK(result.output.find("\nhigh priority ") != std::string::npos);
    CHECK(std::filesystem::exists(installed / "share/doc/vnpu/examples/nnapi/convolution.c"));
}

TEST_SUITE_END();
