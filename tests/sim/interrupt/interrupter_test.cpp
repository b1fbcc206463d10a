// SPDX-License-Identifier: Apache-2.0
#include "sim/interrupt/interrupter.h"

#include <doctest/doctest.h>

#include <cstring>
#include <stdexcept>

#include "driver/api/device.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu;
using namespace vnpu::sim;
using vnpu::test::simCase;

void onInterruptible(const std::function<void(ClientContext&, Interrupter&)>& body) {
    simCase([&] {
        Platform platform({.config = interruptible(loadConfig("edge")),
                           .scheduling = interruptibleScheduling()});
        Interrupter interrupter(platform, 1);
        bool isFinished = false;
        platform.addClient("test", 10'000, [&](ClientContext& context) {
            body(context, interrupter);
            interrupter.finish();
            isFinished = true;
        });
        platform.run();
        CHECK(isFinished);
    });
}

}  // namespace

TEST_SUITE_BEGIN("sim/interrupt/interrupter");

TEST_CASE("executions are interrupted during an interrupt() call, neither before nor after [Q-3]") {
    onInterruptible([](ClientContext& context, Interrupter& interrupter) {
        const Network network = loadNetwork("zoo:ds_cnn");
        const auto runner = ModelRunner::prepare(context, network, nn::Priority::LOW);
        const auto execute = [&] {
            const ExecutionResult result = runner->execute(ExecutionPath::kSync);
            CHECK(result.status == nn::ErrorStatus::NONE);
            return result.end - result.begin;
        };
        const auto counters = [&] { return driver::countersOf(context.device()); };
        execute();  // maps the pools
        const auto duration = execute();
        CHECK(counters().preemptions + counters().restarts == 0);

        const std::uint64_t saves =
                interrupter.interrupt(context, Interruption::kCheckpoint, duration, execute);
        CHECK(saves > 10);
        CHECK(counters().preemptions == saves);
        CHECK(counters().restarts == 0);
        const std::uint64_t restarts =
                interrupter.interrupt(context, Interruption::kRestart, duration, [&] {
                    for (int i = 0; i < 10; ++i) {
                        execute();
                    }
                });
        CHECK(restarts > 0);
        CHECK(counters().preemptions == saves);
        CHECK(counters().restarts == restarts);

        execute();  // the rival replaced entries of the TLB
        CHECK(execute() == duration);
        CHECK(counters().preemptions + counters().restarts == saves + restarts);
    });
}

TEST_CASE("an unused rival does not keep the platform running") {
    onInterruptible([](ClientContext& context, Interrupter&) {
        CHECK(vnpu::driver::countersOf(context.device()).preemptions == 0);
    });
}

TEST_SUITE_END();
