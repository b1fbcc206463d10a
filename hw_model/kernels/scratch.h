// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <vector>

namespace vnpu::hw::kernels {

/// Memory that a thread keeps from call to call: it grows and never shrinks, contents are whatever
/// was left there.
template <typename T>
class Scratch {
  public:
    T* reserve(std::size_t count) {
        if (memory_.size() < count) {
            memory_.resize(count);
        }
        return memory_.data();
    }

  private:
    std::vector<T, tbb::cache_aligned_allocator<T>> memory_;
};

}  // namespace vnpu::hw::kernels
