// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/client/device_calls.h"

namespace vnpu::sim {

/// Runs `request` in a burst of its own. A burst has no words for deadlines, loop timeouts and
/// buffers of memory domains: the first two are left out, the last are INVALID_ARGUMENT. A request
/// too long for the burst's queue is GENERAL_FAILURE. On the client's own thread.
CallResult executeBurst(ClientContext& context,
                        const android::sp<nn12::IPreparedModel>& preparedModel,
                        const nn::Request& request, const ExecutionOptions& options);

}  // namespace vnpu::sim
