// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/api/save_area.h"
#include "firmware/core/job.h"

namespace vnpu::fw {

/// Whether every field of a slot has a value that it may have.
bool isSlotSane(const JobSlot& slot);

/// Whether the tokens of a save area can be those of the job.
bool areTokensSane(const SaveArea& area, const JobProgress& progress);

}  // namespace vnpu::fw
