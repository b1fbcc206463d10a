// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vnpu/hal/shared_memory.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/hal/test_support.h"

namespace {

using android::base::unique_fd;
using android::hardware::hidl_handle;
using android::hardware::hidl_memory;
using vnpu::hal::createFdMemory;
using vnpu::hal::createSharedMemory;
using vnpu::hal::FdRegion;
using vnpu::hal::MappedPool;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;

/// A memory with arbitrary contents, as a client may send it. Takes over the descriptors.
hidl_memory makeMemory(const std::string& name, const std::vector<int>& fds,
                       const std::vector<int>& ints, size_t sizeBytes) {
    native_handle_t* const native =
            native_handle_create(static_cast<int>(fds.size()), static_cast<int>(ints.size()));
    std::copy(fds.begin(), fds.end(), native->data);
    std::copy(ints.begin(), ints.end(), native->data + fds.size());
    hidl_handle handle;
    handle.setTo(native, true);
    return {name, std::move(handle), sizeBytes};
}

hidl_memory makeFdMemory(size_t fileBytes, int protection, uint64_t offsetBytes, size_t sizeBytes) {
    const auto file = makeFile(fileBytes);
    return *createFdMemory({.fd = file.get(),
                            .protection = protection,
                            .offsetBytes = offsetBytes,
                            .sizeBytes = sizeBytes});
}

std::string reasonOf(const hidl_memory& memory) {
    const auto pool = MappedPool::create(memory);
    return pool ? "mapped" : pool.error();
}

TEST_SUITE_BEGIN("hal/shared_memory");

TEST_CASE("creates memory that reads and writes [MP-4]") {
    const hidl_memory memory = *createSharedMemory(10);
    CHECK(memory.name() == "ashmem");
    CHECK(memory.size() == 10);
    const auto pool = MappedPool::create(memory);
    REQUIRE(pool);
    CHECK(pool->size() == 10);
    CHECK(pool->writable());
    CHECK(pool->data()[9] == std::byte{0});
    pool->data()[9] = std::byte{7};
    CHECK((*MappedPool::create(memory)).data()[9] == std::byte{7});
}

TEST_CASE("a copy of the memory shows the same bytes [MP-6]") {
    const hidl_memory memory = *createSharedMemory(10);
    const hidl_memory copy = memory;  // NOLINT(performance-unnecessary-copy-initialization)
    const auto one = MappedPool::create(memory);
    const auto two = MappedPool::create(copy);
    one->data()[3] = std::byte{5};
    CHECK(two->data()[3] == std::byte{5});
}

TEST_CASE("creates no memory of size 0 or beyond what a file can have") {
    CHECK_FALSE(createSharedMemory(0));
    CHECK_FALSE(createSharedMemory(UINT64_MAX));
}

TEST_CASE("the size of created memory cannot be changed") {
    const hidl_memory memory = *createSharedMemory(4096);
    CHECK(ftruncate(memory.handle()->data[0], 0) != 0);
    CHECK(ftruncate(memory.handle()->data[0], 8192) != 0);
}

TEST_CASE("an ashmem from a client cannot shrink once it is mapped") {
    unique_fd file(memfd_create("client", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    REQUIRE(ftruncate(file.get(), 4096) == 0);
    const unique_fd clientEnd(fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
    const hidl_memory memory = makeMemory("ashmem", {file.release()}, {}, 4096);
    const auto pool = MappedPool::create(memory);
    REQUIRE(pool);
    CHECK(ftruncate(clientEnd.get(), 0) != 0);
    CHECK(pool->data()[4095] == std::byte{0});
}

TEST_CASE("maps a file at any offset and returns the page in which it starts [MP-4]") {
    const auto pageBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const hidl_memory memory =
            makeFdMemory(3 * pageBytes, PROT_READ | PROT_WRITE, pageBytes + 5, pageBytes);
    const auto pool = MappedPool::create(memory);
    REQUIRE(pool);
    CHECK(reinterpret_cast<uintptr_t>(pool->pageBase()) % pageBytes == 0);
    CHECK(pool->pageOffset() == 5);
    CHECK(pool->data() == pool->pageBase() + 5);
    CHECK(pool->mappedBytes() == 2 * pageBytes);
    CHECK(pool->data()[0] == std::byte{5});
    CHECK(pool->pageBase()[0] == std::byte{0});
}

TEST_CASE("protection decides whether a file may be written [MP-4]") {
    CHECK_FALSE(MappedPool::create(makeFdMemory(16, PROT_READ, 0, 16))->writable());
    CHECK(MappedPool::create(makeFdMemory(16, PROT_READ | PROT_WRITE, 0, 16))->writable());
    CHECK(MappedPool::create(makeFdMemory(16, PROT_WRITE, 0, 16))->writable());
}

TEST_CASE("writes go to the file [MP-4]") {
    const auto file = makeFile(16);
    const hidl_memory memory = *createFdMemory({.fd = file.get(),
                                                .protection = PROT_READ | PROT_WRITE,
                                                .offsetBytes = 4,
                                                .sizeBytes = 8});
    {
        const auto pool = MappedPool::create(memory);
        pool->data()[0] = std::byte{99};
        pool->flush();
    }
    unsigned char byte = 0;
    CHECK(pread(file.get(), &byte, 1, 4) == 1);
    CHECK(byte == 99);
}

TEST_CASE("maps to the last byte of a file and no further") {
    CHECK(reasonOf(makeFdMemory(100, PROT_READ, 90, 10)) == "mapped");
    CHECK(reasonOf(makeFdMemory(100, PROT_READ, 91, 10)).find("do not fit") != std::string::npos);
    CHECK(reasonOf(makeFdMemory(100, PROT_READ, 0, 101)).find("do not fit") != std::string::npos);
}

TEST_CASE("bears offsets and sizes that overflow") {
    CHECK(reasonOf(makeFdMemory(100, PROT_READ, UINT64_MAX, 2)) != "mapped");
    CHECK(reasonOf(makeFdMemory(100, PROT_READ, UINT64_MAX - 1, 50)) != "mapped");
    CHECK(reasonOf(makeFdMemory(100, PROT_READ, 1, SIZE_MAX)) != "mapped");
    CHECK(reasonOf(makeFdMemory(100, PROT_READ, uint64_t{1} << 63, 100)) != "mapped");
    CHECK(reasonOf(makeMemory("ashmem", {makeFile(8).release()}, {}, SIZE_MAX)) != "mapped");
}

TEST_CASE("an offset with a high half is not mistaken for a small one") {
    const hidl_memory memory = makeMemory("mmap_fd", {makeFile(8).release()}, {PROT_READ, 0, 1}, 8);
    CHECK(reasonOf(memory).find("offset 4294967296") != std::string::npos);
}

TEST_CASE("refuses memory without a handle, bytes or a known name") {
    CHECK(reasonOf(hidl_memory()) != "mapped");
    CHECK(reasonOf(hidl_memory("ashmem", nullptr, 8)) == "the memory has no handle");
    CHECK(reasonOf(makeMemory("ashmem", {makeFile(8).release()}, {}, 0)) ==
          "the memory has no bytes");
    CHECK(reasonOf(makeMemory("", {makeFile(8).release()}, {}, 8)) != "mapped");
    CHECK(reasonOf(makeMemory("ashmem2", {makeFile(8).release()}, {}, 8)) != "mapped");
    CHECK(reasonOf(makeMemory("hardware_buffer_blob", {makeFile(8).release()}, {}, 8)) != "mapped");
}

TEST_CASE("refuses handles with the wrong count of descriptors or ints") {
    CHECK(reasonOf(makeMemory("ashmem", {}, {}, 8)) ==
          "the handle has 0 fds and 0 ints, expected 1 and 0");
    CHECK(reasonOf(makeMemory("ashmem", {makeFile(8).release(), makeFile(8).release()}, {}, 8)) !=
          "mapped");
    CHECK(reasonOf(makeMemory("mmap_fd", {makeFile(8).release()}, {PROT_READ, 0}, 8)) != "mapped");
    CHECK(reasonOf(makeMemory("mmap_fd", {}, {PROT_READ, 0, 0, 0}, 8)) != "mapped");
    CHECK(reasonOf(makeMemory("mmap_fd", {makeFile(8).release()}, {PROT_READ, 0, 0, 0}, 8)) !=
          "mapped");
}

TEST_CASE("refuses a handle of another layout") {
    native_handle_t* const native = native_handle_create(0, 0);
    native->version = 1;
    CHECK(reasonOf(hidl_memory("ashmem", native, 8)) == "the handle has version 1, expected 12");
    native->version = static_cast<int>(sizeof(native_handle_t));
    native->numFds = -1;
    CHECK(reasonOf(hidl_memory("ashmem", native, 8)) ==
          "the handle has -1 fds and 0 ints, expected 1 and 0");
    native->numFds = 0;
    native_handle_delete(native);
}

TEST_CASE("refuses protections that NNAPI does not have") {
    CHECK(reasonOf(makeFdMemory(8, PROT_NONE, 0, 8)) != "mapped");
    CHECK(reasonOf(makeFdMemory(8, PROT_READ | PROT_EXEC, 0, 8)) != "mapped");
    CHECK(reasonOf(makeFdMemory(8, -1, 0, 8)) ==
          "the protection is 0xffffffff, expected PROT_READ, PROT_WRITE or both");
}

TEST_CASE("refuses descriptors that are closed or no files") {
    CHECK(reasonOf(makeMemory("ashmem", {-1}, {}, 8)) != "mapped");
    CHECK(reasonOf(makeMemory("mmap_fd", {-1}, {PROT_READ, 0, 0}, 8)) != "mapped");
    int ends[2] = {};
    REQUIRE(pipe(ends) == 0);
    const unique_fd writeEnd(ends[1]);
    CHECK(reasonOf(makeMemory("ashmem", {ends[0]}, {}, 8)).find("is no file") != std::string::npos);
    const int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
    CHECK(reasonOf(makeMemory("ashmem", {zero}, {}, 8)).find("is no file") != std::string::npos);
}

TEST_CASE("refuses to write a file that is open for reading only") {
    char path[] = "/tmp/vnpu-hal-test-XXXXXX";
    const unique_fd file(mkstemp(path));
    REQUIRE(file.get() >= 0);
    REQUIRE(ftruncate(file.get(), 16) == 0);
    const unique_fd readOnly(open(path, O_RDONLY | O_CLOEXEC));
    unlink(path);
    const FdRegion region{.fd = readOnly.get(), .protection = PROT_READ, .sizeBytes = 16};
    CHECK(reasonOf(*createFdMemory(region)) == "mapped");
    FdRegion writable = region;
    writable.protection = PROT_READ | PROT_WRITE;
    CHECK(reasonOf(*createFdMemory(writable)).find("cannot be mapped") != std::string::npos);
}

TEST_CASE("makes no memory of a descriptor that is not open") {
    CHECK_FALSE(createFdMemory({.fd = -1, .protection = PROT_READ, .sizeBytes = 8}));
}

TEST_CASE("leaves no descriptor open, whether mapping succeeds or fails") {
    const size_t before = openFdCount();
    {
        const auto pool = MappedPool::create(*createSharedMemory(8));
        CHECK(openFdCount() == before);
        CHECK(reasonOf(makeFdMemory(8, PROT_READ, 8, 8)) != "mapped");
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("moves the mapping along") {
    MappedPool pool = *MappedPool::create(*createSharedMemory(8));
    std::byte* const data = pool.data();
    MappedPool moved = std::move(pool);
    CHECK(moved.data() == data);
    moved = *MappedPool::create(*createSharedMemory(16));
    CHECK(moved.size() == 16);
}

TEST_SUITE_END();

}  // namespace
