// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>

namespace vnpu::hal::test {

/// The number of open file descriptors of this process, from /proc/self/fd.
size_t openFdCount();

/// The same once it has not changed for 50 ms: threads of an earlier test may still close theirs.
size_t settledFdCount();

/// The number of threads of this process, from /proc/self/task, once it has not changed for 50 ms.
size_t settledThreadCount();

/// A file of that many bytes, each the low byte of its offset. It is removed with its last
/// descriptor.
android::base::unique_fd makeFile(size_t sizeBytes);

/// Whether the action aborts the process. It runs in a child whose output is discarded.
bool aborts(const std::function<void()>& action);

}  // namespace vnpu::hal::test
