// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <vnpu/hal/burst_session.h>

#include <memory>

#include "driver/execution/prepared_model.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The driver's end of a burst. Where host threads are the system's, a thread of its own sleeps on
/// the client's queue; in virtual time a host thread of the port looks into it every few
/// microseconds, as nobody may sleep on memory there. Its last reference must be dropped on a host
/// thread of the port. INVALID_ARGUMENT without a callback and for queues that cannot be used.
Result<android::sp<android::hardware::neuralnetworks::V1_2::IBurstContext>> createBurst(
        const std::shared_ptr<PreparedModelCore>& core, const hal::BurstSession::Offer& offer);

}  // namespace vnpu::driver
