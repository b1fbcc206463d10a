// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <android/sync.h>
#include <doctest/doctest.h>
#include <sys/eventfd.h>

#include <cerrno>

namespace {

using android::base::unique_fd;

TEST_SUITE_BEGIN("hal/sync");

TEST_CASE("returns at once for a signalled fence") {
    const unique_fd fence(eventfd(1, EFD_CLOEXEC));
    CHECK(sync_wait(fence.get(), 0) == 0);
    CHECK(sync_wait(fence.get(), -1) == 0);
}

TEST_CASE("reports a timeout") {
    const unique_fd fence(eventfd(0, EFD_CLOEXEC));
    errno = 0;
    CHECK(sync_wait(fence.get(), 1) == -1);
    CHECK(errno == ETIME);
}

TEST_CASE("refuses an invalid descriptor") {
    errno = 0;
    CHECK(sync_wait(-1, 0) == -1);
    CHECK(errno == EINVAL);
    int closed = -1;
    {
        const unique_fd fence(eventfd(1, EFD_CLOEXEC));
        closed = fence.get();
    }
    errno = 0;
    CHECK(sync_wait(closed, 0) == -1);
    CHECK(errno == EINVAL);
}

TEST_SUITE_END();

}  // namespace
