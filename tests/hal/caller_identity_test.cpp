// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hwbinder/IPCThreadState.h>
#include <unistd.h>
#include <vnpu/hal/caller_identity.h>

#include <thread>

namespace {

using android::hardware::IPCThreadState;
using vnpu::hal::setCallerUidProvider;

thread_local uint32_t callerOfThisThread = 10001;

TEST_SUITE_BEGIN("hal/caller_identity");

TEST_CASE("is this process by default") {
    CHECK(IPCThreadState::self()->getCallingUid() == getuid());
    CHECK(IPCThreadState::self()->getCallingPid() == getpid());
}

TEST_CASE("is the provider's value, on the calling thread") {
    setCallerUidProvider([] { return callerOfThisThread; });
    uid_t elsewhere = 0;
    std::thread([&] {
        callerOfThisThread = 10002;
        elsewhere = IPCThreadState::self()->getCallingUid();
    }).join();
    CHECK(elsewhere == 10002);
    CHECK(IPCThreadState::self()->getCallingUid() == 10001);
    setCallerUidProvider(nullptr);
    CHECK(IPCThreadState::self()->getCallingUid() == getuid());
}

TEST_SUITE_END();

}  // namespace
