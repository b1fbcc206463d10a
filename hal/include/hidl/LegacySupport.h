// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/ServiceManagement.h>

#include <cstddef>

namespace android::hardware {

/// Services run on their callers' threads, so there is no thread pool to configure.
void configureRpcThreadpool(size_t maxThreads, bool callerWillJoin);
/// Never returns; the last call of a service's main().
void joinRpcThreadpool();

}  // namespace android::hardware
