// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "tests/support/program.h"

namespace {

using vnpu::test::runVnpu;
using vnpu::test::TemporaryFolder;

/// A program in place of QEMU.
std::string createProgram(const TemporaryFolder& folder, const std::string& commands) {
    const auto path = folder / "qemu";
    std::ofstream(path) << "#!/bin/bash\n" << commands;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
}

}  // namespace

TEST_SUITE_BEGIN("sim/qemu/device_command");

TEST_CASE(
        "vnpu device --qemu starts QEMU with the user's arguments and ends with its exit code "
        "[issue 28.5]") {
    const TemporaryFolder folder;
    const std::string qemu = createProgram(folder, "echo \"$@\"\nexit 7\n");
    const auto result = runVnpu({"device", "--qemu", "--qemu-program", qemu, "--kernel", "/linux",
                                 "--memory", "256M", "--", "-snapshot", "--more"});
    CHECK(result.exitCode == 7);
    CHECK(result.errors.empty());
    CHECK(result.output.find("size=256M,share=on") != std::string::npos);
    CHECK(result.output.find("-kernel /linux") != std::string::npos);
    CHECK(result.output.ends_with("-snapshot --more\n"));
}

TEST_CASE(
        "a program that does not keep to the protocol ends the device with exit code 1 "
        "[issue 28.5]") {
    const TemporaryFolder folder;
    const std::string qemu = createProgram(folder, R"(
words=$*
descriptor=${words#*x-pci-proxy-dev,id=vnpu,fd=}
echo 'not a header of QEMU' >&"${descriptor%% *}"
exec sleep 100
)");
    const auto result = runVnpu({"device", "--qemu", "--qemu-program", qemu});
    CHECK(result.exitCode == 1);
    CHECK(result.errors.find("QEMU does not keep to the protocol: command ") != std::string::npos);
}

TEST_CASE("wrong options of vnpu device end with exit code 2 [issue 28.5]") {
    CHECK(runVnpu({"device"}).exitCode == 2);
    CHECK(runVnpu({"device", "--qemu", "--config", "none"}).exitCode == 2);
    CHECK(runVnpu({"device", "--qemu", "--device", "/no/file"}).exitCode == 2);
    CHECK(runVnpu({"device", "--qemu", "--pace", "fast"}).exitCode == 2);
    CHECK(runVnpu({"device", "--qemu", "--qemu-program", "/no/qemu"}).exitCode == 2);
    const auto join = runVnpu({"device", "--qemu", "--join", "/no/socket"});
    CHECK(join.exitCode == 2);
    CHECK(join.errors.find("-qmp unix:/no/socket,server=on,wait=off") != std::string::npos);
}

TEST_SUITE_END();
