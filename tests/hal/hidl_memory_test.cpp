// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/HidlSupport.h>

#include <utility>

#include "tests/hal/test_support.h"

namespace {

using android::hardware::hidl_handle;
using android::hardware::hidl_memory;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;

hidl_memory makeMemory() {
    native_handle_t* const native = native_handle_create(1, 0);
    native->data[0] = makeFile(8).release();
    hidl_handle handle;
    handle.setTo(native, true);
    return {"ashmem", std::move(handle), 8};
}

TEST_SUITE_BEGIN("hal/hidl_memory");

TEST_CASE("is invalid, nameless and of size 0 by default") {
    const hidl_memory memory;
    CHECK_FALSE(memory.valid());
    CHECK(memory.handle() == nullptr);
    CHECK(memory.size() == 0);
    CHECK(memory.name() == "");
}

TEST_CASE("borrows a native handle") {
    native_handle_t* const native = native_handle_create(0, 0);
    {
        const hidl_memory memory("ashmem", native, 8);
        CHECK(memory.valid());
        CHECK(memory.handle() == native);
    }
    CHECK(native_handle_delete(native) == 0);
}

TEST_CASE("duplicates its descriptor when copied and closes each") {
    const size_t before = openFdCount();
    {
        const hidl_memory memory = makeMemory();
        CHECK(openFdCount() == before + 1);
        const hidl_memory copy = memory;  // NOLINT(performance-unnecessary-copy-initialization)
        CHECK(openFdCount() == before + 2);
        CHECK(copy.name() == "ashmem");
        CHECK(copy.size() == 8);
        hidl_memory assigned;
        assigned = memory;
        CHECK(openFdCount() == before + 3);
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("is empty after a move") {
    const size_t before = openFdCount();
    {
        hidl_memory memory = makeMemory();
        hidl_memory moved = std::move(memory);
        CHECK_FALSE(memory.valid());  // NOLINT(bugprone-use-after-move): the state is the subject
        CHECK(memory.size() == 0);
        CHECK(moved.size() == 8);
        moved = makeMemory();
        CHECK(openFdCount() == before + 1);
    }
    CHECK(openFdCount() == before);
}

TEST_SUITE_END();

}  // namespace
