// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/models/operand_types.h"

namespace vnpu::sim {

/// How an execution reaches the driver.
enum class ExecutionPath { kSync, kAsync, kFenced, kBurst };

/// The outcome of a preparation; preparedModel is null unless status is NONE.
struct PrepareResult {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    android::sp<nn::IPreparedModel> preparedModel;
};

/// The files and the token of a compilation cache; without files by default.
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

/// The outcome of an allocation; without buffer and with token 0 unless status is NONE.
struct AllocateResult {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    android::sp<nn::IBuffer> buffer;
    std::uint32_t token = 0;
};

/// The outcome of an execution.
struct CallResult {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    std::vector<nn12::OutputShape> outputShapes{};
    nn12::Timing timing{UINT64_MAX, UINT64_MAX};
    std::chrono::nanoseconds begin{}, end{};  // device time
};

struct ExecutionOptions {
    ExecutionPath path = ExecutionPath::kSync;
    bool measuresTiming = true;
    std::optional<std::chrono::nanoseconds> loopTimeout{};  // of WHILE; empty: the default
    std::optional<std::chrono::nanoseconds> deadline{};     // device time; empty: none
};

}  // namespace vnpu::sim
