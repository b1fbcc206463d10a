// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/LegacySupport.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace {

TEST_SUITE_BEGIN("hal/legacy_support");

TEST_CASE("joining the thread pool lasts until the process receives a signal to end") {
    // Before the fork: the signal may arrive before the child does anything.
    const auto handler = std::signal(SIGTERM, SIG_DFL);
    const pid_t service = fork();
    if (service == 0) {
        android::hardware::configureRpcThreadpool(4, true);
        android::hardware::joinRpcThreadpool();
        _exit(0);
    }
    (void)std::signal(SIGTERM, handler);
    REQUIRE(kill(service, SIGTERM) == 0);
    int status = 0;
    REQUIRE(waitpid(service, &status, 0) == service);
    CHECK(WIFSIGNALED(status));
}

TEST_SUITE_END();

}  // namespace
