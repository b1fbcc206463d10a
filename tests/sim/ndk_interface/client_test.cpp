// SPDX-License-Identifier: Apache-2.0
// A program in C that takes NNAPI's functions by name (client/), with the library where the loader
// finds it.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/program.h"

namespace {

namespace fs = std::filesystem;
using namespace vnpu::test;

/// Sets an environment variable for its own lifetime.
class Environment {
  public:
    Environment(const char* name, const std::string& value) : name_(name) {
        REQUIRE(::setenv(name, value.c_str(), 1) == 0);
    }
    ~Environment() { ::unsetenv(name_); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
};

std::size_t linesWith(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

/// Runs the client with an empty folder for its cache.
void checkClient(const std::vector<std::string>& moreArguments = {}) {
    const TemporaryFolder cache;
    std::vector<std::string> arguments = {cache.path().string()};
    arguments.insert(arguments.end(), moreArguments.begin(), moreArguments.end());
    const ProgramResult result = runProgram(VNPU_NDK_CLIENT, arguments);
    CHECK_MESSAGE(result.exitCode == 0, result.errors);
    CHECK(linesWith(result.output, "vnpu-edge: 66 of 66 operations") == 1);
    CHECK(linesWith(result.output, "nnapi-reference: 66 of 66 operations") == 1);
    // Two compilations on the device, each executed seven times.
    CHECK(linesWith(result.output, "ms on the device") >= 14);
    CHECK_FALSE(fs::is_empty(cache.path()));
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/client");

TEST_CASE("a client in C runs MobileNetV2 with a library of LD_LIBRARY_PATH") {
    const Environment path("LD_LIBRARY_PATH", fs::path(VNPU_NEURALNETWORKS).parent_path().string());
    checkClient();
}

TEST_CASE("a client in C runs MobileNetV2 with a library that is loaded before it") {
    const Environment library("LD_PRELOAD", VNPU_NEURALNETWORKS);
    // AddressSanitizer's library then comes second.
    const Environment order("ASAN_OPTIONS", "verify_asan_link_order=0");
    checkClient();
}

TEST_CASE("a client in C runs MobileNetV2 with a library that it names") {
    checkClient({VNPU_NEURALNETWORKS});
}

TEST_CASE("a client without the library ends with a line") {
    const ProgramResult result = runProgram(VNPU_NDK_CLIENT, {"/tmp", "/no/such/library.so"});
    CHECK(result.exitCode == 1);
    CHECK(result.errors.find("/no/such/library.so") != std::string::npos);
}

TEST_SUITE_END();
