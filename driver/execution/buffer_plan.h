// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/memory/context.h"
#include "driver/result.h"
#include "driver/validation/dimensions.h"

namespace vnpu::driver {

class PreparedModelCore;

enum class BufferDirection { kInput, kOutput };

/// One use that a buffer was allocated for. A model that has ended is no other model's equal.
struct BufferUse {
    std::weak_ptr<const PreparedModelCore> model;
    BufferDirection direction = BufferDirection::kInput;
    std::uint32_t index = 0;  // of the model's input or output

    bool isSame(const BufferUse& other) const;
};

/// What a buffer of a memory domain is to be, as all its uses agree on it.
struct BufferPlan {
    std::shared_ptr<Context> context;  // of the one caller whose models the uses name
    android::hardware::neuralnetworks::V1_3::OperandType type{};
    bool isScalar = false;
    Dimensions dimensions;  // combined from all uses and the description
    std::vector<BufferUse> uses;
    float frequency = 0;  // of the role used most often, above 0 and up to 1

    bool isShapeKnown() const;
    /// Bytes of contents of this type, nothing if a dimension is unknown or 4 GiB don't do.
    std::optional<std::uint64_t> sizeBytes(const Dimensions& ofContents) const;
    bool allows(const BufferUse& use) const;
    /// Whether contents of this size are small and hot enough for on-chip memory: they may fill as
    /// large a share of it as their frequency, counted in pages.
    bool deservesOnChip(std::uint64_t sizeOfContents, std::uint64_t onChipBytes) const;
};

/// The arguments of IDevice::allocate, borrowed.
struct BufferOrder {
    const android::hardware::neuralnetworks::V1_3::BufferDesc& description;
    const std::vector<std::shared_ptr<PreparedModelCore>>& models;  // none null
    const android::hardware::hidl_vec<android::hardware::neuralnetworks::V1_3::BufferRole>&
            inputRoles;
    const android::hardware::hidl_vec<android::hardware::neuralnetworks::V1_3::BufferRole>&
            outputRoles;
};

/// Checks an order and combines what it says. INVALID_ARGUMENT for roles that do not exist, repeat
/// each other or contradict each other or the description; GENERAL_FAILURE for a type without a
/// fixed size. Any thread.
Result<BufferPlan> planBuffer(const BufferOrder& order);

}  // namespace vnpu::driver
