// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <vnpu/hal/burst_callback.h>
#include <vnpu/hal/duplicate_handle.h>

#include <utility>

#include "hal/src/try.h"

namespace vnpu::hal {

using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using android::hardware::neuralnetworks::V1_0::ErrorStatus;

android::hardware::Return<void> ExecutionBurstCallback::getMemories(const hidl_vec<int32_t>& slots,
                                                                    getMemories_cb callback) {
    // Copied, because a memory may be freed while the service uses it.
    hidl_vec<hidl_memory> memories(slots.size());
    ErrorStatus status = ErrorStatus::NONE;
    {
        const std::lock_guard guard(mutex_);
        for (size_t i = 0; i < slots.size() && status == ErrorStatus::NONE; ++i) {
            const auto found = memories_.find(slots[i]);
            if (found == memories_.end()) {
                status = ErrorStatus::INVALID_ARGUMENT;
            } else if (auto copy = duplicateMemory(found->second)) {
                memories[i] = std::move(*copy);
            } else {
                status = ErrorStatus::GENERAL_FAILURE;
            }
        }
    }
    callback(status, status == ErrorStatus::NONE ? memories : hidl_vec<hidl_memory>());
    return android::hardware::Void();
}

tl::expected<std::vector<int32_t>, std::string> ExecutionBurstCallback::getSlots(
        const hidl_vec<hidl_memory>& memories, const std::vector<intptr_t>& ids) {
    if (memories.size() != ids.size()) {
        return tl::unexpected(fmt::format("{} ids for {} memories", ids.size(), memories.size()));
    }
    const std::lock_guard guard(mutex_);
    std::vector<int32_t> slots;
    for (size_t i = 0; i < ids.size(); ++i) {
        VNPU_TRY_ASSIGN(const auto slot, slotOf(memories[i], ids[i]));
        slots.push_back(slot);
    }
    return slots;
}

tl::expected<int32_t, std::string> ExecutionBurstCallback::slotOf(const hidl_memory& memory,
                                                                  intptr_t id) {
    if (const auto found = slots_.find(id); found != slots_.end()) {
        return found->second;
    }
    VNPU_TRY_ASSIGN(auto copy, duplicateMemory(memory));
    const int32_t slot = freed_.empty() ? slotCount_++ : freed_.back();
    if (!freed_.empty()) {
        freed_.pop_back();
    }
    slots_[id] = slot;
    memories_[slot] = std::move(copy);
    return slot;
}

std::optional<int32_t> ExecutionBurstCallback::forget(intptr_t id) {
    const std::lock_guard guard(mutex_);
    const auto found = slots_.find(id);
    if (found == slots_.end()) {
        return std::nullopt;
    }
    const int32_t slot = found->second;
    slots_.erase(found);
    memories_.erase(slot);
    return slot;
}

void ExecutionBurstCallback::recycle(int32_t slot) {
    const std::lock_guard guard(mutex_);
    freed_.push_back(slot);
}

}  // namespace vnpu::hal
