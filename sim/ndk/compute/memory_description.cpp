// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/memory_description.h"

#include <algorithm>
#include <utility>

#include "driver/validation/operand_types.h"

namespace vnpu::sim::ndk {

Result<void> MemoryDescription::checkIsOpen() const {
    if (isFinished_) {
        return badState("description is finished");
    }
    return {};
}

Result<void> MemoryDescription::merge(const Dimensions& dimensions) {
    VNPU_TRY_ASSIGN(dimensions_, asBadData(driver::combineDimensions(dimensions_, dimensions),
                                           "shape of a memory"));
    return {};
}

Result<void> MemoryDescription::addRole(const std::shared_ptr<const Compilation>& compilation,
                                        bool isInput, std::uint32_t index, float frequency) {
    VNPU_TRY(checkIsOpen());
    if (const auto ready = compilation->checkIsReady(); !ready) {
        return badData("{}", ready.error().reason);
    }
    if (!(frequency > 0.0F && frequency <= 1.0F)) {
        return badData("frequency is {}, expected above 0 and at most 1", frequency);
    }
    const nn::V1_3::Operand* const operand = compilation->operandOf(isInput, index);
    if (operand == nullptr) {
        return badData("no {} {}", isInput ? "input" : "output", index);
    }
    const bool isKnown = std::any_of(roles_.begin(), roles_.end(), [&](const Role& role) {
        return role.compilation == compilation && role.isInput == isInput && role.index == index;
    });
    if (isKnown) {
        return badData("{} {} is a role already", isInput ? "input" : "output", index);
    }
    if (operand_ && (operand_->type != operand->type || operand_->scale != operand->scale ||
                     operand_->zeroPoint != operand->zeroPoint ||
                     operand_->extraParams != operand->extraParams)) {
        return badData("role of type {} contradicts an earlier one of type {}",
                       toString(operand->type), toString(operand_->type));
    }
    const auto facts = driver::factsOf(operand->type);
    if (facts && facts->isScalar && !dimensions_.empty()) {
        return badData("role is a scalar, the memory has dimensions");
    }
    VNPU_TRY(merge(operand->dimensions));
    operand_ = *operand;
    roles_.push_back({compilation, isInput, index, frequency});
    return {};
}

Result<void> MemoryDescription::setDimensions(const Dimensions& dimensions) {
    VNPU_TRY(checkIsOpen());
    if (operand_ && !dimensions.empty()) {
        const auto facts = driver::factsOf(operand_->type);
        if (facts && facts->isScalar) {
            return badData("role is a scalar, the memory gets dimensions");
        }
    }
    return merge(dimensions);
}

Result<void> MemoryDescription::finish() {
    VNPU_TRY(checkIsOpen());
    if (roles_.empty()) {
        return badData("description has no roles");
    }
    isFinished_ = true;
    return {};
}

std::unique_ptr<MemoryRoles> MemoryDescription::roles() const {
    nn::V1_3::Operand operand = *operand_;
    operand.dimensions = dimensions_;
    std::vector<MemoryRole> roles;
    for (const Role& role : roles_) {
        roles.push_back({role.compilation, role.isInput, role.index});
    }
    return std::make_unique<MemoryRoles>(std::move(operand), std::move(roles));
}

std::shared_ptr<Device> MemoryDescription::commonDevice() const {
    std::shared_ptr<Device> common;
    for (const Role& role : roles_) {
        const auto& steps = role.compilation->steps();
        const auto& device = role.compilation->devices()[steps.front().part.device];
        if (steps.size() != 1 || (common != nullptr && common != device)) {
            return nullptr;
        }
        common = device;
    }
    return common;
}

Result<SharedMemory> MemoryDescription::allocate() const {
    if (!isFinished_) {
        return badState("description is not finished");
    }
    if (const auto device = commonDevice(); device != nullptr) {
        std::vector<DeviceRole> uses;
        for (const Role& role : roles_) {
            uses.push_back({role.compilation->steps().front().prepared, role.isInput, role.index,
                            role.frequency});
        }
        auto memory = device->allocate(uses, roles());
        if (memory || memory.error().code == ANEURALNETWORKS_DEAD_OBJECT) {
            return memory;
        }
    }
    const auto bytes = driver::sizeOfData(operand_->type, dimensions_);
    if (!bytes || *bytes == 0) {
        return failed(ANEURALNETWORKS_OP_FAILED,
                      "memory has no known size, and no device provides it");
    }
    return Memory::ofHost(*bytes, roles());
}

}  // namespace vnpu::sim::ndk
