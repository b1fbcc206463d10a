// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Polls `isDone` until it returns true, because in virtual time no thread may block. The delay is
/// at most a microsecond or a hundredth of the waiting time, whichever is longer.
void pollUntil(ClientContext& context, const std::function<bool()>& isDone);

}  // namespace vnpu::sim
