// SPDX-License-Identifier: Apache-2.0
#include <hidl/LegacySupport.h>
#include <unistd.h>

namespace android::hardware {

void configureRpcThreadpool(size_t /*maxThreads*/, bool /*callerWillJoin*/) {}

void joinRpcThreadpool() {
    for (;;) {
        pause();
    }
}

}  // namespace android::hardware
