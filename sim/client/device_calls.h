// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/client/call_types.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// Calls prepareModel_1_3 and waits for the callback. On the client's own thread.
PrepareResult prepareModel(ClientContext& context, const nn::Model& model,
                           const PrepareOptions& options = {});

/// Calls prepareModelFromCache_1_3 without a deadline and waits for the callback. On the client's
/// own thread.
PrepareResult prepareModelFromCache(ClientContext& context, const CacheHandles& cache);

/// Calls IDevice::allocate without a description of dimensions; DEVICE_UNAVAILABLE where the call
/// itself fails.
AllocateResult allocateBuffer(
        ClientContext& context,
        const android::hardware::hidl_vec<android::sp<nn::IPreparedModel>>& preparedModels,
        const android::hardware::hidl_vec<nn::BufferRole>& inputRoles,
        const android::hardware::hidl_vec<nn::BufferRole>& outputRoles);

/// Runs `request` once by the chosen path and waits for its end. On the client's own thread.
CallResult execute(ClientContext& context, const android::sp<nn::IPreparedModel>& preparedModel,
                   const nn::Request& request, const ExecutionOptions& options);

}  // namespace vnpu::sim
