// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "driver/validation/hal_version.h"
#include "sim/client/call_types.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// The answer of a device about the operations of a model.
struct SupportAnswer {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    std::vector<bool> operations;
};

/// One model through the methods, types and callbacks of one HAL version. A request that the
/// version cannot express is INVALID_ARGUMENT without a call. On the client's own thread.
class HalSession {
  public:
    virtual ~HalSession() = default;

    virtual SupportAnswer askSupport(const nn::Model& model) = 0;
    /// Prepares the model and saves it to the cache files if there are any.
    virtual nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles& cache) = 0;
    /// Replaces the prepared model by that of the files.
    virtual nn::ErrorStatus prepareFromCache(const CacheHandles& cache) = 0;
    virtual CallResult execute(const nn::Request& request, const ExecutionOptions& options) = 0;
    /// For functions that only 1.3 has; null before.
    virtual android::sp<nn::IPreparedModel> preparedModel() const { return nullptr; }
};

/// A session of any HAL version; it must not outlive `context`.
std::unique_ptr<HalSession> openHalSession(ClientContext& context, driver::HalVersion version);

}  // namespace vnpu::sim
