// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {

/// Memory that a thread keeps between calls: it grows and never shrinks, and its contents are
/// undefined. Aligned to a cache line.
template <typename T>
class Scratch {
  public:
    T* reserve(std::size_t count) {
        if (count_ < count) {
            count_ = 0;
            memory_.reset();
            memory_.reset(allocate(count));
            count_ = count;
        }
        return memory_.get();
    }

  private:
    static_assert(std::is_trivial_v<T>);

    // ThreadSanitizer does not see the synchronization in oneTBB's allocator.
    static constexpr std::align_val_t kAlignment{64};
    static T* allocate(std::size_t count) {
        if constexpr (kIsThreadSanitized) {
            return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
        } else {
            return tbb::cache_aligned_allocator<T>().allocate(count);
        }
    }
    struct Release {
        void operator()(T* memory) const {
            if constexpr (kIsThreadSanitized) {
                ::operator delete(memory, kAlignment);
            } else {
                tbb::cache_aligned_allocator<T>().deallocate(memory, 0);
            }
        }
    };

    std::unique_ptr<T, Release> memory_;
    std::size_t count_ = 0;
};

}  // namespace vnpu::hw::kernels
