// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/conform/example_memory.h"
#include "sim/ndk_client/ndk_library.h"

namespace vnpu::sim {

/// Memories that the C interface makes from descriptions with one role.
class NdkBuffers : public RoleBuffers {
  public:
    /// Both must exist as long as this object.
    NdkBuffers(const NdkFunctions& ndk, const ANeuralNetworksCompilation* compilation)
        : ndk_(ndk), compilation_(compilation) {}

    tl::expected<std::uint32_t, std::string> allocate(ArgumentRole role,
                                                      std::uint32_t index) override;
    nn::ErrorStatus copyFrom(const android::hardware::hidl_memory& memory,
                             std::uint32_t token) override;
    nn::ErrorStatus copyTo(const android::hardware::hidl_memory& memory,
                           std::uint32_t token) override;

    /// The memory of a token; null for an unknown one.
    const ANeuralNetworksMemory* find(std::uint32_t token) const;

  private:
    const NdkFunctions& ndk_;
    const ANeuralNetworksCompilation* const compilation_;
    std::map<std::uint32_t, NdkHandle<ANeuralNetworksMemory>> memories_;  // by token, from 1 on
};

}  // namespace vnpu::sim
