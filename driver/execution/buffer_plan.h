// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/memory/context.h"
#include "driver/result.h"
#include "driver/validation/dimensions.h"

namespace vnpu::driver {

/// Names a prepared model, ended ones included; never reused.
using ModelId = std::uint64_t;

enum class BufferDirection { kInput, kOutput };

/// One use that a buffer was allocated for.
struct BufferUse {
    ModelId model = 0;
    BufferDirection direction = BufferDirection::kInput;
    std::uint32_t index = 0;  // of the model's input or output

    bool operator==(const BufferUse&) const = default;
};

/// The properties of a memory-domain buffer that all its uses agree on.
struct BufferPlan {
    std::shared_ptr<Context> context;  // of the caller whose models the uses name
    android::hardware::neuralnetworks::V1_3::OperandType type{};
    bool isScalar = false;
    Dimensions dimensions;  // combined from all uses and the description
    std::vector<BufferUse> uses;
    float frequency = 0;  // of the role used most often, above 0 and up to 1

    bool isShapeKnown() const;
    bool allows(const BufferUse& use) const;
    /// Whether contents of this size belong in on-chip memory: they may fill a share of it up to
    /// their frequency, counted in pages.
    bool deservesOnChip(std::uint64_t sizeOfContents, std::uint64_t onChipBytes) const;
};

/// A model that a buffer's roles may name.
struct RoleModel {
    ModelId id = 0;
    const android::hardware::neuralnetworks::V1_3::Model& model;
    std::shared_ptr<Context> context;
};

/// The arguments of IDevice::allocate, borrowed.
struct BufferOrder {
    const android::hardware::neuralnetworks::V1_3::BufferDesc& description;
    const std::vector<RoleModel>& models;
    const android::hardware::hidl_vec<android::hardware::neuralnetworks::V1_3::BufferRole>&
            inputRoles;
    const android::hardware::hidl_vec<android::hardware::neuralnetworks::V1_3::BufferRole>&
            outputRoles;
};

/// Checks an order and combines its roles. INVALID_ARGUMENT for roles that do not exist, are
/// repeated, or contradict each other or the description; GENERAL_FAILURE for a type without a
/// fixed size. Any thread.
Result<BufferPlan> planBuffer(const BufferOrder& order);

}  // namespace vnpu::driver
