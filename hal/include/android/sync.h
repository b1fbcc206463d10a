// SPDX-License-Identifier: Apache-2.0
#pragma once

extern "C" {

/// Waits until the fence is signalled; a negative timeout waits for ever. 0, or -1 with errno ETIME
/// (not in time) or EINVAL (no fence).
int sync_wait(int fd, int timeoutMs);
}
