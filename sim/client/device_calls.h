// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/client/model_runner.h"
#include "sim/models/operand_types.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

/// What a preparation ended with; preparedModel is null unless status is NONE.
struct PrepareResult {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    android::sp<nn::IPreparedModel> preparedModel;
};

/// The files of a compilation cache, and its token; by default none.
struct CacheHandles {
    android::hardware::hidl_vec<android::hardware::hidl_handle> model, data;
    android::hardware::hidl_array<std::uint8_t, 32> token{};
};

struct PrepareOptions {
    nn::Priority priority = nn::Priority::MEDIUM;
    nn11::ExecutionPreference preference = nn11::ExecutionPreference::FAST_SINGLE_ANSWER;
    std::optional<std::chrono::nanoseconds> deadline{};  // device time; empty: none
    CacheHandles cache{};                                // to save to
};

/// prepareModel_1_3; waits for the callback. On the client's own thread.
PrepareResult prepareModel(ClientContext& context, const nn::Model& model,
                           const PrepareOptions& options = {});

/// prepareModelFromCache_1_3, no deadline; waits for the callback. On the client's own thread.
PrepareResult prepareModelFromCache(ClientContext& context, const CacheHandles& cache);

/// What an allocation ended with; no buffer and token 0 unless status is NONE.
struct AllocateResult {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    android::sp<nn::IBuffer> buffer;
    std::uint32_t token = 0;
};

/// IDevice::allocate without dimensions of its own; DEVICE_UNAVAILABLE where the call itself fails.
AllocateResult allocateBuffer(
        ClientContext& context,
        const android::hardware::hidl_vec<android::sp<nn::IPreparedModel>>& preparedModels,
        const android::hardware::hidl_vec<nn::BufferRole>& inputRoles,
        const android::hardware::hidl_vec<nn::BufferRole>& outputRoles);

/// What an execution ended with.
struct CallResult {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    std::vector<nn12::OutputShape> outputShapes;
    nn12::Timing timing{UINT64_MAX, UINT64_MAX};
    std::chrono::nanoseconds begin{}, end{};  // device time
};

struct ExecutionOptions {
    ExecutionPath path = ExecutionPath::kSync;
    bool measuresTiming = true;
    std::optional<std::chrono::nanoseconds> loopTimeout{};  // of WHILE; empty: the default
    std::optional<std::chrono::nanoseconds> deadline{};     // device time; empty: none
};

/// Runs `request` once by the chosen path and waits for its end. On the client's own thread.
CallResult execute(ClientContext& context, const android::sp<nn::IPreparedModel>& preparedModel,
                   const nn::Request& request, const ExecutionOptions& options);

}  // namespace vnpu::sim
