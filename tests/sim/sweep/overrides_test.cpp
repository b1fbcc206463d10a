// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/overrides.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "sim/base/error.h"

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

TEST_CASE("settings are TOML values, or else strings") {
    const std::string text = withSettings(
            "[scenario]\nduration = \"1 s\"\n[[client]]\nname = \"a\"\n", "s.toml",
            {"scenario.seed=7", "client.a.rate_hz=2.5", "client.a.priority=high",
             "client.a.model=\"zoo:x\"", "scenario.timing_only=true", "client.a.batch=[1, 2]",
             "scheduling.policy=a=b", "scenario.name=1\nb = 2"});
    const toml::table root = parseToml(text, "changed");
    CHECK(root["scenario"]["duration"].value<std::string>() == "1 s");
    CHECK(root["scenario"]["seed"].as_integer()->get() == 7);
    CHECK(root["scenario"]["timing_only"].as_boolean()->get());
    CHECK(root["scenario"]["name"].value<std::string>() == "1\nb = 2");
    CHECK(root["client"][0]["rate_hz"].as_floating_point()->get() == 2.5);
    CHECK(root["client"][0]["priority"].value<std::string>() == "high");
    CHECK(root["client"][0]["model"].value<std::string>() == "zoo:x");
    CHECK(root["client"][0]["batch"].as_array()->size() == 2);
    CHECK(root["scheduling"]["policy"].value<std::string>() == "a=b");
}

TEST_CASE("settings without a key or for unknown keys are refused, and none changes nothing") {
    const std::string text = "# kept\n[[client]]\nname = \"a\"\n";
    CHECK(withSettings(text, "s.toml", {}) == text);
    for (const char* setting : {"", "a", "=1"}) {
        CHECK_THROWS_WITH_AS(withSettings(text, "s.toml", {setting}),
                             (std::string("--set ") + setting + ": expected KEY=VALUE").c_str(),
                             InputError);
    }
    CHECK_THROWS_WITH_AS(withSettings(text, "s.toml", {"client.b.batch=1"}),
                         "--set client.b.batch=1: the key names client b, expected one of the "
                         "scenario; did you mean \"a\"?",
                         InputError);
}

TEST_SUITE_END();

}  // namespace
