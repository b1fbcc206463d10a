// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ndk/memory/memory.h"

namespace vnpu::sim::ndk {

/// Copies all bytes of one memory into another; see ANeuralNetworksMemory_copy. Any thread.
Result<void> copyMemory(const Memory& from, const Memory& to);

}  // namespace vnpu::sim::ndk
