// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidlmemory/mapping.h>
#include <sys/mman.h>
#include <vnpu/hal/shared_memory.h>

#include <cstring>

#include "tests/hal/hardware_buffer_support.h"
#include "tests/hal/test_support.h"

namespace {

using android::sp;
using android::hardware::hidl_memory;
using android::hardware::mapMemory;
using android::hidl::memory::V1_0::IMemory;
using vnpu::hal::createFdMemory;
using vnpu::hal::createSharedMemory;
using vnpu::hal::test::bytesOf;
using vnpu::hal::test::describeBlob;
using vnpu::hal::test::describeImage;
using vnpu::hal::test::makeBuffer;
using vnpu::hal::test::makeFile;

char* bytesOf(const sp<IMemory>& memory) {
    return static_cast<char*>(static_cast<void*>(memory->getPointer()));
}

TEST_SUITE_BEGIN("hal/memory_mapping");

TEST_CASE("shares the bytes of an ashmem between mappings [MP-4]") {
    const hidl_memory memory = *createSharedMemory(5000);
    const sp<IMemory> one = mapMemory(memory);
    const sp<IMemory> two = mapMemory(memory);
    REQUIRE(one != nullptr);
    REQUIRE(two != nullptr);
    CHECK(uint64_t{one->getSize()} == 5000);
    CHECK(one->update().isOk());
    bytesOf(one)[4999] = 'x';
    CHECK(one->commit().isOk());
    CHECK(two->read().isOk());
    CHECK(bytesOf(two)[4999] == 'x');
}

TEST_CASE("stays mapped after the memory is destroyed [MP-4]") {
    sp<IMemory> mapped;
    {
        const hidl_memory memory = *createSharedMemory(16);
        mapped = mapMemory(memory);
    }
    REQUIRE(mapped != nullptr);
    bytesOf(mapped)[0] = 1;
    CHECK(bytesOf(mapped)[0] == 1);
}

TEST_CASE("maps part of a file [MP-4]") {
    const auto file = makeFile(300);
    const sp<IMemory> mapped = mapMemory(*createFdMemory(
            {.fd = file.get(), .protection = PROT_READ, .offsetBytes = 200, .sizeBytes = 100}));
    REQUIRE(mapped != nullptr);
    CHECK(static_cast<unsigned char>(bytesOf(mapped)[0]) == 200);
    CHECK(static_cast<unsigned char>(bytesOf(mapped)[99]) == 43);  // 299 in one byte
}

TEST_CASE("maps hardware buffers, a BLOB by its own kind of memory [MP-4]") {
    const auto blob = makeBuffer(describeBlob(300));
    const sp<IMemory> mapped = mapMemory(
            hidl_memory("hardware_buffer_blob", AHardwareBuffer_getNativeHandle(blob.get()), 300));
    REQUIRE(mapped != nullptr);
    CHECK(uint64_t{mapped->getSize()} == 300);
    bytesOf(blob)[299] = 'x';
    CHECK(bytesOf(mapped)[299] == 'x');

    const auto image = makeBuffer(describeImage(AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM, 16, 4));
    const sp<IMemory> pixels = mapMemory(
            hidl_memory("hardware_buffer", AHardwareBuffer_getNativeHandle(image.get()), 0));
    REQUIRE(pixels != nullptr);
    CHECK(uint64_t{pixels->getSize()} == 256);
}

TEST_CASE("returns null for a memory that cannot be mapped") {
    CHECK(mapMemory(hidl_memory()) == nullptr);
    CHECK(mapMemory(hidl_memory("ashmem", nullptr, 16)) == nullptr);
    CHECK(mapMemory(hidl_memory("hardware_buffer", nullptr, 16)) == nullptr);
}

TEST_SUITE_END();

}  // namespace
