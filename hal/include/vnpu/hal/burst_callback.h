// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <hidl/HidlSupport.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::hal {

/// Maps the slots of a burst to the client's memories. The caller names each memory by an id of its
/// choice, always the same for the same memory. Any thread.
class ExecutionBurstCallback : public android::hardware::neuralnetworks::V1_2::IBurstCallback {
  public:
    /// INVALID_ARGUMENT if a slot has no memory.
    android::hardware::Return<void> getMemories(const android::hardware::hidl_vec<int32_t>& slots,
                                                getMemories_cb callback) override;

    /// Returns the slot of each memory and assigns a new slot to each unknown id. Fails if the
    /// counts of ids and memories differ, or if the process is out of file descriptors.
    [[nodiscard]] tl::expected<std::vector<int32_t>, std::string> getSlots(
            const android::hardware::hidl_vec<android::hardware::hidl_memory>& memories,
            const std::vector<intptr_t>& ids);

    /// Removes the memory of an id and returns its slot, which stays reserved until recycle().
    std::optional<int32_t> forget(intptr_t id);
    /// Makes the slot available again. Call it after the service has freed the slot.
    void recycle(int32_t slot);

  private:
    tl::expected<int32_t, std::string> slotOf(const android::hardware::hidl_memory& memory,
                                              intptr_t id);

    std::mutex mutex_;  // guards the members below
    std::map<intptr_t, int32_t> slots_;
    std::map<int32_t, android::hardware::hidl_memory> memories_;
    std::vector<int32_t> freed_;  // a stack
    int32_t slotCount_ = 0;
};

}  // namespace vnpu::hal
