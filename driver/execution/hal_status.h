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

/// The timing of an execution that was not measured or did not succeed.
android::hardware::neuralnetworks::V1_2::Timing noTiming();

/// The status for a caller of HAL 1.0 to 1.2: statuses that are new in 1.3 become GENERAL_FAILURE.
android::hardware::neuralnetworks::V1_0::ErrorStatus toHal10Status(ErrorStatus status);

/// The caller's status for the end of a job.
ErrorStatus toErrorStatus(hw::JobStatus status);

/// The end of a job and its place, as a sentence for the log.
std::string describe(const fw::CompletionRecord& record);

/// The same error with its place in front.
inline tl::unexpected<Error> failAt(const std::string& place, const Error& error) {
    return fail(error.status, place + ": " + error.reason);
}

/// A refusal as a line for the log: "prepareModel_1_3: INVALID_ARGUMENT: ...".
std::string describe(std::string_view call, const Error& error);

}  // namespace vnpu::driver
