// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidlmemory/mapping.h>
#include <sys/mman.h>
#include <vnpu/hal/shared_memory.h>

#include <cstring>

#include "tests/hal/test_support.h"

namespace {

using android::sp;
using android::hardware::hidl_memory;
using android::hardware::mapMemory;
using android::hidl::memory::V1_0::IMemory;
using vnpu::hal::createFdMemory;
using vnpu::hal::createSharedMemory;
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

TEST_CASE("stays mapped when the memory is gone [MP-4]") {
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

TEST_CASE("gives null for what cannot be mapped") {
    CHECK(mapMemory(hidl_memory()) == nullptr);
    CHECK(mapMemory(hidl_memory("ashmem", nullptr, 16)) == nullptr);
    CHECK(mapMemory(hidl_memory("hardware_buffer", nullptr, 16)) == nullptr);
}

TEST_SUITE_END();

}  // namespace
