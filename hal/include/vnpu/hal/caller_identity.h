// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace vnpu::hal {

/// Tells IPCThreadState::getCallingUid what to answer: the provider is called on the thread that
/// asks, and by several at once. An empty function brings the default back, this process's own
/// user.
void setCallerUidProvider(std::function<uint32_t()> provider);

}  // namespace vnpu::hal
