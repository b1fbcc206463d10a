// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/content_hash.h"

#include <doctest/doctest.h>

#include <set>

#include "sim/config/load_config.h"

namespace {

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/sweep/content_hash");

TEST_CASE("the hash is SHA-256 of the pieces with their lengths") {
    // sha256sum of "3:abc".
    CHECK(ContentHash().add("abc").finish() ==
          "aab5f9ae99b2e38fb462025c8f72f570c9c811705d2a4277dc855d7fa293fe97");
    CHECK(ContentHash().add("ab").add("c").finish() != ContentHash().add("abc").finish());
    CHECK(ContentHash().add("abc").finish().size() == 64);
}

TEST_CASE("a point's name depends on everything that affects its result") {
    Scenario scenario;
    scenario.clients.resize(1);
    scenario.clients[0].modelSource = "zoo:x";
    const vnpu::hw::NpuConfig edge = loadConfig("edge");
    std::set<std::string> hashes;
    hashes.insert(pointHash("p", "text", scenario, edge, {}));
    CHECK(pointHash("p", "text", scenario, edge, {}) == *hashes.begin());
    hashes.insert(pointHash("q", "text", scenario, edge, {}));
    hashes.insert(pointHash("p", "other", scenario, edge, {}));
    hashes.insert(pointHash("p", "text", scenario, loadConfig("mobile"), {}));
    hashes.insert(pointHash("p", "text", scenario, edge, {.byKey = {{"zoo:x batch 1 sync", 5}}}));
    scenario.seed = 2;
    hashes.insert(pointHash("p", "text", scenario, edge, {}));
    scenario.clients[0].traceNs = {1, 2};
    hashes.insert(pointHash("p", "text", scenario, edge, {}));
    scenario.clients[0].modelSource = "/proc/self/exe";
    hashes.insert(pointHash("p", "text", scenario, edge, {}));
    CHECK(hashes.size() == 8);
    CHECK(isolatedHash("p", scenario.clients[0], edge) !=
          isolatedHash("p", scenario.clients[0], loadConfig("mobile")));
}

TEST_SUITE_END();

}  // namespace
