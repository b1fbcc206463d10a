// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/client/device_calls.h"

namespace vnpu::hal {
class ExecutionBurstController;
}  // namespace vnpu::hal

namespace vnpu::sim {

/// A burst for executions of one prepared model, on the client's own thread. A burst has no words
/// for deadlines, loop timeouts and buffers of memory domains: the first two are left out, the last
/// are INVALID_ARGUMENT. A request too long for the burst's queue is GENERAL_FAILURE.
class BurstSession {
  public:
    /// The burst begins with the first execution; where the driver gives none, that is
    /// GENERAL_FAILURE.
    BurstSession(ClientContext& context, android::sp<nn12::IPreparedModel> preparedModel);
    ~BurstSession();
    BurstSession(const BurstSession&) = delete;
    BurstSession& operator=(const BurstSession&) = delete;

    /// Pool i of every request has to be the same memory: the driver maps it once.
    CallResult execute(const nn::Request& request, const ExecutionOptions& options);

  private:
    ClientContext& context_;
    android::sp<nn12::IPreparedModel> preparedModel_;
    std::unique_ptr<vnpu::hal::ExecutionBurstController> controller_;  // null before the first
};

/// Runs `request` in a burst of its own.
CallResult executeBurst(ClientContext& context,
                        const android::sp<nn12::IPreparedModel>& preparedModel,
                        const nn::Request& request, const ExecutionOptions& options);

}  // namespace vnpu::sim
