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

/// The client's memories of a burst by slot. Whoever uses it names each memory by an id of its
/// choice, always the same for the same memory. Any thread.
class ExecutionBurstCallback : public android::hardware::neuralnetworks::V1_2::IBurstCallback {
  public:
    /// INVALID_ARGUMENT if any of the slots stands for no memory.
    android::hardware::Return<void> getMemories(const android::hardware::hidl_vec<int32_t>& slots,
                                                getMemories_cb callback) override;

    /// The slots of memories, which are new ones for ids that have none. Fails if there are not as
    /// many ids as memories, or no descriptors to keep one.
    [[nodiscard]] tl::expected<std::vector<int32_t>, std::string> getSlots(
            const android::hardware::hidl_vec<android::hardware::hidl_memory>& memories,
            const std::vector<intptr_t>& ids);

    /// The slot of an id, which stands for no memory from now on, but is taken until recycle().
    std::optional<int32_t> forget(intptr_t id);
    /// Lets new memories have the slot, once the service has freed it.
    void recycle(int32_t slot);

  private:
    tl::expected<int32_t, std::string> slotOf(const android::hardware::hidl_memory& memory,
                                              intptr_t id);

    std::mutex mutex_;  // guards what follows
    std::map<intptr_t, int32_t> slots_;
    std::map<int32_t, android::hardware::hidl_memory> memories_;
    std::vector<int32_t> freed_;  // the last one is used first
    int32_t slotCount_ = 0;
};

}  // namespace vnpu::hal
