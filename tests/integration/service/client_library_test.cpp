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

void mustRun(const CommandFolder& folder, const std::string& command) {
    CAPTURE(command);
    const int exitCode = folder.system(command);
    CAPTURE(folder.read("err"));
    REQUIRE(exitCode == 0);
}

/// What `cmake --install` installs, moved to another place.
class Installation {
  public:
    Installation() {
        mustRun(folder_, fmt::format("DESTDIR={} {} --install {} --prefix /usr", folder_ / "stage",
                                     VNPU_CMAKE, VNPU_BUILD_FOLDER));
        std::filesystem::rename(folder_ / "stage/usr", folder_ / "moved");
    }

    std::string operator/(const std::string& name) const { return folder_ / ("moved/" + name); }

    /// Compiles a source file of the project with these flags and those of a pkg-config package.
    std::string compile(const std::string& source, const std::string& flags,
                        const std::string& package) const {
        mustRun(folder_, fmt::format("find {} -name {}.pc -printf %h", *this / "", package));
        mustRun(folder_, fmt::format("{} -std=c++17 {}/{} -o {} "
                                     "{} $(PKG_CONFIG_PATH={} pkg-config --cflags --libs {})",
                                     VNPU_COMPILER, vnpu::test::sourceFolder().string(), source,
                                     folder_ / "program", flags, folder_.read("out"), package));
        return folder_ / "program";
    }

  private:
    CommandFolder folder_;
};

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
    if (VNPU_IS_SANITIZED) {
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

TEST_SUITE_END();
