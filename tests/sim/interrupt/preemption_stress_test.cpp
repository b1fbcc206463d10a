// SPDX-License-Identifier: Apache-2.0
#include "sim/interrupt/preemption_stress.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::simCase;

void stress(const char* config) {
    PreemptionStressOptions options{
            .preemptions = 100,
            .seed = 2,
            .networks = {"ds_cnn", "elman", "mobilenet_v1_025_96-float", "resnet8-float"}};
    std::uint64_t told = 0;
    options.onProgress = [&told](std::uint64_t done) { told = done; };
    const PreemptionStressReport report = stressPreemption(loadConfig(config), options);
    for (const std::string& error : report.errors) {
        MESSAGE(error);
    }
    CHECK(report.total().wrong == 0);
    CHECK(report.preemptions >= 100);
    CHECK(report.preemptions == told);
    CHECK(report.restarts > 0);
    CHECK(report.networks.size() == 4);
    CHECK(report.total().executions > report.rounds);
}

}  // namespace

TEST_SUITE_BEGIN("sim/interrupt/preemption_stress");

TEST_CASE("random mixes give the outputs of each network alone, on edge [Q-3]") {
    simCase([] { stress("edge"); });
}

TEST_CASE("random mixes give the outputs of each network alone, on mobile [Q-3]") {
    simCase([] { stress("mobile"); });
}

TEST_SUITE_END();
