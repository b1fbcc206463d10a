// SPDX-License-Identifier: Apache-2.0
#include "hal/src/memory/ashmem_allocator.h"

#include <vnpu/hal/shared_memory.h>

#include <utility>
#include <vector>

namespace vnpu::hal {
namespace {

using android::hardware::hidl_memory;
using android::hardware::Return;
using android::hardware::Void;
using android::hidl::allocator::V1_0::IAllocator;

class AshmemAllocator : public IAllocator {
  public:
    Return<void> allocate(uint64_t size, allocate_cb callback) override {
        const auto memory = createSharedMemory(size);
        if (!memory) {
            android::hardware::details::logError(memory.error());
            callback(false, hidl_memory());
            return Void();
        }
        callback(true, *memory);
        return Void();
    }

    Return<void> batchAllocate(uint64_t size, uint64_t count, batchAllocate_cb callback) override {
        std::vector<hidl_memory> batch;
        for (uint64_t i = 0; i < count; ++i) {
            auto memory = createSharedMemory(size);
            if (!memory) {
                android::hardware::details::logError(memory.error());
                batch.clear();
                callback(false, {});
                return Void();
            }
            batch.push_back(std::move(*memory));
        }
        android::hardware::hidl_vec<hidl_memory> result;
        result.setToExternal(batch.data(), batch.size());
        callback(true, result);
        return Void();
    }
};

}  // namespace

android::sp<IAllocator> makeAshmemAllocator() {
    return new AshmemAllocator();
}

}  // namespace vnpu::hal
