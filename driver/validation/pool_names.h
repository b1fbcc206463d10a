// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>
#include <cstddef>

#include "driver/result.h"

namespace vnpu::driver {

/// Whether a pool is of one of the four kinds that HAL 1.3 has (MP-4). Whether it can be mapped is
/// found out by mapping it.
Result<void> checkPoolName(const android::hardware::hidl_memory& memory, std::size_t index);

/// Whether an argument in such a pool is the complete pool, so that the request gives neither
/// offset nor length (MP-4, hardware_buffer).
bool isWholeBuffer(const android::hardware::hidl_memory& memory);

}  // namespace vnpu::driver
