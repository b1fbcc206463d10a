// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/types.h>

#include <string>
#include <string_view>

#include "driver/result.h"
#include "firmware/api/job_ring.h"

namespace vnpu::driver {

/// Timing of an execution that was not measured or did not succeed.
android::hardware::neuralnetworks::V1_2::Timing noTiming();

/// What a caller of HAL 1.0 to 1.2 gets: the statuses that came with 1.3 become GENERAL_FAILURE.
android::hardware::neuralnetworks::V1_0::ErrorStatus toHal10Status(ErrorStatus status);

/// What the caller gets for how a job ended.
ErrorStatus toErrorStatus(hw::JobStatus status);

/// How a job ended and where, as a sentence for the log.
std::string describe(const fw::CompletionRecord& record);

/// A refusal as a line for the log: "prepareModel_1_3: INVALID_ARGUMENT: ...".
std::string describe(std::string_view call, const Error& error);

}  // namespace vnpu::driver
