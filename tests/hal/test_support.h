// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>

namespace vnpu::hal::test {

/// Open file descriptors of this process, by /proc/self/fd.
size_t openFdCount();

/// A file of that many bytes, each the low byte of its offset; it vanishes with its last
/// descriptor.
android::base::unique_fd makeFile(size_t sizeBytes);

/// Whether the action ends the process by SIGABRT; it runs in a child with its output thrown away.
bool aborts(const std::function<void()>& action);

}  // namespace vnpu::hal::test
