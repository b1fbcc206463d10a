// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace vnpu::driver {

/// The newest records of the firmware's log ring (firmware/api/log.h), oldest first, a line each.
/// The firmware's counters are not trusted: what makes no sense gives no lines. Records being
/// written meanwhile may come out torn.
std::vector<std::string> readFirmwareLog(std::span<const std::byte> memory, std::size_t maxRecords);

}  // namespace vnpu::driver
