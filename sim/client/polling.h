// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Polls `isDone` until it returns true, because in virtual time no thread may block. Returns at
/// most a microsecond or a hundredth of the waiting time late, whichever is more.
void pollUntil(ClientContext& context, const std::function<bool()>& isDone);

}  // namespace vnpu::sim
