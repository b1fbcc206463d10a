// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sim/service/service_process.h"
#include "tests/support/program.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::CommandFolder;
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

TEST_CASE("the installed files are sufficient for a program, and can be moved [E-5]") {
    if (VNPU_IS_SANITIZED) {
        MESSAGE("skipped: the compiler alone does not know of the sanitizer");
        return;
    }
    const CommandFolder folder;
    const auto mustRun = [&](const std::string& command) {
        CAPTURE(command);
        const int exitCode = folder.system(command);
        CAPTURE(folder.read("err"));
        REQUIRE(exitCode == 0);
    };
    mustRun(fmt::format("DESTDIR={} {} --install {} --prefix /usr", folder / "stage", VNPU_CMAKE,
                        VNPU_BUILD_FOLDER));
    std::filesystem::rename(folder / "stage/usr", folder / "moved");
    mustRun(fmt::format("find {} -name vnpu-client.pc -printf %h", folder / "moved"));
    mustRun(
            fmt::format("{} -std=c++17 {}/tests/sim/passthrough/named_device.cpp -o {} "
                        "$(PKG_CONFIG_PATH={} pkg-config --cflags --libs vnpu-client)",
                        VNPU_COMPILER, vnpu::test::sourceFolder().string(), folder / "program",
                        folder.read("out")));
    const ServiceProcess service(folder / "moved/bin/vnpu", {"--config", "mobile"});
    const ProgramResult result = runRemoteDevice(service.socketPath(), folder / "program");
    CHECK(result.exitCode == 0);
    CHECK(result.output == "vnpu-mobile\n");
    CHECK(result.errors.empty());
}

TEST_SUITE_END();
