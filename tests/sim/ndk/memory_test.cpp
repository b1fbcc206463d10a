// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "sim/ndk/base/fence.h"
#include "tests/sim/ndk/test_memory.h"
#include "tests/sim/ndk/test_model.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {

TEST_SUITE_BEGIN("sim/ndk/memory");

TEST_CASE("arguments in parts of a file are used in place") {
    simCase([] {
        const TestModel model = affineModel(16);
        const MappedFile file(512);
        const std::vector<float> input = ramp(16);
        std::copy(input.begin(), input.end(), file.floats() + 5);
        const OwnedMemory memory = file.memory(4, 508);  // not aligned to a page
        for (const char* prefix : {"vnpu-edge", "nnapi-reference"}) {
            const OwnedCompilation compilation = compileFor(model, findDevice(prefix));
            std::fill(file.floats() + 32, file.floats() + 48, 0.0F);
            const OwnedExecution execution = executionOf(compilation);
            REQUIRE(ANeuralNetworksExecution_setInputFromMemory(execution.get(), 0, nullptr,
                                                                memory.get(), 16,
                                                                64) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_setOutputFromMemory(execution.get(), 0, nullptr,
                                                                 memory.get(), 124,
                                                                 64) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_compute(execution.get()) == ANEURALNETWORKS_NO_ERROR);
            CHECK(file.read(32, 16) == affine(input));
        }
    });
}

TEST_CASE("a memory from a description carries a tensor from one compilation to another") {
    simCase([] {
        const TestModel model = affineModel(16);
        for (const char* prefix : {"vnpu-edge", "nnapi-reference"}) {
            const OwnedCompilation writer = compileFor(model, findDevice(prefix));
            const OwnedCompilation reader = compileFor(model, findDevice(prefix));
            const OwnedMemory memory = between(writer, reader);
            const std::vector<float> input = ramp(16);
            std::vector<float> output(16);

            const OwnedExecution early = executionOf(reader);
            REQUIRE(ANeuralNetworksExecution_setInputFromMemory(early.get(), 0, nullptr,
                                                                memory.get(), 0,
                                                                0) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_setOutput(early.get(), 0, nullptr, output.data(),
                                                       64) == ANEURALNETWORKS_NO_ERROR);
            CHECK(ANeuralNetworksExecution_compute(early.get()) == ANEURALNETWORKS_OP_FAILED);

            const OwnedExecution first = executionOf(writer);
            REQUIRE(ANeuralNetworksExecution_setInput(first.get(), 0, nullptr, input.data(), 64) ==
                    ANEURALNETWORKS_NO_ERROR);
            CHECK(ANeuralNetworksExecution_setInputFromMemory(first.get(), 0, nullptr, memory.get(),
                                                              0, 0) ==
                  ANEURALNETWORKS_BAD_DATA);  // not a role
            CHECK(ANeuralNetworksExecution_setOutputFromMemory(first.get(), 0, nullptr,
                                                               memory.get(), 0, 64) ==
                  ANEURALNETWORKS_BAD_DATA);  // not as a whole
            REQUIRE(ANeuralNetworksExecution_setOutputFromMemory(first.get(), 0, nullptr,
                                                                 memory.get(), 0,
                                                                 0) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_compute(first.get()) == ANEURALNETWORKS_NO_ERROR);

            const OwnedExecution second = executionOf(reader);
            REQUIRE(ANeuralNetworksExecution_setInputFromMemory(second.get(), 0, nullptr,
                                                                memory.get(), 0,
                                                                0) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_setOutput(second.get(), 0, nullptr, output.data(),
                                                       64) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_compute(second.get()) == ANEURALNETWORKS_NO_ERROR);
            CHECK(output == affine(affine(input)));
        }
    });
}

TEST_CASE("memories are copied between host and device") {
    simCase([] {
        const TestModel model = affineModel(16);
        for (const char* prefix : {"vnpu-edge", "nnapi-reference"}) {
            const OwnedCompilation compilation = compileFor(model, findDevice(prefix));
            const OwnedMemory first = between(compilation, compilation);
            const OwnedMemory second = between(compilation, compilation);
            const MappedFile file(256);
            const std::vector<float> values = ramp(16);
            std::copy(values.begin(), values.end(), file.floats());
            const OwnedMemory from = file.memory(0, 64);
            const OwnedMemory to = file.memory(128, 64);
            const OwnedMemory tooLong = file.memory(0, 128);
            CHECK(ANeuralNetworksMemory_copy(first.get(), to.get()) == ANEURALNETWORKS_BAD_DATA);
            CHECK(ANeuralNetworksMemory_copy(tooLong.get(), first.get()) ==
                  ANEURALNETWORKS_BAD_DATA);
            REQUIRE(ANeuralNetworksMemory_copy(from.get(), first.get()) ==
                    ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksMemory_copy(first.get(), second.get()) ==
                    ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksMemory_copy(second.get(), to.get()) == ANEURALNETWORKS_NO_ERROR);
            CHECK(file.read(32, 16) == values);
            CHECK(ANeuralNetworksMemory_copy(second.get(), tooLong.get()) ==
                  ANEURALNETWORKS_BAD_DATA);
        }
    });
}

TEST_CASE("a memory has contents as soon as the fence of its computation is signaled") {
    simCase([] {
        const TestModel model = affineModel(16);
        const OwnedCompilation compilation = compileFor(model, findDevice("vnpu-edge"));
        const std::vector<float> input = ramp(16);
        // Nobody waits for the writer's event: a reader that depends on it is waited for, or its
        // fence is.
        for (const bool hasReader : {true, false}) {
            const OwnedMemory memory = between(compilation, compilation);
            const MappedFile file(64);
            const OwnedMemory shown = file.memory(0, 64);
            const OwnedExecution writer = executionOf(compilation);
            const OwnedExecution reader = executionOf(compilation);
            OwnedEvent written;
            OwnedEvent read;
            std::vector<float> output(16);
            REQUIRE(ANeuralNetworksExecution_setInput(writer.get(), 0, nullptr, input.data(), 64) ==
                    ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_setOutputFromMemory(writer.get(), 0, nullptr,
                                                                 memory.get(), 0,
                                                                 0) == ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_startComputeWithDependencies(writer.get(), nullptr, 0,
                                                                          0, written.place()) ==
                    ANEURALNETWORKS_NO_ERROR);
            if (hasReader) {
                REQUIRE(ANeuralNetworksExecution_setInputFromMemory(reader.get(), 0, nullptr,
                                                                    memory.get(), 0,
                                                                    0) == ANEURALNETWORKS_NO_ERROR);
                REQUIRE(ANeuralNetworksExecution_setOutput(reader.get(), 0, nullptr, output.data(),
                                                           64) == ANEURALNETWORKS_NO_ERROR);
                const ANeuralNetworksEvent* const dependency = written.get();
                REQUIRE(ANeuralNetworksExecution_startComputeWithDependencies(
                                reader.get(), &dependency, 1, 0, read.place()) ==
                        ANEURALNETWORKS_NO_ERROR);
                REQUIRE(ANeuralNetworksEvent_wait(read.get()) == ANEURALNETWORKS_NO_ERROR);
                CHECK(output == affine(affine(input)));
            } else {
                int fence = -1;
                REQUIRE(ANeuralNetworksEvent_getSyncFenceFd(written.get(), &fence) ==
                        ANEURALNETWORKS_NO_ERROR);
                pollfd waiter{fence, POLLIN, 0};
                REQUIRE(::poll(&waiter, 1, -1) == 1);
                ::close(fence);
            }
            CHECK(ANeuralNetworksMemory_copy(memory.get(), shown.get()) ==
                  ANEURALNETWORKS_NO_ERROR);
            CHECK(file.read(0, 16) == affine(input));
        }
    });
}

TEST_CASE("a computation whose end is noted late does not undo what was written after it") {
    simCase([] {
        const TestModel model = affineModel(16);
        const OwnedCompilation compilation = compileFor(model, findDevice("vnpu-edge"));
        const OwnedMemory memory = between(compilation, compilation);
        const std::vector<float> input = ramp(16);
        const auto writerOf = [&] {
            OwnedExecution writer = executionOf(compilation);
            REQUIRE(ANeuralNetworksExecution_setInput(writer.get(), 0, nullptr, input.data(), 64) ==
                    ANEURALNETWORKS_NO_ERROR);
            REQUIRE(ANeuralNetworksExecution_setOutputFromMemory(writer.get(), 0, nullptr,
                                                                 memory.get(), 0,
                                                                 0) == ANEURALNETWORKS_NO_ERROR);
            return writer;
        };
        // Fails behind a failed fence; nobody asks for its outcome yet.
        auto fence = sim::ndk::OwnFence::create();
        REQUIRE(fence);
        OwnedEvent before;
        REQUIRE(ANeuralNetworksEvent_createFromSyncFenceFd(fence->descriptor(), before.place()) ==
                ANEURALNETWORKS_NO_ERROR);
        const OwnedExecution failing = writerOf();
        const ANeuralNetworksEvent* const dependency = before.get();
        OwnedEvent failed;
        REQUIRE(ANeuralNetworksExecution_startComputeWithDependencies(failing.get(), &dependency, 1,
                                                                      0, failed.place()) ==
                ANEURALNETWORKS_NO_ERROR);
        int end = -1;
        REQUIRE(ANeuralNetworksEvent_getSyncFenceFd(failed.get(), &end) ==
                ANEURALNETWORKS_NO_ERROR);
        fence->signal(false);
        static_cast<void>(sim::ndk::waitForFence(end));
        ::close(end);

        const OwnedExecution writer = writerOf();
        REQUIRE(ANeuralNetworksExecution_compute(writer.get()) == ANEURALNETWORKS_NO_ERROR);
        CHECK(ANeuralNetworksEvent_wait(failed.get()) == ANEURALNETWORKS_OP_FAILED);
        const MappedFile file(64);
        const OwnedMemory shown = file.memory(0, 64);
        CHECK(ANeuralNetworksMemory_copy(memory.get(), shown.get()) == ANEURALNETWORKS_NO_ERROR);
        CHECK(file.read(0, 16) == affine(input));
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
