// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace vnpu::hw::kernels {

/// Memory that a thread keeps from call to call: it grows and never shrinks, and contents are
/// whatever was left there. Begins a cache line.
template <typename T>
class Scratch {
  public:
    T* reserve(std::size_t count) {
        if (count_ < count) {
            count_ = 0;
            memory_.reset();
            memory_.reset(static_cast<T*>(::operator new(count * sizeof(T), kAlignment)));
            count_ = count;
        }
        return memory_.get();
    }

  private:
    static_assert(std::is_trivial_v<T>);

    static constexpr std::align_val_t kAlignment{64};  // of a cache line and the widest vector
    struct Release {
        void operator()(T* memory) const { ::operator delete(memory, kAlignment); }
    };

    std::unique_ptr<T, Release> memory_;
    std::size_t count_ = 0;
};

}  // namespace vnpu::hw::kernels
