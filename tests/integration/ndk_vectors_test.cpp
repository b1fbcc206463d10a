// SPDX-License-Identifier: Apache-2.0
// The NNAPI example models through NNAPI's C interface: `vnpu conform --ndk`. They are not part of
// the repository.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/supported_examples.h"
#include "tests/support/program.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu::test;
using Json = nlohmann::json;

/// Runs all examples with these options; at least so many must pass, and none may fail.
void checkVectors(std::vector<std::string> options, std::size_t leastPassed) {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    options.insert(options.begin(), {"conform", folder.string(), "--ndk", "--library",
                                     VNPU_NEURALNETWORKS, "--json"});
    const ProgramResult result = runVnpu(options);
    CHECK_MESSAGE(result.exitCode == 0, result.errors.substr(0, 2000));
    const Json report = Json::parse(result.output, nullptr, false);
    REQUIRE(report.is_object());
    for (const Json& failure : report["failures"]) {
        MESSAGE(failure["model"].get<std::string>(), ": ", failure["detail"].get<std::string>());
    }
    const auto count = [&](const char* name) { return report[name].get<std::size_t>(); };
    CHECK(count("failed") == 0);
    CHECK(count("unsupported") <= kUnsupported);
    CHECK(count("passed") >= leastPassed);
    CHECK(count("passed") + count("failed") + count("unsupported") + count("omitted") ==
          kAllModels);
}

}  // namespace

TEST_SUITE_BEGIN("integration/ndk_vectors");

TEST_CASE("no NNAPI example fails through the C interface at once, by pointers") {
    checkVectors({"--memory", "pointers"}, kSupported);
}

TEST_CASE("no NNAPI example fails through the C interface in the background, with times") {
    checkVectors({"--path", "async", "--timing"}, kSupported);
}

TEST_CASE("no NNAPI example fails through the C interface with fences, from the cache") {
    checkVectors({"--path", "fenced", "--cache"}, kSupported);
}

TEST_CASE("no NNAPI example fails through the C interface in bursts, in hardware buffers") {
    checkVectors({"--path", "burst", "--pools", "hardware_buffer_blob"}, kSupported);
}

TEST_CASE("no NNAPI example fails through the C interface in memories of the device") {
    checkVectors({"--memory", "domains"}, 6747);
}

TEST_CASE("no NNAPI example fails through the C interface with outputs of unknown shape") {
    checkVectors({"--outputs", "short"}, 6448);
}

TEST_CASE("no NNAPI example fails on the CPU device of the C interface") {
    checkVectors({"--device", "nnapi-reference"}, kSupported);
    checkVectors({"--device", "nnapi-reference", "--path", "fenced"}, kSupported);
    checkVectors({"--device", "nnapi-reference", "--path", "async", "--outputs", "short"}, 6448);
}

TEST_CASE("no NNAPI example fails through the C interface with a service") {
    checkVectors({"--service"}, kSupported);
}

TEST_SUITE_END();
