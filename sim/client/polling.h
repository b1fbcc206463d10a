// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Asks again and again, as a client that polls does: in virtual time nobody may block. Late by a
/// microsecond or by a hundredth of the time that it took, whichever is more.
void pollUntil(ClientContext& context, const std::function<bool()>& isDone);

}  // namespace vnpu::sim
