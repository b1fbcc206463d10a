// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/shard.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "tests/support/program.h"

namespace {

using vnpu::sim::InputError;
using vnpu::sim::Shard;
using vnpu::sim::shardOf;

/// GoogleTest's variables during a test.
class Environment {
  public:
    Environment(const char* total, const char* index) {
        setenv("GTEST_TOTAL_SHARDS", total, 1);
        setenv("GTEST_SHARD_INDEX", index, 1);
    }
    ~Environment() {
        unsetenv("GTEST_TOTAL_SHARDS");
        unsetenv("GTEST_SHARD_INDEX");
        unsetenv("GTEST_SHARD_STATUS_FILE");
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
};

}  // namespace

TEST_SUITE_BEGIN("sim/ci/shard");

TEST_CASE("without an option there is one shard, which holds every case") {
    const Shard shard = shardOf("");
    CHECK(shard.count == 1);
    CHECK(shard.holds(0));
    CHECK(shard.holds(17));
}

TEST_CASE("every case belongs to exactly one of N shards") {
    for (std::size_t number = 0; number < 20; ++number) {
        int holders = 0;
        for (const char* option : {"1/3", "2/3", "3/3"}) {
            holders += shardOf(option).holds(number) ? 1 : 0;
        }
        CHECK(holders == 1);
    }
    CHECK(shardOf("1/3").holds(0));
    CHECK(shardOf("3/3").holds(5));
}

TEST_CASE("a malformed shard is an input error") {
    for (const char* option : {"0/3", "4/3", "1", "1/", "/3", "a/3", "1/3x", "-1/3", "1/0", "1/2/3",
                               "1/100001", "99999999999999999999/3"}) {
        CHECK_THROWS_AS(shardOf(option), InputError);
    }
}

TEST_CASE("GoogleTest's variables count from 0, and the status file says that they are known") {
    const vnpu::test::TemporaryFolder folder;
    const std::string status = folder / "status";
    const Environment environment("4", "2");
    setenv("GTEST_SHARD_STATUS_FILE", status.c_str(), 1);
    const Shard shard = shardOf("");
    CHECK(shard.index == 2);
    CHECK(shard.count == 4);
    CHECK(std::filesystem::exists(status));
    CHECK(shardOf("1/2").count == 2);  // the option has precedence
}

TEST_CASE("contradictory variables are an input error") {
    for (const auto& [total, index] :
         {std::pair("4", "4"), std::pair("", "0"), std::pair("0", "0"), std::pair("3", "-1")}) {
        const Environment environment(total, index);
        CHECK_THROWS_AS(shardOf(""), InputError);
    }
}

TEST_SUITE_END();
