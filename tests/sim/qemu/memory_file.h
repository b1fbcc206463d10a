// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/qemu/proxy_message.h"

namespace vnpu::test {

/// A file in memory, as QEMU shares the guest's; `isSealed` against shrinking and growing.
android::base::unique_fd createMemoryFile(std::uint64_t sizeBytes, bool isSealed);

/// A region of a guest: all of a new file.
sim::GuestRegion createRegion(std::uint64_t address, std::uint64_t sizeBytes, bool isSealed);

}  // namespace vnpu::test
