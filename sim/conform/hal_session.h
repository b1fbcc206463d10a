// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/client/call_types.h"

namespace vnpu::sim {

/// What a device says of a model's operations.
struct SupportAnswer {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    std::vector<bool> operations;
};

/// One model through the methods, types and callbacks of one HAL version. What the version has no
/// words for is INVALID_ARGUMENT without a call. On the client's own thread.
class HalSession {
  public:
    virtual ~HalSession() = default;

    virtual SupportAnswer askSupport(const nn::Model& model) = 0;
    /// Prepares, and saves to the cache files if there are any.
    virtual nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles& cache) = 0;
    /// Puts the model of the files in the place of the prepared one.
    virtual nn::ErrorStatus prepareFromCache(const CacheHandles& cache) = 0;
    virtual CallResult execute(const nn::Request& request, const ExecutionOptions& options) = 0;
    /// For what only 1.3 has; null before.
    virtual android::sp<nn::IPreparedModel> preparedModel() const { return nullptr; }
};

}  // namespace vnpu::sim
