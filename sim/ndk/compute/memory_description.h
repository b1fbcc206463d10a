// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/ndk/compute/compilation.h"

namespace vnpu::sim::ndk {

/// The uses of a memory to come; android/NeuralNetworks.h documents the functions. One thread until
/// finish(), any thread then.
class MemoryDescription {
  public:
    Result<void> addRole(const std::shared_ptr<const Compilation>& compilation, bool isInput,
                         std::uint32_t index, float frequency);
    Result<void> setDimensions(const Dimensions& dimensions);
    Result<void> finish();

    /// A memory of the device that has all roles, or else of the host.
    Result<SharedMemory> allocate() const;

  private:
    struct Role {
        std::shared_ptr<const Compilation> compilation;
        bool isInput = false;
        std::uint32_t index = 0;
        float frequency = 1.0F;
    };

    Result<void> checkIsOpen() const;
    /// Merges a shape into that of the operand.
    Result<void> merge(const Dimensions& dimensions);
    std::unique_ptr<MemoryRoles> roles() const;
    /// The device that computes all roles alone; null if there is none.
    std::shared_ptr<Device> commonDevice() const;

    bool isFinished_ = false;
    std::vector<Role> roles_;
    std::optional<nn::V1_3::Operand> operand_;  // of the first role
    Dimensions dimensions_;
};

}  // namespace vnpu::sim::ndk
