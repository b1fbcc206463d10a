// SPDX-License-Identifier: Apache-2.0
#include "hal/src/memory/ashmem_allocator.h"

#include <doctest/doctest.h>
#include <hidlmemory/mapping.h>

#include <cstring>

#include "tests/hal/test_support.h"

namespace {

using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using android::hardware::mapMemory;
using vnpu::hal::makeAshmemAllocator;
using vnpu::hal::test::openFdCount;

TEST_SUITE_BEGIN("hal/ashmem_allocator");

TEST_CASE("allocates memory that can be mapped and is zero [MP-4]") {
    hidl_memory memory;
    bool hasSucceeded = false;
    CHECK(makeAshmemAllocator()
                  ->allocate(100,
                             [&](bool success, const hidl_memory& allocated) {
                                 hasSucceeded = success;
                                 memory = allocated;
                             })
                  .isOk());
    REQUIRE(hasSucceeded);
    CHECK(memory.name() == "ashmem");
    CHECK(memory.size() == 100);
    const auto mapped = mapMemory(memory);
    REQUIRE(mapped != nullptr);
    const auto* bytes = static_cast<const char*>(static_cast<void*>(mapped->getPointer()));
    CHECK(bytes[0] == 0);
    CHECK(bytes[99] == 0);
}

TEST_CASE("allocates nothing for size 0 or an impossible size") {
    for (const uint64_t size : {uint64_t{0}, UINT64_MAX}) {
        bool hasSucceeded = true;
        bool isValid = true;
        CHECK(makeAshmemAllocator()
                      ->allocate(size,
                                 [&](bool success, const hidl_memory& memory) {
                                     hasSucceeded = success;
                                     isValid = memory.valid();
                                 })
                      .isOk());
        CHECK_FALSE(hasSucceeded);
        CHECK_FALSE(isValid);
    }
}

TEST_CASE("allocates a batch of separate blocks and keeps none of them") {
    const size_t before = openFdCount();
    {
        hidl_vec<hidl_memory> batch;
        CHECK(makeAshmemAllocator()
                      ->batchAllocate(8, 3,
                                      [&](bool success, const hidl_vec<hidl_memory>& allocated) {
                                          CHECK(success);
                                          batch = allocated;
                                      })
                      .isOk());
        REQUIRE(batch.size() == 3);
        const auto first = mapMemory(batch[0]);
        const auto second = mapMemory(batch[1]);
        std::memset(static_cast<void*>(first->getPointer()), 1, 8);
        CHECK(*static_cast<char*>(static_cast<void*>(second->getPointer())) == 0);
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("allocates no batch if one block fails") {
    bool hasSucceeded = true;
    CHECK(makeAshmemAllocator()
                  ->batchAllocate(0, 2,
                                  [&](bool success, const hidl_vec<hidl_memory>& batch) {
                                      hasSucceeded = success;
                                      CHECK(batch.size() == 0);
                                  })
                  .isOk());
    CHECK_FALSE(hasSucceeded);
}

TEST_SUITE_END();

}  // namespace
