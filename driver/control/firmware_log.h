// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "firmware/api/log.h"

namespace vnpu::driver {

/// The newest records of the firmware's log ring (firmware/api/log.h), oldest first, one line per
/// record. Impossible counters give no lines. A record that is being written may be torn.
std::vector<std::string> readFirmwareLog(std::span<const std::byte> memory, std::size_t maxRecords);

struct RunningJob {
    std::uint64_t jobId = 0;  // 0: none
    std::uint32_t ring = 0;
};

/// The job that began last and has not ended, according to the log.
RunningJob findRunningJob(std::span<const std::byte> memory);

}  // namespace vnpu::driver
