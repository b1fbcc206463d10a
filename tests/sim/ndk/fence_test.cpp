// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <poll.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "sim/ndk/base/fence.h"
#include "tests/sim/ndk/test_model.h"
#include "tests/support/no_more_threads.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using sim::ndk::OwnFence;

/// The computation of affineModel(4), with its arguments.
struct Computation {
    explicit Computation(const OwnedCompilation& compilation) {
        REQUIRE(ANeuralNetworksExecution_create(compilation.get(), execution.place()) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksExecution_setMeasureTiming(execution.get(), true) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, input.data(), 16) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(),
                                                   16) == ANEURALNETWORKS_NO_ERROR);
    }
    int startAfter(const std::vector<const ANeuralNetworksEvent*>& dependencies) {
        return ANeuralNetworksExecution_startComputeWithDependencies(
                execution.get(), dependencies.data(),
                static_cast<std::uint32_t>(dependencies.size()), 0, event.place());
    }

    std::vector<float> input = ramp(4);
    std::vector<float> output = std::vector<float>(4);
    OwnedExecution execution;
    OwnedEvent event;  // ends before the execution
};

/// For both kinds of devices: one with fences of its own, one without.
void onEachDevice(const std::function<void(const OwnedCompilation&)>& body) {
    const TestModel model = affineModel(4);
    for (const char* prefix : {"vnpu-", "nnapi-reference"}) {
        CAPTURE(prefix);
        body(compileFor(model, findDevice(prefix)));
    }
}

/// Starts two executions on a device whose computations have had no thread yet.
void startWithoutThreads(const char* device) {
    simCase([device] {
        const OwnedCompilation compilation = compileFor(affineModel(4), findDevice(device));
        Computation started(compilation);
        Computation fenced(compilation);
        {
            const NoMoreThreads noMore;
            CHECK(ANeuralNetworksExecution_startCompute(started.execution.get(),
                                                        started.event.place()) ==
                  ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT);
            CHECK(fenced.startAfter({}) == ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT);
        }
        for (Computation* const computation : {&started, &fenced}) {
            CHECK(computation->event.get() == nullptr);
            std::uint64_t duration = 0;
            CHECK(ANeuralNetworksExecution_getDuration(computation->execution.get(),
                                                       ANEURALNETWORKS_DURATION_ON_HARDWARE,
                                                       &duration) == ANEURALNETWORKS_NO_ERROR);
            CHECK(computation->output == std::vector<float>(4));
        }
        OwnedBurst burst;
        Computation inBurst(compilation);
        {
            const NoMoreThreads noMore;  // the burst computes by single calls
            REQUIRE(ANeuralNetworksBurst_create(compilation.get(), burst.place()) ==
                    ANEURALNETWORKS_NO_ERROR);
            CHECK(ANeuralNetworksExecution_burstCompute(inBurst.execution.get(), burst.get()) ==
                  ANEURALNETWORKS_NO_ERROR);
        }
        CHECK(inBurst.output == affine(inBurst.input));
        Computation next(compilation);
        REQUIRE(next.startAfter({}) == ANEURALNETWORKS_NO_ERROR);
        CHECK(ANeuralNetworksEvent_wait(next.event.get()) == ANEURALNETWORKS_NO_ERROR);
        CHECK(next.output == affine(next.input));
    });
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/fence");

TEST_CASE("a computation waits for a foreign fence") {
    simCase([] {
        onEachDevice([](const OwnedCompilation& compilation) {
            auto fence = OwnFence::create();
            REQUIRE(fence);
            OwnedEvent before;
            REQUIRE(ANeuralNetworksEvent_createFromSyncFenceFd(
                            fence->descriptor(), before.place()) == ANEURALNETWORKS_NO_ERROR);
            Computation computation(compilation);
            REQUIRE(computation.startAfter({before.get()}) == ANEURALNETWORKS_NO_ERROR);
            std::uint64_t duration = 0;
            CHECK(ANeuralNetworksExecution_getDuration(computation.execution.get(), 0, &duration) ==
                  ANEURALNETWORKS_BAD_STATE);
            int end = -1;
            REQUIRE(ANeuralNetworksEvent_getSyncFenceFd(computation.event.get(), &end) ==
                    ANEURALNETWORKS_NO_ERROR);
            CHECK_FALSE(sim::ndk::isSignaled(end));
            fence->signal(true);
            CHECK(sim::ndk::waitForFence(end).has_value());
            CHECK(computation.output == affine(computation.input));  // there with the fence
            CHECK(ANeuralNetworksEvent_wait(computation.event.get()) == ANEURALNETWORKS_NO_ERROR);
            CHECK(ANeuralNetworksExecution_getDuration(computation.execution.get(), 2, &duration) ==
                  ANEURALNETWORKS_NO_ERROR);
            ::close(end);
        });
    });
}

TEST_CASE("a failed fence fails the computation behind it") {
    simCase([] {
        onEachDevice([](const OwnedCompilation& compilation) {
            auto fence = OwnFence::create();
            OwnedEvent before;
            REQUIRE(ANeuralNetworksEvent_createFromSyncFenceFd(
                            fence->descriptor(), before.place()) == ANEURALNETWORKS_NO_ERROR);
            Computation computation(compilation);
            REQUIRE(computation.startAfter({before.get()}) == ANEURALNETWORKS_NO_ERROR);
            fence->signal(false);
            CHECK(ANeuralNetworksEvent_wait(before.get()) == ANEURALNETWORKS_OP_FAILED);
            CHECK(ANeuralNetworksEvent_wait(computation.event.get()) == ANEURALNETWORKS_OP_FAILED);
            CHECK(computation.output == std::vector<float>(4));
        });
    });
}

TEST_CASE("computations follow each other, whatever kind of event is between them") {
    simCase([] {
        onEachDevice([](const OwnedCompilation& compilation) {
            Computation first(compilation);
            REQUIRE(ANeuralNetworksExecution_startCompute(first.execution.get(),
                                                          first.event.place()) ==
                    ANEURALNETWORKS_NO_ERROR);
            Computation second(compilation);
            REQUIRE(second.startAfter({first.event.get()}) == ANEURALNETWORKS_NO_ERROR);
            Computation third(compilation);
            REQUIRE(third.startAfter({second.event.get(), first.event.get()}) ==
                    ANEURALNETWORKS_NO_ERROR);
            CHECK(ANeuralNetworksEvent_wait(third.event.get()) == ANEURALNETWORKS_NO_ERROR);
            CHECK(first.output == affine(first.input));
            CHECK(third.output == affine(third.input));
        });
    });
}

TEST_CASE("an execution may be freed while it is computed") {
    simCase([] {
        onEachDevice([](const OwnedCompilation& compilation) {
            Computation computation(compilation);
            REQUIRE(computation.startAfter({}) == ANEURALNETWORKS_NO_ERROR);
            ANeuralNetworksExecution_free(computation.execution.release());
            CHECK(ANeuralNetworksEvent_wait(computation.event.get()) == ANEURALNETWORKS_NO_ERROR);
            CHECK(computation.output == affine(computation.input));
        });
    });
}

TEST_CASE("an execution for which there is no thread has ended with an error, on the device") {
    startWithoutThreads("vnpu-");
}

TEST_CASE("an execution for which there is no thread has ended with an error, on the CPU device") {
    startWithoutThreads("nnapi-reference");
}

TEST_SUITE_END();

}  // namespace vnpu::test
