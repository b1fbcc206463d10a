// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/save_area.h"
#include "firmware/core/scheduling/job.h"

namespace vnpu::fw {

/// Whether every field of a slot has a valid value.
bool isSlotSane(const JobSlot& slot);

/// Whether the tokens of a save area are possible for the job.
bool areTokensSane(const SaveArea& area, const JobProgress& progress);

/// Whether a save area has the DSP's state exactly if it names an unfinished operator.
bool isDspStateSane(const SaveArea& area, std::uint32_t dspStateBytes);

}  // namespace vnpu::fw
