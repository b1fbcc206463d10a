// SPDX-License-Identifier: Apache-2.0
// Executions that wait for each other, and threads that share objects.
#include <doctest/doctest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;

NdkEvent startFenced(ANeuralNetworksExecution* execution,
                     const std::vector<const ANeuralNetworksEvent*>& dependencies) {
    ANeuralNetworksEvent* event = nullptr;
    require(ndk().executionStartComputeWithDependencies(
            execution, dependencies.data(), static_cast<std::uint32_t>(dependencies.size()), 0,
            &event));
    return {event, ndk().eventFree};
}

/// The input or output of an execution in a part of a memory.
void giveInput(ANeuralNetworksExecution* execution, std::int32_t index, const NdkMemory& memory,
               std::size_t offset) {
    require(ndk().executionSetInputFromMemory(execution, index, nullptr, memory.get(), offset, 8));
}

void giveOutput(ANeuralNetworksExecution* execution, const NdkMemory& memory, std::size_t offset) {
    require(ndk().executionSetOutputFromMemory(execution, 0, nullptr, memory.get(), offset, 8));
}

/// value + step, `count` times, each execution waiting for the one before. The values are in one
/// memory, one pair of floats behind the other.
class Chain {
  public:
    Chain(ANeuralNetworksCompilation* compilation, std::size_t count)
        : values_(8 * (count + 1)), memory_(values_.memory()), count_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            executions_.push_back(newExecution(compilation));
            ANeuralNetworksExecution* const execution = executions_.back().get();
            giveInput(execution, 0, memory_, 8 * i);
            require(ndk().executionSetInput(execution, 1, nullptr, step_.data(), 8));
            giveOutput(execution, memory_, 8 * (i + 1));
            events_.push_back(i == 0 ? startFenced(execution, {})
                                     : startFenced(execution, {events_.back().get()}));
        }
    }

    ANeuralNetworksEvent* last() const { return events_.back().get(); }
    float result(std::size_t index) const { return values_.as<float>()[2 * count_ + index]; }

  private:
    const std::array<float, 2> step_ = {1.0F, 2.0F};
    const MemoryFile values_;
    const NdkMemory memory_;
    const std::size_t count_;
    std::vector<NdkExecution> executions_;
    std::vector<NdkEvent> events_;
};

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/fenced");

TEST_CASE("an execution begins after those that it depends on") {
    ndkCase([] {
        const SumModel model;
        for (const ANeuralNetworksDevice* const device : {firstDevice(), cpuDevice()}) {
            const NdkCompilation compilation = compile(model.get(), {device});
            const Chain chain(compilation.get(), 10);
            CHECK(code(ndk().eventWait(chain.last())) == "NO_ERROR");
            CHECK(chain.result(0) == 10.0F);
            CHECK(chain.result(1) == 20.0F);
        }
    });
}

TEST_CASE("an execution on one device waits for one on another") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation onDevice = compile(model.get(), {firstDevice()});
        const NdkCompilation onCpu = compile(model.get(), {cpuDevice()});
        const MemoryFile between(8);
        const NdkMemory memory = between.memory();
        SumArguments first, second;
        const NdkExecution one = newExecution(onDevice.get()), two = newExecution(onCpu.get());
        first.giveTo(one.get());
        giveOutput(one.get(), memory, 0);
        second.giveTo(two.get());
        giveInput(two.get(), 0, memory, 0);
        const NdkEvent firstEnd = startFenced(one.get(), {});
        const NdkEvent secondEnd = startFenced(two.get(), {firstEnd.get()});
        CHECK(code(ndk().eventWait(secondEnd.get())) == "NO_ERROR");
        CHECK(code(ndk().eventWait(firstEnd.get())) == "NO_ERROR");
        CHECK(second.sum[0] == 21.0F);
        CHECK(second.sum[1] == 42.0F);
    });
}

TEST_CASE("an event may be waited for several times") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const Chain chain(compilation.get(), 1);
        CHECK(code(ndk().eventWait(chain.last())) == "NO_ERROR");
        CHECK(code(ndk().eventWait(chain.last())) == "NO_ERROR");
    });
}

TEST_CASE("an execution waits for a sync fence of the caller") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        // A pipe is readable from its first byte on, as a fence from its signal on.
        std::array<int, 2> ends{};
        REQUIRE(::pipe(ends.data()) == 0);
        ANeuralNetworksEvent* made = nullptr;
        require(ndk().eventCreateFromSyncFenceFd(ends[0], &made));
        const NdkEvent fence(made, ndk().eventFree);
        SumArguments arguments;
        const NdkExecution execution = newExecution(compilation.get());
        arguments.giveTo(execution.get());
        const NdkEvent end = startFenced(execution.get(), {fence.get()});
        int fenceOfEnd = -1;
        if (ndk().eventGetSyncFenceFd(end.get(), &fenceOfEnd) == ANEURALNETWORKS_NO_ERROR) {
            pollfd waiter{fenceOfEnd, POLLIN, 0};
            CHECK(::poll(&waiter, 1, 0) == 0);
            ::close(fenceOfEnd);
        }
        REQUIRE(::write(ends[1], "x", 1) == 1);
        CHECK(code(ndk().eventWait(end.get())) == "NO_ERROR");
        CHECK(arguments.areSummed());
        CHECK(code(ndk().eventWait(fence.get())) == "NO_ERROR");
        ::close(ends[0]);
        ::close(ends[1]);
    });
}

TEST_CASE("an event's fence, if it has one, signals the end to poll and to other events") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const Chain chain(compilation.get(), 1);
        int descriptor = -1;
        const std::string answer = code(ndk().eventGetSyncFenceFd(chain.last(), &descriptor));
        if (answer != "NO_ERROR") {
            CHECK(answer == "BAD_DATA");
            CHECK(descriptor == -1);
            return;
        }
        pollfd waiter{descriptor, POLLIN, 0};
        CHECK(::poll(&waiter, 1, 60'000) == 1);
        ANeuralNetworksEvent* made = nullptr;
        require(ndk().eventCreateFromSyncFenceFd(descriptor, &made));
        const NdkEvent imported(made, ndk().eventFree);
        ::close(descriptor);
        CHECK(code(ndk().eventWait(imported.get())) == "NO_ERROR");
    });
}

TEST_CASE("an execution fails if one that it depends on fails") {
    ndkCase([] {
        // The first one's inputs do not fit each other.
        const SumModel open(SumModel::Step::kFinished, {0}, {2});
        const SumModel model;
        const NdkCompilation ofOpen = compile(open.get()), compilation = compile(model.get());
        const NdkExecution bad = newExecution(ofOpen.get()), good = newExecution(compilation.get());
        const std::uint32_t two = 2, three = 3;
        const ANeuralNetworksOperandType pair = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, &two, 0, 0};
        const ANeuralNetworksOperandType triple = {ANEURALNETWORKS_TENSOR_FLOAT32, 1, &three, 0, 0};
        const float values[3] = {};
        float lost[2] = {};
        require(ndk().executionSetInput(bad.get(), 0, &pair, values, 8));
        require(ndk().executionSetInput(bad.get(), 1, &triple, values, 12));
        require(ndk().executionSetOutput(bad.get(), 0, nullptr, lost, 8));
        ANeuralNetworksEvent* badEvent = nullptr;
        const int started =
                ndk().executionStartComputeWithDependencies(bad.get(), nullptr, 0, 0, &badEvent);
        if (started != ANEURALNETWORKS_NO_ERROR) {
            return;  // the contradiction was seen at once
        }
        const NdkEvent badEnd(badEvent, ndk().eventFree);
        SumArguments arguments;
        arguments.giveTo(good.get());
        const NdkEvent goodEnd = startFenced(good.get(), {badEnd.get()});
        CHECK(code(ndk().eventWait(badEnd.get())) != "NO_ERROR");
        CHECK(code(ndk().eventWait(goodEnd.get())) != "NO_ERROR");
        CHECK_FALSE(arguments.areSummed());
    });
}

TEST_CASE("fenced executions need outputs of known shape") {
    ndkCase([] {
        const SumModel model(SumModel::Step::kFinished, {2}, {0});
        const NdkCompilation compilation = compile(model.get());
        const NdkExecution execution = newExecution(compilation.get());
        SumArguments arguments;
        arguments.giveTo(execution.get());
        ANeuralNetworksEvent* event = nullptr;
        CHECK(code(ndk().executionStartComputeWithDependencies(execution.get(), nullptr, 0, 0,
                                                               &event)) == "BAD_DATA");
        CHECK(event == nullptr);
    });
}

TEST_CASE("freeing an event waits for the end of the computation") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        for (int i = 0; i < 20; ++i) {
            SumArguments arguments;
            const NdkExecution execution = newExecution(compilation.get());
            arguments.giveTo(execution.get());
            ANeuralNetworksEvent* event = nullptr;
            require(ndk().executionStartCompute(execution.get(), &event));
            ndk().eventFree(event);
            CHECK(arguments.areSummed());
        }
    });
}

TEST_CASE("eight threads compile, execute and free at once") {
    ndkCase([] {
        constexpr int kThreads = 8, kRounds = 6;
        const SumModel shared;
        const NdkCompilation sharedCompilation = compile(shared.get());
        const auto* const device = firstDevice();
        const auto* const cpu = cpuDevice();
        std::atomic<int> right = 0;
        const auto work = [&](int thread) {
            for (int round = 0; round < kRounds; ++round) {
                const SumModel own;
                const bool isOwn = (round + thread) % 2 == 0;
                const NdkCompilation compilation =
                        compile(isOwn ? own.get() : shared.get(), {thread % 4 == 0 ? cpu : device});
                ANeuralNetworksCompilation* const used =
                        round % 3 == 0 ? sharedCompilation.get() : compilation.get();
                SumArguments arguments;
                const NdkExecution execution = newExecution(used);
                arguments.giveTo(execution.get());
                ANeuralNetworksEvent* event = nullptr;
                int result = 0;
                switch ((thread + round) % 3) {
                    case 0:
                        result = ndk().executionCompute(execution.get());
                        break;
                    case 1:
                        require(ndk().executionStartCompute(execution.get(), &event));
                        break;
                    default:
                        require(ndk().executionStartComputeWithDependencies(execution.get(),
                                                                            nullptr, 0, 0, &event));
                }
                const NdkEvent end(event, ndk().eventFree);
                result = event != nullptr ? ndk().eventWait(event) : result;
                right += static_cast<int>(result == ANEURALNETWORKS_NO_ERROR &&
                                          arguments.areSummed());
            }
        };
        std::vector<std::thread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back(work, i);
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        CHECK(right == kThreads * kRounds);
    });
}

TEST_SUITE_END();
