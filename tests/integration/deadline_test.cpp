// SPDX-License-Identifier: Apache-2.0
// Deadline decisions on the complete platform, in timing-only runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "driver/api/device.h"
#include "sim/client/device_calls.h"
#include "sim/client/model_runner.h"
#include "sim/client/request_pool.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/integration/recorded_execution.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu;
using namespace vnpu::sim;
using namespace std::chrono_literals;
using driver::countersOf;
using vnpu::test::isMissed;
using Status = nn::ErrorStatus;
using Time = std::chrono::nanoseconds;

void onTimedDevice(const driver::SchedulingOptions& scheduling,
                   const std::function<void(ClientContext&)>& body) {
    vnpu::test::simCase([&] {
        Platform::Options options{.config = loadConfig("edge")};
        options.config.timingOnly = true;
        options.scheduling = scheduling;
        Platform platform(options);
        platform.addClient("test", 10001, body);
        platform.run();
    });
}

std::unique_ptr<ModelRunner> prepare(ClientContext& context, const std::string& network,
                                     nn::Priority priority = nn::Priority::MEDIUM) {
    return ModelRunner::prepare(context, loadNetwork(network, {.zeroWeights = true}), priority);
}

/// The duration of a call on an idle device, after `runs` other calls.
Time timeOf(ClientContext& context, ModelRunner& model, int runs) {
    Time took{};
    for (int i = 0; i <= runs; ++i) {
        const Time begin = context.now();
        CHECK(model.execute(ExecutionPath::kSync).status == Status::NONE);
        took = context.now() - begin;
    }
    return took;
}

/// An execution that runs concurrently with its client.
class Background {
  public:
    Background(ClientContext& context, ModelRunner& model, std::optional<Time> deadline = {})
        : done_(context.createEvent()) {
        const auto posted = context.port().post([this, &context, &model, deadline] {
            status = model.execute(ExecutionPath::kSync, deadline).status;
            end = context.now();
            done_->set();
        });
        REQUIRE(posted.has_value());
    }
    void join() { done_->wait(); }

    Status status = Status::GENERAL_FAILURE;
    Time end{};

  private:
    std::unique_ptr<driver::HostEvent> done_;
};

/// The decisions and the number of wrong ones.
struct Decisions {
    int asked = 0;
    int wrongRefusals = 0;    // would have finished in time
    int wrongAdmissions = 0;  // finished late or was stopped

    void check() const {
        MESSAGE(asked, " deadlines: ", wrongRefusals, " wrong refusals, ", wrongAdmissions,
                " wrong admissions");
        CHECK(wrongRefusals * 20 <= asked);
        CHECK(wrongAdmissions * 20 <= asked);
    }
};

driver::SchedulingOptions firstCome() {
    driver::SchedulingOptions options;
    options.policy = fw::Policy::kFirstCome;
    options.mechanism = fw::Mechanism::kNone;
    return options;
}

/// The longest time from a call to its job.
struct WayToJob : driver::DriverObserver {
    void onCallBegin(Time now, std::string_view, std::uint64_t, std::uint32_t) override {
        begin = now;
    }
    void onJobSubmitted(Time now, std::uint64_t, std::uint64_t,
                        const driver::CompiledModel&) override {
        longest = std::max(longest, now - begin);
    }
    Time begin{}, longest{};
};

}  // namespace

TEST_SUITE_BEGIN("integration/deadline");

TEST_CASE("on an idle device, few deadlines around the estimate are judged wrongly [Q-5] [Q-6]") {
    onTimedDevice({}, [](ClientContext& context) {
        std::mt19937 random(11);
        Decisions decisions;
        for (const char* name : {"zoo:ds_cnn", "zoo:resnet8", "zoo:mobilenet_v1_025_96"}) {
            CAPTURE(name);
            const auto model = prepare(context, name);
            const Time took = timeOf(context, *model, 2);
            for (int i = 0; i < 100; ++i) {
                const Time budget = took * (700 + static_cast<int>(random() % 600)) / 1000;
                const Time begin = context.now();
                const auto result = model->execute(ExecutionPath::kSync, begin + budget);
                const bool isRefused = isMissed(result.status) && context.now() == begin;
                ++decisions.asked;
                if (isRefused) {
                    decisions.wrongRefusals += took <= budget ? 1 : 0;
                    CHECK(result.status == Status::MISSED_DEADLINE_PERSISTENT);
                } else {
                    const bool isLate = context.now() > begin + budget;
                    decisions.wrongAdmissions += isLate || isMissed(result.status) ? 1 : 0;
                }
            }
        }
        decisions.check();
        const driver::DriverCounters counters = countersOf(context.device());
        CHECK(counters.deadlinesRefusedPersistent > 100);
        CHECK(counters.deadlinesRefusedTransient == 0);
        CHECK(counters.deadlinesRefusedPersistent + counters.deadlinesAborted +
                      counters.deadlinesMet + counters.deadlinesLate ==
              300);
        CHECK(counters.refusalsThatFit * 20 <= 300);
    });
}

TEST_CASE("first come, first served: a waiting execution is judged by both durations [Q-5] [Q-6]") {
    onTimedDevice(firstCome(), [](ClientContext& context) {
        const auto other = prepare(context, "zoo:resnet8");
        const auto model = prepare(context, "zoo:ds_cnn");
        const Time ofOther = timeOf(context, *other, 2);
        const Time own = timeOf(context, *model, 2);
        std::mt19937 random(12);
        Decisions decisions;
        for (int i = 0; i < 60; ++i) {
            const Time begin = context.now();
            Background running(context, *other);
            context.sleepUntil(begin + 20us);
            // By hand: the end of the other execution, then its own time without the host's work,
            // which the wait hides. The truth is the outcome without a deadline.
            const Time all = ofOther + own;
            const Time deadline = begin + all * (600 + static_cast<int>(random() % 800)) / 1000;
            const Time asked = context.now();
            const auto result = model->execute(ExecutionPath::kSync, deadline);
            const bool isRefused = isMissed(result.status) && context.now() == asked;
            ++decisions.asked;
            if (isRefused) {
                CHECK(result.status == (asked + own > deadline
                                                ? Status::MISSED_DEADLINE_PERSISTENT
                                                : Status::MISSED_DEADLINE_TRANSIENT));
            }
            running.join();
            CHECK(running.status == Status::NONE);
            if (!isRefused) {
                decisions.wrongAdmissions +=
                        isMissed(result.status) || context.now() > deadline ? 1 : 0;
                continue;
            }
            // The same again without a deadline shows when it would have ended.
            const Time again = context.now();
            Background twin(context, *other);
            context.sleepUntil(again + 20us);
            CHECK(model->execute(ExecutionPath::kSync).status == Status::NONE);
            decisions.wrongRefusals += context.now() - again <= deadline - begin ? 1 : 0;
            twin.join();
        }
        decisions.check();
        CHECK(countersOf(context.device()).deadlinesRefusedTransient > 5);
    });
}

TEST_CASE(
        "an execution delayed by a higher priority is stopped once it cannot meet its deadline "
        "[Q-2] [Q-6]") {
    onTimedDevice({}, [](ClientContext& context) {
        const auto low = prepare(context, "zoo:resnet8", nn::Priority::LOW);
        const auto high = prepare(context, "zoo:mobilenet_v1_025_96", nn::Priority::HIGH);
        const Time ofLow = timeOf(context, *low, 2);
        const Time ofHigh = timeOf(context, *high, 2);
        const Time begin = context.now();
        Background held(context, *low, begin + ofLow + ofHigh / 3);  // in time if undisturbed
        context.sleepUntil(begin + ofLow / 2);
        CHECK(high->execute(ExecutionPath::kSync).status == Status::NONE);
        held.join();
        CHECK(held.status == Status::MISSED_DEADLINE_TRANSIENT);
        CHECK(held.end < begin + ofLow + ofHigh);  // did not run to its end
        const driver::DriverCounters counters = countersOf(context.device());
        CHECK(counters.deadlinesAborted == 1);
        CHECK(counters.deadlinesLate == 0);
        CHECK(timeOf(context, *low, 1) < ofLow * 11 / 10);  // it has left the device
    });
}

TEST_CASE("a loop's time is learned from its first iterations, and fences keep deadlines [Q-5]") {
    onTimedDevice({}, [](ClientContext& context) {
        const auto model = prepare(context, "zoo:ds_cnn");
        const Time took = timeOf(context, *model, 2);
        const Time begin = context.now();
        CHECK(model->execute(ExecutionPath::kFenced, begin + took / 2).status ==
              Status::MISSED_DEADLINE_PERSISTENT);
        CHECK(model->execute(ExecutionPath::kAsync, context.now() + took / 2).status ==
              Status::MISSED_DEADLINE_PERSISTENT);
        CHECK(model->execute(ExecutionPath::kFenced, context.now() + took * 2).status ==
              Status::NONE);
        CHECK(countersOf(context.device()).deadlinesMet == 1);
    });
}

TEST_CASE("models of HAL 1.3 have checkpoints, those of earlier versions none [Q-4]") {
    onTimedDevice({}, [](ClientContext& context) {
        const auto model = prepare(context, "zoo:mobilenet_v1_025_96");
        CHECK(driver::compiledModelOf(model->preparedModel())->checkpointCount > 0);
        CHECK(driver::compiledModelOf(model->preparedModel())->saveBytes > 0);
    });
}

TEST_CASE("a preempted job is saved, continues, and is reported [Q-3]") {
    onTimedDevice({}, [](ClientContext& context) {
        const auto low = prepare(context, "zoo:mobilenet_v1_025_96", nn::Priority::LOW);
        const auto high = prepare(context, "zoo:ds_cnn", nn::Priority::HIGH);
        const Time ofLow = timeOf(context, *low, 2);
        const Time ofHigh = timeOf(context, *high, 2);
        const auto longest = Time(static_cast<std::int64_t>(
                driver::compiledModelOf(low->preparedModel())->longestIntervalCycles));
        const Time begin = context.now();
        Background held(context, *low);
        context.sleepUntil(begin + ofLow / 3);
        const Time asked = context.now();
        CHECK(high->execute(ExecutionPath::kSync).status == Status::NONE);
        // A context of 20 KB at 3.75 bytes a cycle, saved and restored.
        CHECK(context.now() - asked <= ofHigh + longest + 12us);
        held.join();
        CHECK(held.status == Status::NONE);
        const driver::DriverCounters counters = countersOf(context.device());
        CHECK(counters.preemptions == 1);
        CHECK(counters.savedBytes > 0);
        CHECK(counters.switchCycles > 0);
        CHECK(counters.restarts == 0);
    });
}

TEST_CASE("the time before an execution's job does not depend on other pools [Q-5] [MP-6]") {
    vnpu::test::simCase([] {
        WayToJob way;
        Platform::Options options{.config = loadConfig("edge")};
        options.config.timingOnly = true;
        options.driverObserver = &way;
        Platform platform(options);
        platform.addClient("test", 10001, [&](ClientContext& context) {
            const Network network = loadNetwork("zoo:ds_cnn", {.zeroWeights = true});
            const auto model = prepareModel(context, network.model).preparedModel;
            REQUIRE(model != nullptr);
            const auto longestWith = [&](std::size_t pairs) {
                std::vector<RequestPool> inputs, outputs;
                for (std::size_t i = 0; i < pairs; ++i) {
                    inputs.push_back(RequestPool::createSingle(network.inputs[0].sizeBytes));
                    outputs.push_back(RequestPool::createSingle(network.outputs[0].sizeBytes));
                }
                way.longest = {};
                for (std::size_t i = 0; i < 4 * pairs; ++i) {
                    const auto request = makeRequest(inputs[i % pairs], 1, outputs[i % pairs], 1);
                    CHECK(execute(context, model, request, {}).status == Status::NONE);
                }
                return way.longest;
            };
            const Time kept = longestWith(1);
            CHECK(kept > 0ns);
            CHECK(longestWith(20) == kept);  // more than the driver keeps mapped
        });
        platform.run();
    });
}

TEST_SUITE_END();
