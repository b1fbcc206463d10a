// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/HidlSupport.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "tests/hal/test_support.h"

namespace {

using android::hardware::hidl_handle;
using vnpu::hal::test::aborts;
using vnpu::hal::test::makeFile;
using vnpu::hal::test::openFdCount;

/// A native handle of one open file and one int, 42.
native_handle_t* makeNative() {
    native_handle_t* const native = native_handle_create(1, 1);
    native->data[0] = makeFile(1).release();
    native->data[1] = 42;
    return native;
}

hidl_handle makeOwned() {
    hidl_handle handle;
    handle.setTo(makeNative(), true);
    return handle;
}

TEST_SUITE_BEGIN("hal/hidl_handle");

TEST_CASE("is empty by default and for null") {
    CHECK(hidl_handle().getNativeHandle() == nullptr);
    CHECK(hidl_handle(nullptr).getNativeHandle() == nullptr);
}

TEST_CASE("borrows the handle it is constructed from") {
    native_handle_t* const native = makeNative();
    const size_t before = openFdCount();
    { const hidl_handle handle(native); }
    CHECK(openFdCount() == before);
    native_handle_close(native);
    native_handle_delete(native);
}

TEST_CASE("closes an owned handle once") {
    const size_t before = openFdCount();
    {
        hidl_handle handle = makeOwned();
        CHECK(openFdCount() == before + 1);
        hidl_handle moved = std::move(handle);
        CHECK(handle.getNativeHandle() == nullptr);  // NOLINT(bugprone-use-after-move): the subject
        CHECK(moved->data[1] == 42);
        CHECK(openFdCount() == before + 1);
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("duplicates descriptors when copied") {
    const size_t before = openFdCount();
    {
        const hidl_handle handle = makeOwned();
        const hidl_handle copy = handle;  // NOLINT(performance-unnecessary-copy-initialization)
        CHECK(openFdCount() == before + 2);
        CHECK(copy->data[0] != handle->data[0]);
        CHECK(copy->data[1] == 42);
        struct stat a {};
        struct stat b {};
        CHECK(fstat(handle->data[0], &a) == 0);
        CHECK(fstat(copy->data[0], &b) == 0);
        CHECK(a.st_ino == b.st_ino);
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("owns the copy of a borrowed handle") {
    native_handle_t* const native = makeNative();
    const size_t before = openFdCount();
    {
        const hidl_handle borrowed(native);
        const hidl_handle copy(borrowed);  // NOLINT(performance-unnecessary-copy-initialization)
        CHECK(openFdCount() == before + 1);
    }
    CHECK(openFdCount() == before);
    native_handle_close(native);
    native_handle_delete(native);
}

TEST_CASE("closes its old descriptors when assigned over") {
    const size_t before = openFdCount();
    {
        hidl_handle handle = makeOwned();
        handle = makeOwned();
        CHECK(openFdCount() == before + 1);
        const hidl_handle other = makeOwned();
        handle = other;
        CHECK(openFdCount() == before + 2);
        auto& same = handle;
        handle = same;
        CHECK(openFdCount() == before + 2);
        handle.setTo(nullptr);
        CHECK(openFdCount() == before + 1);
    }
    CHECK(openFdCount() == before);
}

TEST_CASE("aborts the process if a copy is impossible") {
    CHECK(aborts([] {
        native_handle_t* const native = native_handle_create(1, 0);
        native->data[0] = -1;
        const hidl_handle copy(hidl_handle{native});
        const hidl_handle second(copy);  // NOLINT(performance-unnecessary-copy-initialization)
        (void)second.getNativeHandle();
    }));
}

TEST_SUITE_END();

}  // namespace
