// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <vnpu/hal/burst_session.h>

#include <memory>

#include "driver/execution/prepared_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Creates the driver's end of a burst. With system threads, a dedicated thread sleeps on the
/// client's queue; in virtual time a host thread of the port polls it every few microseconds,
/// because a wait on memory would stop the simulation. The last reference must be dropped on a host
/// thread of the port. INVALID_ARGUMENT without a callback, GENERAL_FAILURE for unusable queues.
Result<android::sp<android::hardware::neuralnetworks::V1_2::IBurstContext>> createBurst(
        const android::sp<PreparedModel>& prepared, const hal::BurstSession::Offer& offer);

}  // namespace vnpu::driver
