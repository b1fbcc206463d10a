// SPDX-License-Identifier: Apache-2.0
#include <hidlmemory/mapping.h>
#include <vnpu/hal/shared_memory.h>

#include <utility>

namespace android::hardware {
namespace {

using ::android::hidl::memory::V1_0::IMemory;

/// An IMemory over a pool. Any thread. Ranges and updates have no effect, because the bytes are
/// shared.
class MappedMemory : public IMemory {
  public:
    explicit MappedMemory(vnpu::hal::MappedPool pool) : pool_(std::move(pool)) {}

    Return<void> update() override { return Void(); }
    Return<void> updateRange(uint64_t /*start*/, uint64_t /*length*/) override { return Void(); }
    Return<void> read() override { return Void(); }
    Return<void> readRange(uint64_t /*start*/, uint64_t /*length*/) override { return Void(); }
    Return<void> commit() override { return Void(); }
    Return<void*> getPointer() override { return static_cast<void*>(pool_.data()); }
    Return<uint64_t> getSize() override { return uint64_t{pool_.size()}; }

  private:
    const vnpu::hal::MappedPool pool_;
};

}  // namespace

sp<IMemory> mapMemory(const hidl_memory& memory) {
    auto pool = vnpu::hal::MappedPool::create(memory);
    if (!pool) {
        details::logError("a memory cannot be mapped: " + pool.error());
        return nullptr;
    }
    return new MappedMemory(std::move(*pool));
}

}  // namespace android::hardware
