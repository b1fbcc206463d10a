// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "firmware/api/log.h"

namespace vnpu::driver {

/// The newest records of the firmware's log ring (firmware/api/log.h), oldest first, a line each.
/// The firmware's counters are not trusted: what makes no sense gives no lines. Records being
/// written meanwhile may come out torn.
std::vector<std::string> readFirmwareLog(std::span<const std::byte> memory, std::size_t maxRecords);

/// The same as they are.
std::vector<fw::LogRecord> readLogRecords(std::span<const std::byte> memory,
                                          std::size_t maxRecords);

struct RunningJob {
    std::uint64_t jobId = 0;  // 0: none
    std::uint32_t ring = 0;
};

/// The job that began last and has not ended, as far as the log reaches.
RunningJob findRunningJob(std::span<const std::byte> memory);

}  // namespace vnpu::driver
