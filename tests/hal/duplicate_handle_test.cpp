// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/duplicate_handle.h>
#include <vnpu/hal/shared_memory.h>

#include "tests/hal/test_support.h"

namespace {

using android::hardware::hidl_handle;
using android::hardware::hidl_memory;
using vnpu::hal::duplicateHandle;
using vnpu::hal::duplicateMemory;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;

TEST_SUITE_BEGIN("hal/duplicate_handle");

TEST_CASE("a handle is duplicated with its descriptors and ints, or not at all") {
    native_handle_t* const native = native_handle_create(1, 2);
    native->data[0] = makeFile(8).release();
    native->data[1] = 7;
    native->data[2] = 9;
    hidl_handle owner;
    owner.setTo(native, true);
    const auto copy = duplicateHandle(native);
    REQUIRE(copy.has_value());
    hidl_handle copyOwner;
    copyOwner.setTo(*copy, true);
    CHECK((*copy)->data[0] != native->data[0]);
    CHECK((*copy)->data[2] == 9);

    const size_t before = openFdCount();
    native_handle_t* const closed = native_handle_create(2, 0);
    closed->data[0] = native->data[0];
    closed->data[1] = -1;
    CHECK_FALSE(duplicateHandle(closed).has_value());
    CHECK_FALSE(duplicateHandle(nullptr).has_value());
    CHECK(openFdCount() == before);
    native_handle_delete(closed);
}

TEST_CASE("a memory is duplicated, or not at all") {
    const auto memory = vnpu::hal::createSharedMemory(64);
    REQUIRE(memory.has_value());
    const auto copy = duplicateMemory(*memory);
    REQUIRE(copy.has_value());
    CHECK(copy->handle() != memory->handle());
    CHECK(copy->size() == 64);
    CHECK(copy->name() == memory->name());
    CHECK(vnpu::hal::MappedPool::create(*copy).has_value());
    CHECK_FALSE(duplicateMemory(hidl_memory()).has_value());
}

TEST_SUITE_END();

}  // namespace
