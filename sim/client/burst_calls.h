// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/client/call_types.h"
#include "sim/platform/platform.h"
#include "vnpu/hal/burst_controller.h"

namespace vnpu::sim {

/// A burst: a series of executions of one prepared model. On the client's own thread.
class BurstSeries {
  public:
    /// Null if the prepared model refuses the burst.
    static std::unique_ptr<BurstSeries> begin(ClientContext& context,
                                              const android::sp<nn12::IPreparedModel>& model);

    /// Runs `request`; all executions of the series must have the same pools in the same order. A
    /// burst cannot express deadlines, loop timeouts and buffers of memory domains: deadlines and
    /// timeouts are ignored, a buffer is INVALID_ARGUMENT. A request too long for the queue of the
    /// burst is GENERAL_FAILURE.
    CallResult execute(const nn::Request& request, const ExecutionOptions& options);

  private:
    BurstSeries(ClientContext& context, std::unique_ptr<hal::ExecutionBurstController> controller)
        : context_(context), controller_(std::move(controller)) {}

    ClientContext& context_;
    const std::unique_ptr<hal::ExecutionBurstController> controller_;
};

/// Runs `request` in a separate burst.
CallResult executeBurst(ClientContext& context,
                        const android::sp<nn12::IPreparedModel>& preparedModel,
                        const nn::Request& request, const ExecutionOptions& options);

}  // namespace vnpu::sim
