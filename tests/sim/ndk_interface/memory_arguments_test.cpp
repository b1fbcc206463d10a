// SPDX-License-Identifier: Apache-2.0
// Wrong arguments of the functions for memories and their descriptions.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;

constexpr int kReadWrite = PROT_READ | PROT_WRITE;
constexpr std::size_t kFileBytes = 64;

/// The code of createFromFd, which must create nothing unless it succeeds.
std::string createFromFd(std::size_t size, int protection, int descriptor, std::size_t offset) {
    auto* memory = reinterpret_cast<ANeuralNetworksMemory*>(1);
    const int result = ndk().memoryCreateFromFd(size, protection, descriptor, offset, &memory);
    if (result == ANEURALNETWORKS_NO_ERROR) {
        ndk().memoryFree(memory);
    } else {
        CHECK(memory == nullptr);
    }
    return code(result);
}

/// The code of addInputRole for a description of its own.
std::string addInputRole(const ANeuralNetworksCompilation* compilation, std::uint32_t index,
                         float frequency) {
    return code(ndk().memoryDescAddInputRole(newDesc().get(), compilation, index, frequency));
}

std::string addOutputRole(const ANeuralNetworksCompilation* compilation, std::uint32_t index,
                          float frequency) {
    return code(ndk().memoryDescAddOutputRole(newDesc().get(), compilation, index, frequency));
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/memory_arguments");

TEST_CASE("createFromFd takes any part of a file that maps, with any of the two protections") {
    ndkCase([] {
        const MemoryFile file(kFileBytes);
        CHECK(createFromFd(kFileBytes, kReadWrite, file.descriptor(), 0) == "NO_ERROR");
        CHECK(createFromFd(1, PROT_READ, file.descriptor(), kFileBytes - 1) == "NO_ERROR");
        CHECK(createFromFd(7, PROT_WRITE, file.descriptor(), 13) == "NO_ERROR");
    });
}

TEST_CASE("createFromFd refuses null, an empty part, and what is not in the file") {
    ndkCase([] {
        const MemoryFile file(kFileBytes);
        const int descriptor = file.descriptor();
        CHECK(code(ndk().memoryCreateFromFd(1, PROT_READ, descriptor, 0, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(createFromFd(0, kReadWrite, descriptor, 0) == "BAD_DATA");
        CHECK(createFromFd(kFileBytes + 1, kReadWrite, descriptor, 0) == "BAD_DATA");
        CHECK(createFromFd(kFileBytes, kReadWrite, descriptor, 1) == "BAD_DATA");
        CHECK(createFromFd(1, kReadWrite, descriptor, kFileBytes) == "BAD_DATA");
        CHECK(createFromFd(std::numeric_limits<std::size_t>::max(), kReadWrite, descriptor, 2) ==
              "BAD_DATA");
        CHECK(createFromFd(2, kReadWrite, descriptor, std::numeric_limits<std::size_t>::max()) ==
              "BAD_DATA");
    });
}

TEST_CASE("createFromFd refuses a descriptor that is not open and a protection of other bits") {
    ndkCase([] {
        const MemoryFile file(kFileBytes);
        CHECK(createFromFd(1, kReadWrite, -1, 0) == "BAD_DATA");
        CHECK(createFromFd(1, kReadWrite, 9999, 0) == "BAD_DATA");
        CHECK(createFromFd(1, PROT_EXEC, file.descriptor(), 0) == "BAD_DATA");
        CHECK(createFromFd(1, kReadWrite | 0x100, file.descriptor(), 0) == "BAD_DATA");
    });
}

TEST_CASE("createFromFd tells when a file cannot be mapped") {
    ndkCase([] {
        const int readOnly = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        REQUIRE(readOnly >= 0);
        CHECK(createFromFd(16, kReadWrite, readOnly, 0) == "UNMAPPABLE");
        CHECK(createFromFd(16, PROT_READ, readOnly, 0) == "NO_ERROR");
        ::close(readOnly);
    });
}

TEST_CASE("a memory keeps its file when the caller closes the descriptor") {
    ndkCase([] {
        const int descriptor = ::memfd_create("closed", MFD_CLOEXEC);
        REQUIRE(descriptor >= 0);
        const float values[] = {1.0F, 2.0F, 10.0F, 20.0F};
        REQUIRE(::write(descriptor, values, sizeof(values)) == sizeof(values));
        ANeuralNetworksMemory* made = nullptr;
        REQUIRE(ndk().memoryCreateFromFd(sizeof(values), kReadWrite, descriptor, 0, &made) ==
                ANEURALNETWORKS_NO_ERROR);
        const NdkMemory memory(made, ndk().memoryFree);
        ::close(descriptor);
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkExecution execution = newExecution(compilation.get());
        float sum[2] = {};
        CHECK(code(ndk().executionSetInputFromMemory(execution.get(), 0, nullptr, memory.get(), 0,
                                                     8)) == "NO_ERROR");
        CHECK(code(ndk().executionSetInputFromMemory(execution.get(), 1, nullptr, memory.get(), 8,
                                                     8)) == "NO_ERROR");
        CHECK(code(ndk().executionSetOutput(execution.get(), 0, nullptr, sum, sizeof(sum))) ==
              "NO_ERROR");
        CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
        CHECK(sum[0] == 11.0F);
        CHECK(sum[1] == 22.0F);
    });
}

TEST_CASE("createFromAHardwareBuffer refuses null") {
    ndkCase([] {
        ANeuralNetworksMemory* memory = nullptr;
        CHECK(code(ndk().memoryCreateFromAHardwareBuffer(nullptr, &memory)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryCreateFromAHardwareBuffer(nullptr, nullptr)) == "UNEXPECTED_NULL");
    });
}

TEST_CASE("freeing nothing is allowed") {
    ndkCase([] {
        ndk().memoryFree(nullptr);
        ndk().memoryDescFree(nullptr);
        ndk().modelFree(nullptr);
        ndk().compilationFree(nullptr);
        ndk().executionFree(nullptr);
        ndk().burstFree(nullptr);
        ndk().eventFree(nullptr);
    });
}

TEST_CASE("a description refuses null objects") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        CHECK(code(ndk().memoryDescCreate(nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryDescAddInputRole(nullptr, compilation.get(), 0, 1.0F)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryDescAddOutputRole(nullptr, compilation.get(), 0, 1.0F)) ==
              "UNEXPECTED_NULL");
        CHECK(addInputRole(nullptr, 0, 1.0F) == "UNEXPECTED_NULL");
        CHECK(addOutputRole(nullptr, 0, 1.0F) == "UNEXPECTED_NULL");
        const std::uint32_t dimension = 2;
        CHECK(code(ndk().memoryDescSetDimensions(nullptr, 1, &dimension)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryDescSetDimensions(newDesc().get(), 1, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryDescFinish(nullptr)) == "UNEXPECTED_NULL");
    });
}

TEST_CASE("a role needs a finished compilation, an argument of it and a frequency up to 1") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation unfinished = newCompilation(model.get());
        const NdkCompilation compilation = compile(model.get());
        CHECK(addInputRole(unfinished.get(), 0, 1.0F) == "BAD_DATA");
        CHECK(addOutputRole(unfinished.get(), 0, 1.0F) == "BAD_DATA");
        CHECK(addInputRole(compilation.get(), 2, 1.0F) == "BAD_DATA");
        CHECK(addOutputRole(compilation.get(), 1, 1.0F) == "BAD_DATA");
        for (const float frequency : {0.0F, -0.5F, 1.5F, std::nanf("")}) {
            CAPTURE(frequency);
            CHECK(addInputRole(compilation.get(), 0, frequency) == "BAD_DATA");
            CHECK(addOutputRole(compilation.get(), 0, frequency) == "BAD_DATA");
        }
        CHECK(addInputRole(compilation.get(), 1, 0.25F) == "NO_ERROR");
        CHECK(addOutputRole(compilation.get(), 0, 1.0F) == "NO_ERROR");
    });
}

TEST_CASE("a role may be given once") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemoryDesc desc = newDesc();
        const auto addInput = [&](std::uint32_t index) {
            return code(ndk().memoryDescAddInputRole(desc.get(), compilation.get(), index, 1.0F));
        };
        CHECK(addInput(0) == "NO_ERROR");
        CHECK(addInput(0) == "BAD_DATA");
        CHECK(addInput(1) == "NO_ERROR");
        CHECK(code(ndk().memoryDescAddOutputRole(desc.get(), compilation.get(), 0, 1.0F)) ==
              "NO_ERROR");
        CHECK(code(ndk().memoryDescAddOutputRole(desc.get(), compilation.get(), 0, 1.0F)) ==
              "BAD_DATA");
    });
}

TEST_CASE("dimensions must fit the roles and the dimensions before") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemoryDesc desc = newDesc();
        REQUIRE(ndk().memoryDescAddInputRole(desc.get(), compilation.get(), 0, 1.0F) ==
                ANEURALNETWORKS_NO_ERROR);
        const std::uint32_t wrong = 3;
        const std::uint32_t unknown = 0;
        const std::uint32_t square[] = {2, 2};
        CHECK(code(ndk().memoryDescSetDimensions(desc.get(), 1, &wrong)) == "BAD_DATA");
        CHECK(code(ndk().memoryDescSetDimensions(desc.get(), 2, square)) == "BAD_DATA");
        CHECK(code(ndk().memoryDescSetDimensions(desc.get(), 1, &unknown)) == "NO_ERROR");
        CHECK(code(ndk().memoryDescSetDimensions(desc.get(), 0, nullptr)) == "NO_ERROR");
        CHECK(code(ndk().memoryDescSetDimensions(desc.get(), 1, square)) == "NO_ERROR");
        const NdkMemoryDesc other = newDesc();
        CHECK(code(ndk().memoryDescSetDimensions(other.get(), 1, &wrong)) == "NO_ERROR");
        CHECK(code(ndk().memoryDescAddInputRole(other.get(), compilation.get(), 0, 1.0F)) ==
              "BAD_DATA");
    });
}

TEST_CASE("roles of different shapes contradict each other") {
    ndkCase([] {
        const SumModel pairs;
        const SumModel triples(SumModel::Step::kFinished, {3}, {3});
        const NdkCompilation ofPairs = compile(pairs.get());
        const NdkCompilation ofTriples = compile(triples.get());
        const NdkMemoryDesc desc = newDesc();
        CHECK(code(ndk().memoryDescAddInputRole(desc.get(), ofPairs.get(), 0, 1.0F)) == "NO_ERROR");
        CHECK(code(ndk().memoryDescAddInputRole(desc.get(), ofTriples.get(), 0, 1.0F)) ==
              "BAD_DATA");
        CHECK(code(ndk().memoryDescAddOutputRole(desc.get(), ofTriples.get(), 0, 1.0F)) ==
              "BAD_DATA");
    });
}

TEST_CASE("a description needs a role, and cannot change once it is finished") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemoryDesc desc = newDesc();
        CHECK(code(ndk().memoryDescFinish(desc.get())) == "BAD_DATA");
        const NdkMemoryDesc full = newDesc();
        REQUIRE(ndk().memoryDescAddInputRole(full.get(), compilation.get(), 0, 1.0F) ==
                ANEURALNETWORKS_NO_ERROR);
        CHECK(code(ndk().memoryDescFinish(full.get())) == "NO_ERROR");
        CHECK(code(ndk().memoryDescFinish(full.get())) == "BAD_STATE");
        CHECK(code(ndk().memoryDescAddInputRole(full.get(), compilation.get(), 1, 1.0F)) ==
              "BAD_STATE");
        CHECK(code(ndk().memoryDescAddOutputRole(full.get(), compilation.get(), 0, 1.0F)) ==
              "BAD_STATE");
        const std::uint32_t two = 2;
        CHECK(code(ndk().memoryDescSetDimensions(full.get(), 1, &two)) == "BAD_STATE");
    });
}

TEST_CASE("createFromDesc refuses null and a description that is not finished") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemoryDesc desc = newDesc();
        REQUIRE(ndk().memoryDescAddInputRole(desc.get(), compilation.get(), 0, 1.0F) ==
                ANEURALNETWORKS_NO_ERROR);
        ANeuralNetworksMemory* memory = nullptr;
        CHECK(code(ndk().memoryCreateFromDesc(nullptr, &memory)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryCreateFromDesc(desc.get(), nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryCreateFromDesc(desc.get(), &memory)) == "BAD_STATE");
        CHECK(memory == nullptr);
    });
}

TEST_CASE("a description whose shape stays open gives no memory on the CPU device") {
    ndkCase([] {
        const SumModel model(SumModel::Step::kFinished, {0}, {0});
        const NdkCompilation compilation = compile(model.get(), {cpuDevice()});
        const NdkMemoryDesc desc = newDesc();
        REQUIRE(ndk().memoryDescAddInputRole(desc.get(), compilation.get(), 0, 1.0F) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ndk().memoryDescFinish(desc.get()) == ANEURALNETWORKS_NO_ERROR);
        ANeuralNetworksMemory* memory = nullptr;
        CHECK(code(ndk().memoryCreateFromDesc(desc.get(), &memory)) == "OP_FAILED");
        CHECK(memory == nullptr);
    });
}

TEST_CASE("copy refuses null, sizes that differ, and a source without contents") {
    ndkCase([] {
        const MemoryFile eight(8), nine(9);
        const NdkMemory small = eight.memory(), large = nine.memory();
        CHECK(code(ndk().memoryCopy(nullptr, small.get())) == "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryCopy(small.get(), nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().memoryCopy(small.get(), large.get())) == "BAD_DATA");
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemory buffer = memoryForInput(compilation.get(), 0);
        CHECK(code(ndk().memoryCopy(buffer.get(), small.get())) == "BAD_DATA");
        CHECK(code(ndk().memoryCopy(large.get(), buffer.get())) == "BAD_DATA");
        CHECK(code(ndk().memoryCopy(small.get(), buffer.get())) == "NO_ERROR");
        CHECK(code(ndk().memoryCopy(buffer.get(), small.get())) == "NO_ERROR");
    });
}

TEST_CASE("a memory from a description serves its roles only, as a whole") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemory first = memoryForInput(compilation.get(), 0);
        const NdkExecution execution = newExecution(compilation.get());
        const auto give = [&](std::int32_t index, std::size_t offset, std::size_t length) {
            return code(ndk().executionSetInputFromMemory(execution.get(), index, nullptr,
                                                          first.get(), offset, length));
        };
        CHECK(give(1, 0, 0) == "BAD_DATA");
        CHECK(give(0, 4, 4) == "BAD_DATA");
        CHECK(code(ndk().executionSetOutputFromMemory(execution.get(), 0, nullptr, first.get(), 0,
                                                      0)) == "BAD_DATA");
        CHECK(give(0, 0, 0) == "NO_ERROR");
        const NdkCompilation other = compile(model.get());
        const NdkExecution ofOther = newExecution(other.get());
        CHECK(code(ndk().executionSetInputFromMemory(ofOther.get(), 0, nullptr, first.get(), 0,
                                                     0)) == "BAD_DATA");
    });
}

TEST_CASE("a memory from a description holds no constants") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = compile(model.get());
        const NdkMemory memory = memoryForInput(compilation.get(), 0);
        const NdkModel other = newModel();
        REQUIRE(addOperand(other.get(), {.dimensions = {2}}) == ANEURALNETWORKS_NO_ERROR);
        CHECK(code(ndk().modelSetOperandValueFromMemory(other.get(), 0, memory.get(), 0, 8)) ==
              "BAD_DATA");
    });
}

TEST_SUITE_END();
