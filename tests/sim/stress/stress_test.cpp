// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/stress.h"

#include <doctest/doctest.h>

#include <atomic>

#include "sim/config/load_config.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::simCase;

}  // namespace

TEST_SUITE_BEGIN("sim/stress/stress");

TEST_CASE("eight threads of two apps leave no resources behind [MP-5] [MD-7]") {
    simCase([] {
        LivePlatform platform({.config = loadConfig("edge")});
        std::atomic<std::uint64_t> told{0};
        const StressReport report =
                runStress(platform, {.threads = 8,
                                     .callsPerThread = 250,
                                     .seed = 3,
                                     .onProgress = [&told](std::uint64_t done) { told = done; }});
        CHECK(report.tally.errorCount == 0);
        for (const std::string& error : report.tally.errors) {
            MESSAGE(error);
        }
        CHECK(report.leaks() == std::vector<std::string>{});
        CHECK(report.isGood());
        CHECK(report.after.driver.jobsCompleted > 300);
        CHECK(told > 1000);
    });
}

TEST_CASE("resources held after the run and not before are leaks [MP-5]") {
    StressReport report;
    report.before = {.descriptors = 5, .driver = {}};
    report.after = report.before;
    CHECK(report.isGood());
    report.after.descriptors = 7;
    report.after.driver.dmaBytes = 4096;
    report.after.driver.onChipBytes = 8192;
    report.after.driver.jobsSubmitted = 10;
    report.after.driver.jobsCompleted = 9;
    CHECK(report.leaks() == std::vector<std::string>{"descriptors: 5 before, 7 after",
                                                     "bytes of device memory: 0 before, 4096 after",
                                                     "bytes on chip: 0 before, 8192 after",
                                                     "jobs in progress: 0 before, 1 after"});
    CHECK_FALSE(report.isGood());
}

TEST_SUITE_END();
