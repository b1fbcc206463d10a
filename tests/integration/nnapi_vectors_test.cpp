// SPDX-License-Identifier: Apache-2.0
// The NNAPI spec examples through `vnpu conform`. They are not part of the repository.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/integration/shared_folder.h"

namespace {

using namespace vnpu::test;
using Json = nlohmann::json;

constexpr std::size_t kAllModels = 6802;

/// How many of the examples run at least; grows with the operations that the device takes.
constexpr std::size_t kLeastPassed = 1500;

void checkVectors(const std::string& path) {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    const ProgramResult result = runVnpu({"conform", folder.string(), "--path", path, "--json"});
    REQUIRE_MESSAGE(result.exitCode <= 1, result.errors);
    const Json json = Json::parse(result.output);
    CHECK(json["failed"] == 0);
    for (const Json& failure : json["failures"]) {
        MESSAGE(failure["model"].get<std::string>(), ": ", failure["detail"].get<std::string>());
    }
    const auto passed = json["passed"].get<std::size_t>();
    CHECK(passed >= kLeastPassed);
    CHECK(passed + json["failed"].get<std::size_t>() + json["unsupported"].get<std::size_t>() ==
          kAllModels);
}

}  // namespace

TEST_SUITE_BEGIN("integration/nnapi_vectors");

TEST_CASE("no NNAPI example that the device takes fails, synchronously [E-8]") {
    checkVectors("sync");
}

TEST_CASE("no NNAPI example that the device takes fails, asynchronously [E-8]") {
    checkVectors("async");
}

TEST_CASE("no NNAPI example that the device takes fails, fenced [E-8]") {
    checkVectors("fenced");
}

TEST_CASE("no NNAPI example that the device takes fails, in bursts [E-8] [B-5]") {
    checkVectors("burst");
}

TEST_CASE("the last line of conform counts the models") {
    const auto folder = sharedFolder() / "nnapi_vectors" / "V1_0" / "add.cbor";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    const ProgramResult result = runVnpu({"conform", folder.string(), "--filter", "^add$"});
    CHECK(result.exitCode == 0);
    const std::string last = "1 passed, 0 failed, 0 unsupported\n";
    REQUIRE(result.output.size() >= last.size());
    CHECK(result.output.substr(result.output.size() - last.size()) == last);
}

TEST_SUITE_END();
