// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/ServiceManagement.h>

#include <cstddef>

namespace android::hardware {

/// Services are called on their callers' threads, so the pool has no threads to configure.
void configureRpcThreadpool(size_t maxThreads, bool callerWillJoin);
/// Never returns: a service's main() ends with it.
void joinRpcThreadpool();

}  // namespace android::hardware
