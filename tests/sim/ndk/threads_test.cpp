// SPDX-License-Identifier: Apache-2.0
// Threads that use the whole interface at once, with objects of their own and one compilation that
// all share.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/sim/ndk/test_memory.h"
#include "tests/sim/ndk/test_model.h"
#include "tests/sim/ndk/test_service.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

constexpr std::uint32_t kLength = 16;  // floats
constexpr std::size_t kBytes = kLength * sizeof(float);
constexpr std::size_t kPartsOfFile = 2;  // an input and an output

bool succeeds(int code) {
    return code == ANEURALNETWORKS_NO_ERROR;
}

/// What one thread computes in a round. Each function returns whether all calls succeed and the
/// values are right.
class Round {
  public:
    Round(const OwnedCompilation& shared, const OwnedCompilation& own, float first)
        : shared_(shared), own_(own), input_(kLength, first) {}

    bool computeInBurst() const {
        OwnedBurst burst;
        std::vector<float> output(kLength);
        const OwnedExecution execution = executionOf(shared_);
        return succeeds(ANeuralNetworksBurst_create(shared_.get(), burst.place())) &&
               give(execution, output) &&
               succeeds(ANeuralNetworksExecution_burstCompute(execution.get(), burst.get())) &&
               output == affine(input_);
    }

    /// From one part of a file to another.
    bool computeInFile() const {
        const MappedFile file(kPartsOfFile * kBytes);
        std::copy(input_.begin(), input_.end(), file.floats());
        const OwnedMemory memory = file.memory(0, kPartsOfFile * kBytes);
        const OwnedExecution execution = executionOf(own_);
        OwnedEvent event;
        return succeeds(ANeuralNetworksExecution_setInputFromMemory(execution.get(), 0, nullptr,
                                                                    memory.get(), 0, kBytes)) &&
               succeeds(ANeuralNetworksExecution_setOutputFromMemory(
                       execution.get(), 0, nullptr, memory.get(), kBytes, kBytes)) &&
               succeeds(ANeuralNetworksExecution_startCompute(execution.get(), event.place())) &&
               succeeds(ANeuralNetworksEvent_wait(event.get())) &&
               file.read(kLength, kLength) == affine(input_);
    }

    /// The shared compilation writes a memory of a description, from which the thread's own one
    /// reads; a copy shows what is in it.
    bool computeThroughMemory() const {
        const OwnedMemory memory = between(shared_, own_);
        const MappedFile file(kBytes);
        const OwnedMemory shown = file.memory(0, kBytes);
        std::vector<float> output(kLength);
        const OwnedExecution writer = executionOf(shared_);
        const OwnedExecution reader = executionOf(own_);
        OwnedEvent written;
        OwnedEvent read;
        if (!succeeds(ANeuralNetworksExecution_setInput(writer.get(), 0, nullptr, input_.data(),
                                                        kBytes)) ||
            !succeeds(ANeuralNetworksExecution_setOutputFromMemory(writer.get(), 0, nullptr,
                                                                   memory.get(), 0, 0)) ||
            !succeeds(ANeuralNetworksExecution_setInputFromMemory(reader.get(), 0, nullptr,
                                                                  memory.get(), 0, 0)) ||
            !succeeds(ANeuralNetworksExecution_setOutput(reader.get(), 0, nullptr, output.data(),
                                                         kBytes))) {
            return false;
        }
        if (!succeeds(ANeuralNetworksExecution_startComputeWithDependencies(
                    writer.get(), nullptr, 0, 0, written.place()))) {
            return false;
        }
        const std::array<const ANeuralNetworksEvent*, 1> dependencies = {written.get()};
        return succeeds(ANeuralNetworksExecution_startComputeWithDependencies(
                       reader.get(), dependencies.data(), 1, 0, read.place())) &&
               succeeds(ANeuralNetworksEvent_wait(read.get())) &&
               succeeds(ANeuralNetworksMemory_copy(memory.get(), shown.get())) &&
               file.read(0, kLength) == affine(input_) && output == affine(affine(input_));
    }

  private:
    bool give(const OwnedExecution& execution, std::vector<float>& output) const {
        return succeeds(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr,
                                                          input_.data(), kBytes)) &&
               succeeds(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr,
                                                           output.data(), kBytes));
    }

    const OwnedCompilation& shared_;
    const OwnedCompilation& own_;
    const std::vector<float> input_;
};

/// Eight threads build, compile, compute, copy and free at once. One compilation on the first
/// device is shared; the others are on the devices with these names in turn.
void computeInThreads(const std::vector<std::string>& names) {
    constexpr std::size_t kThreads = 8, kRounds = 6;
    const TestModel sharedModel = affineModel(kLength);
    const OwnedCompilation shared = compileFor(sharedModel, findDevice(names[0]));
    std::vector<int> right(kThreads, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            constexpr std::array kWays = {&Round::computeInBurst, &Round::computeInFile,
                                          &Round::computeThroughMemory};
            for (std::size_t round = 0; round < kRounds; ++round) {
                const TestModel model = affineModel(kLength);
                const OwnedCompilation own = compileFor(model, findDevice(names[t % names.size()]));
                const Round computed(shared, own, static_cast<float>(10 * t + round));
                const auto way = kWays[(t + round) % kWays.size()];
                right[t] += static_cast<int>((computed.*way)());
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(right == std::vector<int>(kThreads, kRounds));
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/threads");

TEST_CASE("eight threads build, compile, compute, copy and free at once") {
    simCase([] { computeInThreads({"vnpu-edge", "vnpu-edge", "vnpu-edge", "nnapi-reference"}); });
}

TEST_CASE("eight threads do so with the devices of a service") {
    simCase([] {
        TestService service;
        service.start({"--config", "edge", "--config", "mobile"});
        computeInThreads({"vnpu-edge", "vnpu-mobile", "vnpu-edge", "nnapi-reference"});
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
