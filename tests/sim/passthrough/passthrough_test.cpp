// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/program.h"

namespace {

using vnpu::test::ProgramResult;
using vnpu::test::runProgram;

/// Sets an environment variable for its own lifetime.
class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) {
        REQUIRE(::setenv(name, value, 1) == 0);
    }
    ~Environment() { ::unsetenv(name_); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
};

}  // namespace

TEST_SUITE_BEGIN("sim/passthrough/passthrough");

TEST_CASE("a program that knows only the HAL finds and uses the device in its process [E-5]") {
    const ProgramResult result = runProgram(VNPU_NAMED_DEVICE, {});
    CHECK(result.exitCode == 0);
    CHECK(result.output == "vnpu-edge\n");
    CHECK(result.errors.empty());
}

TEST_CASE("the environment selects configuration and pace [E-5]") {
    const Environment config("VNPU_CONFIG", "nvdla-large");
    const Environment pace("VNPU_PACE", "realtime");
    const ProgramResult result = runProgram(VNPU_NAMED_DEVICE, {});
    CHECK(result.exitCode == 0);
    CHECK(result.output == "vnpu-nvdla_large\n");
}

TEST_CASE("the environment gives the device the settings of a file [E-5a]") {
    const vnpu::test::CommandFolder folder;
    SUBCASE("they are in force") {
        const std::string file = folder.write(
                "d.toml",
                "[[fault]]\nkind = \"dma-error\"\n[scheduling]\nmechanism = \"restart\"\n");
        const Environment settings("VNPU_DEVICE", file.c_str());
        const ProgramResult result = runProgram(VNPU_NAMED_DEVICE, {});
        CHECK(result.exitCode == 1);
        CHECK(result.errors == "failed: the execution succeeds\n");
    }
    SUBCASE("a mistake is reported, and there is no device") {
        const std::string file = folder.write("d.toml", "\n[power]\nautosuspend = 1\n");
        const Environment settings("VNPU_DEVICE", file.c_str());
        const ProgramResult result = runProgram(VNPU_NAMED_DEVICE, {});
        CHECK(result.exitCode == 1);
        CHECK(result.errors.find("d.toml:3: unknown key power.autosuspend") != std::string::npos);
    }
}

TEST_CASE("a wrong configuration or pace is reported, and there is no device [E-5]") {
    SUBCASE("configuration") {
        const Environment config("VNPU_CONFIG", "no_such");
        const ProgramResult result = runProgram(VNPU_NAMED_DEVICE, {});
        CHECK(result.exitCode == 1);
        CHECK(result.errors.find("no_such") != std::string::npos);
    }
    SUBCASE("pace") {
        const Environment pace("VNPU_PACE", "fast");
        const ProgramResult result = runProgram(VNPU_NAMED_DEVICE, {});
        CHECK(result.exitCode == 1);
        CHECK(result.errors.find("expected max, realtime or a factor") != std::string::npos);
    }
}

TEST_SUITE_END();
