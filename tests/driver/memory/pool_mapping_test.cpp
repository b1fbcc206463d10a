// SPDX-License-Identifier: Apache-2.0
#include <cutils/native_handle.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dirent.h>

#include "driver/memory/pool_cache.h"
#include "tests/driver/cache/temporary_files.h"
#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
using android::hardware::hidl_memory;
namespace fw = vnpu::fw;

TEST_SUITE_BEGIN("driver/memory/pool_mapping");

namespace {

/// Checks that a prepared model refuses these input and output pools and holds no more than before.
void checkRefused(Service& service, const nn::V1_3::Request& request, ErrorStatus expected) {
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    const DriverCounters before = service.counters();

    const Outcome sync = executeSync(prepared.model, request);
    const Outcome async = executeAsync(service, prepared.model, request);

    CHECK_EQ(sync.status, expected);
    CHECK_EQ(async.status, expected);
    CHECK_EQ(service.counters().dmaBytes, before.dmaBytes);
    CHECK_EQ(service.counters().jobsSubmitted, 0);
}

nn::V1_3::Request requestWith(hidl_memory&& input, const hidl_memory& output) {
    nn::V1_3::Request request;
    request.inputs = {argument(0, 0, 16)};
    request.outputs = {argument(1, 0, 16)};
    request.pools.resize(2);
    request.pools[0].hidlMemory(std::move(input));
    request.pools[1].hidlMemory(output);
    return request;
}

/// A hand-made native handle whose descriptors are not checked.
struct RawHandle {
    RawHandle(int fds, int ints) : handle(native_handle_create(fds, ints)) {}
    ~RawHandle() { native_handle_delete(handle); }

    native_handle_t* handle;
};

struct MemoryFile {
    explicit MemoryFile(std::size_t sizeBytes) : fd(memfd_create("pool", MFD_CLOEXEC)) {
        REQUIRE_GE(fd, 0);
        REQUIRE_EQ(ftruncate(fd, static_cast<off_t>(sizeBytes)), 0);
    }
    ~MemoryFile() { close(fd); }

    int fd;
};

}  // namespace

TEST_CASE("an mmap_fd pool is used in place, at its offset in the file [MP-4] [MP-6]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const MemoryFile file(std::size_t{3} * 4096);
    const std::uint8_t value = 55;
    REQUIRE_EQ(pwrite(file.fd, &value, 1, 4096 + 3), 1);
    auto memory = vnpu::hal::createFdMemory(
            {.fd = file.fd, .protection = PROT_READ, .offsetBytes = 4096, .sizeBytes = 16});
    REQUIRE(memory.has_value());
    const Pool output(16);

    const Outcome outcome =
            executeSync(prepared.model, requestWith(std::move(*memory), output.memory));

    CHECK_EQ(outcome.status, ErrorStatus::NONE);
    CHECK_EQ(output.bytes()[3], 55);
    CHECK_EQ(service.counters().hostCopiedBytes, 0);
}

TEST_CASE("an output in a pool that may only be read is refused [MP-4]") {
    Service service;
    const MemoryFile file(4096);
    auto memory = vnpu::hal::createFdMemory(
            {.fd = file.fd, .protection = PROT_READ, .offsetBytes = 0, .sizeBytes = 16});
    const Pool input(16);
    nn::V1_3::Request request = requestWith(hidl_memory(input.memory), *memory);

    checkRefused(service, request, ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("the device cannot write to a pool that may only be read [MP-4]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const MemoryFile file(4096);
    auto memory = vnpu::hal::createFdMemory(
            {.fd = file.fd, .protection = PROT_READ, .offsetBytes = 0, .sizeBytes = 16});
    const Pool output(16);
    bool isReadable = false;
    bool isWritable = true;
    service.port.setJobFunction([&](FakeMemory& fake, const ObservedJob& job) {
        isReadable = fake.translate(job.context, job.regions[0].address, false) != nullptr;
        isWritable = fake.translate(job.context, job.regions[0].address, true) != nullptr;
        return vnpu::hw::JobStatus::kOk;
    });

    REQUIRE_EQ(executeSync(prepared.model, requestWith(std::move(*memory), output.memory)).status,
               ErrorStatus::NONE);

    CHECK(isReadable);
    CHECK_FALSE(isWritable);
}

TEST_CASE("the device cannot write to constants, though their pool may be written [MP-2]") {
    Service service;
    const Pool constants(64);
    const PrepareOutcome prepared =
            service.prepare(reluModelWithConstants({1, 8}, 1, constants.memory));
    const Pool input(8);
    const Pool output(8);
    bool isWritable = true;
    service.port.setJobFunction([&](FakeMemory& fake, const ObservedJob& job) {
        isWritable = fake.translate(job.context, job.regions[1].address, true) != nullptr;
        return vnpu::hw::JobStatus::kOk;
    });

    REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 8)).status, ErrorStatus::NONE);

    CHECK_FALSE(isWritable);
}

TEST_CASE("a pool without a handle is refused [MP-4]") {
    Service service;
    const Pool output(16);
    checkRefused(service, requestWith(hidl_memory("ashmem", nullptr, 16), output.memory),
                 ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a pool whose descriptor is not open is refused [MP-4]") {
    Service service;
    const Pool output(16);
    const RawHandle raw(1, 0);
    raw.handle->data[0] = 987654;
    checkRefused(service, requestWith(hidl_memory("ashmem", raw.handle, 16), output.memory),
                 ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a pool whose handle holds no descriptor is refused [MP-4]") {
    Service service;
    const Pool output(16);
    const RawHandle raw(0, 4);
    checkRefused(service, requestWith(hidl_memory("mmap_fd", raw.handle, 16), output.memory),
                 ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a pool that is larger than its file is refused [MP-4]") {
    Service service;
    const Pool output(16);
    const MemoryFile file(8);
    const RawHandle raw(1, 0);
    raw.handle->data[0] = file.fd;
    checkRefused(service, requestWith(hidl_memory("ashmem", raw.handle, 4096), output.memory),
                 ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("an mmap_fd whose offset lies behind the end of the file is refused [MP-4]") {
    Service service;
    const Pool output(16);
    const MemoryFile file(4096);
    const RawHandle raw(1, 3);
    raw.handle->data[0] = file.fd;
    raw.handle->data[1] = PROT_READ;
    raw.handle->data[2] = 0;
    raw.handle->data[3] = 0x7FFF;  // high word
    checkRefused(service, requestWith(hidl_memory("mmap_fd", raw.handle, 16), output.memory),
                 ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a memory of an unknown kind is refused [MP-4]") {
    Service service;
    const Pool output(16);
    const Pool pool(16);
    checkRefused(service, requestWith(hidl_memory("ion", pool.memory.handle(), 16), output.memory),
                 ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("a handle of another kind is refused as a hardware buffer without a crash [MP-5]") {
    Service service;
    const Pool output(16);
    const Pool pool(16);
    checkRefused(service,
                 requestWith(hidl_memory("hardware_buffer_blob", pool.memory.handle(), 16),
                             output.memory),
                 ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a model whose constants cannot be mapped fails to prepare and leaves nothing [MP-5]") {
    Service service;
    const RawHandle raw(1, 0);
    raw.handle->data[0] = 987654;
    nn::V1_3::Model model = reluModelWithConstants({1, 8}, 1, hidl_memory());
    model.pools[0] = hidl_memory("ashmem", raw.handle, 64);

    const PrepareOutcome outcome = service.prepare(model);

    CHECK_EQ(outcome.launch, ErrorStatus::NONE);
    CHECK_EQ(outcome.status, ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(service.counters().dmaBytes, service.atStart.dmaBytes);
    CHECK_EQ(service.counters().liveContexts, 0);
}

TEST_CASE("another execution with the same pools maps nothing [MP-6]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const Pool input(16);
    const Pool output(16);
    REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 16)).status, ErrorStatus::NONE);
    const std::size_t messages = service.port.messages().size();

    for (int i = 0; i < 10; ++i) {
        REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 16)).status,
                   ErrorStatus::NONE);
    }

    CHECK_EQ(service.port.messages().size(), messages);
    CHECK_EQ(service.counters().livePoolMappings, 2);
}

TEST_CASE("pools not used for long are unmapped, and the TLB forgets them first [MP-6]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    for (int i = 0; i < 20; ++i) {
        const Pool input(16);
        const Pool output(16);
        REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 16)).status,
                   ErrorStatus::NONE);
    }
    service.port.joinPosted();

    CHECK_EQ(service.counters().livePoolMappings, PoolCache::kCapacity);
    CHECK_EQ(service.port.withMemory([](FakeMemory& memory) { return memory.staleTlbEntries(); }),
             0);
    CHECK_EQ(service.port.withMemory([](FakeMemory& memory) { return memory.mappedBlocks(); }),
             PoolCache::kCapacity);
}

TEST_CASE("a file truncated between executions is detected [MP-4]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const MemoryFile file(8192);
    auto memory = vnpu::hal::createFdMemory(
            {.fd = file.fd, .protection = PROT_READ, .offsetBytes = 4096, .sizeBytes = 16});
    const Pool output(16);
    const nn::V1_3::Request request = requestWith(std::move(*memory), output.memory);
    REQUIRE_EQ(executeSync(prepared.model, request).status, ErrorStatus::NONE);

    if (ftruncate(file.fd, 4096) != 0) {
        return;  // sealed: it cannot be shrunk
    }

    CHECK_EQ(executeSync(prepared.model, request).status, ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("large pools use large pages [E-1]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 1U << 18}));
    const Pool input(1U << 18);
    const Pool output(1U << 18);

    REQUIRE_EQ(executeSync(prepared.model, requestOf(input, output, 1U << 18)).status,
               ErrorStatus::NONE);

    CHECK_GT(service.port.withMemory([](FakeMemory& memory) { return memory.largePageHits(); }), 0);
    CHECK_EQ(service.port.withMemory([](FakeMemory& memory) { return memory.badLargePages(); }), 0);
}

TEST_CASE("no descriptor stays open, whether executions succeed or fail [MP-5]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));
    const auto round = [&] {
        const Pool input(16);
        const Pool output(16);
        CHECK_EQ(executeSync(prepared.model, requestOf(input, output, 16)).status,
                 ErrorStatus::NONE);
        CHECK_EQ(executeSync(prepared.model, requestWith(hidl_memory("hardware_buffer_blob",
                                                                     input.memory.handle(), 16),
                                                         output.memory))
                         .status,
                 ErrorStatus::GENERAL_FAILURE);
    };
    round();
    const int before = openDescriptors();
    for (int i = 0; i < 5; ++i) {
        round();
    }
    CHECK_EQ(openDescriptors(), before);
}

TEST_SUITE_END();
