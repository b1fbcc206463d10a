// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/stress_client.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::simCase;

StressTally stepsOn(const std::vector<StressModel>& models, int steps) {
    StressTally tally;
    Platform platform({.config = loadConfig("edge")});
    platform.addClient("one", 10000, [&](ClientContext& context) {
        StressObjects shared;
        StressClient client(context, models, shared, 7);
        for (int i = 0; i < steps; ++i) {
            client.step();
        }
        tally = client.tally();
    });
    platform.run();
    return tally;
}

}  // namespace

TEST_SUITE_BEGIN("sim/stress/stress_client");

TEST_CASE("every kind of call is made and answered correctly [MD-7]") {
    simCase([] {
        const StressTally tally = stepsOn(makeStressModels(), 400);
        CHECK(tally.errorCount == 0);
        CHECK(tally.errors.empty());
        for (const char* call :
             {"prepare", "execute", "execute too late", "allocate", "execute into buffer",
              "execute from buffer", "copyFrom", "copyTo", "drop", "getSupportedOperations",
              "bad prepare", "bad execute", "bad allocate", "bad copy"}) {
            CAPTURE(call);
            CHECK(tally.calls.count(call) == 1);
        }
    });
}

TEST_CASE("an unexpected result is an error [E-2]") {
    simCase([] {
        std::vector<StressModel> models = makeStressModels();
        models.resize(1);
        models[0].expected = [](std::span<const std::byte> a, std::span<const std::byte>) {
            return std::vector<std::byte>(a.size(), std::byte{1});
        };
        const StressTally tally = stepsOn(models, 100);
        CHECK(tally.errorCount > 10);
        REQUIRE_FALSE(tally.errors.empty());
        CHECK(tally.errors[0] == "one: execute: wrong output of relu");
    });
}

TEST_CASE("tallies are summed up, with the first errors only [MD-7]") {
    StressTally sum;
    StressTally one;
    one.calls["prepare"]["NONE"] = 2;
    one.errors.assign(15, "wrong");
    one.errorCount = 15;
    sum.add(one);
    sum.add(one);
    CHECK(sum.calls["prepare"]["NONE"] == 4);
    CHECK(sum.errors.size() == 20);
    CHECK(sum.errorCount == 30);
}

TEST_SUITE_END();
