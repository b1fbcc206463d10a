// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu {

/// Prints where and why an invariant of this program failed, and aborts. Never used for a client's
/// or user's mistake.
[[noreturn]] void checkFailed(const char* condition, const char* why, const char* file, int line);

/// From now on checkFailed() throws std::logic_error instead. For a library, which must not end the
/// process that loads it. Before other threads start.
void throwFailedChecks();

}  // namespace vnpu

/// Aborts with `why` when an invariant of this program does not hold.
#define VNPU_CHECK(condition, why) \
    ((condition) ? static_cast<void>(0) : ::vnpu::checkFailed(#condition, why, __FILE__, __LINE__))
