// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/overrides.h"

#include <doctest/doctest.h>

#include <optional>

namespace {

using namespace vnpu::sim;

toml::table base() {
    return parseToml(
            "[scenario]\nduration = \"1 s\"\n[[client]]\nname = \"a\"\nrate_hz = 1\n"
            "[[client]]\nname = \"b\"\n",
            "s.toml");
}

std::optional<std::int64_t> rateOf(const toml::table& root, std::size_t client) {
    return root["client"][client]["rate_hz"].value<std::int64_t>();
}

TEST_SUITE_BEGIN("sim/sweep/overrides");

TEST_CASE("the scenario is changed, and scheduling added") {
    toml::table root = base();
    const toml::value<std::string> text("2 s");
    CHECK(applyOverride(root, {"scenario.duration", &text}).empty());
    CHECK(root["scenario"]["duration"].value<std::string>() == "2 s");
    CHECK(applyOverride(root, {"scheduling.policy", &text}).empty());
    CHECK(root["scheduling"]["policy"].value<std::string>() == "2 s");
}

TEST_CASE("one client or all are changed") {
    toml::table root = base();
    const toml::value<std::int64_t> five(5);
    const toml::value<std::int64_t> six(6);
    CHECK(applyOverride(root, {"client.b.rate_hz", &five}).empty());
    CHECK(rateOf(root, 0) == 1);
    CHECK(rateOf(root, 1) == 5);
    CHECK(applyOverride(root, {"client.*.rate_hz", &six}).empty());
    CHECK(rateOf(root, 0) == 6);
    CHECK(rateOf(root, 1) == 6);
}

TEST_CASE("lists are accepted as values") {
    toml::table root = base();
    const toml::array list{1, 2};
    CHECK(applyOverride(root, {"client.a.batch", &list}).empty());
    CHECK(root["client"][0]["batch"].as_array()->size() == 2);
}

TEST_CASE("malformed keys and unknown clients are refused") {
    toml::table root = base();
    const toml::value<std::int64_t> five(5);
    for (const char* key : {"", "policy", "scenario", "scenario.a.b", "client.a", "client",
                            "client.a.b.c", "device.x"}) {
        CAPTURE(key);
        CHECK(applyOverride(root, {key, &five}) ==
              "is \"" + std::string(key) +
                      "\", expected scenario.KEY, scheduling.KEY, memory.KEY, power.KEY, dram.KEY, "
                      "sram.KEY, client.NAME.KEY or client.*.KEY");
    }
    CHECK(applyOverride(root, {"client.c.rate_hz", &five})
                  .find("names client c, expected one of the scenario") == 0);
    toml::table odd = parseToml("scheduling = 3\n", "s.toml");
    CHECK(applyOverride(odd, {"scheduling.policy", &five}) ==
          "is \"scheduling.policy\", but scheduling is not a table");
    toml::table empty;
    CHECK_FALSE(applyOverride(empty, {"client.*.rate_hz", &five}).empty());
}

TEST_SUITE_END();

}  // namespace
