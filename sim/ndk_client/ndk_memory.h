// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlSupport.h>

#include <string>
#include <tl/expected.hpp>

#include "sim/models/operand_types.h"
#include "sim/ndk_client/ndk_library.h"

namespace vnpu::sim {

/// A call of the C interface that did not return NO_ERROR.
struct NdkFailure {
    std::string call;  // without "ANeuralNetworks"
    int code = 0;      // ResultCode

    /// "Model_finish: BAD_DATA"
    std::string describe() const;
};

/// Name of a ResultCode, or its number if it has none.
std::string nameOfNdkCode(int code);

/// The HAL's status for the same outcome.
nn::ErrorStatus statusOf(int code);

/// Nothing if the code is NO_ERROR.
tl::expected<void, NdkFailure> succeed(const char* call, int code);

/// A memory object of the C interface for the bytes of a memory of the client: by descriptor, or as
/// hardware buffer.
tl::expected<NdkHandle<ANeuralNetworksMemory>, NdkFailure> createNdkMemory(
        const NdkFunctions& ndk, const android::hardware::hidl_memory& memory);

}  // namespace vnpu::sim
