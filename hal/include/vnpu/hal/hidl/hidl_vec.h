// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/HidlInternal.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace android::hardware {

/// The array of the HIDL interfaces: 16 bytes that own a buffer or, after setToExternal, borrow
/// one. An empty array has no buffer. Not thread-safe.
template <typename T>
class hidl_vec {
  public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    hidl_vec() = default;
    /// `size` value-initialized elements.
    hidl_vec(size_t size) { adopt(std::make_unique<T[]>(size), size); }
    hidl_vec(const hidl_vec& other) { copyFrom(other.begin(), other.size()); }
    hidl_vec(hidl_vec&& other) noexcept { swap(other); }
    hidl_vec(std::initializer_list<T> list) { copyFrom(list.begin(), list.size()); }
    hidl_vec(const std::vector<T>& other) { copyFrom(other.begin(), other.size()); }
    template <typename InputIt,
              typename = typename std::iterator_traits<InputIt>::iterator_category>
    hidl_vec(InputIt first, InputIt last) {
        copyFrom(first, static_cast<size_t>(std::distance(first, last)));
    }
    ~hidl_vec() { release(); }

    hidl_vec& operator=(const hidl_vec& other) {
        hidl_vec(other).swap(*this);
        return *this;
    }
    hidl_vec& operator=(hidl_vec&& other) noexcept {
        hidl_vec(std::move(other)).swap(*this);
        return *this;
    }
    hidl_vec& operator=(const std::vector<T>& other) {
        hidl_vec(other).swap(*this);
        return *this;
    }
    hidl_vec& operator=(std::initializer_list<T> list) {
        hidl_vec(list).swap(*this);
        return *this;
    }

    operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

    size_t size() const { return size_; }
    T* data() { return buffer_; }
    const T* data() const { return buffer_; }
    T& operator[](size_t index) { return data()[index]; }
    const T& operator[](size_t index) const { return data()[index]; }

    iterator begin() { return data(); }
    iterator end() { return data() + size_; }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + size_; }

    /// Moves the elements up to the smaller size; new elements are value-initialized.
    void resize(size_t size) {
        auto fresh = std::make_unique<T[]>(checkedSize(size));
        std::move(begin(), begin() + std::min(size, this->size()), fresh.get());
        release();
        adopt(std::move(fresh), size);
    }

    /// Borrows a buffer, or takes ownership if `shouldOwn` is set; an owned buffer must come from
    /// new[].
    void setToExternal(T* buffer, size_t size, bool shouldOwn = false) {
        release();
        buffer_ = buffer;
        size_ = checkedSize(size);
        ownsBuffer_ = shouldOwn;
    }

    /// Releases the buffer, to be freed with delete[]; the array keeps borrowing it.
    T* releaseData() {
        if (!ownsBuffer_ && size_ > 0) {
            resize(size_);
        }
        ownsBuffer_ = false;
        return buffer_;
    }

    iterator find(const T& value) { return std::find(begin(), end(), value); }
    const_iterator find(const T& value) const { return std::find(begin(), end(), value); }
    bool contains(const T& value) const { return find(value) != end(); }

    friend bool operator==(const hidl_vec& a, const hidl_vec& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend bool operator!=(const hidl_vec& a, const hidl_vec& b) { return !(a == b); }

  private:
    static uint32_t checkedSize(size_t size) {
        details::check(size <= std::numeric_limits<uint32_t>::max(),
                       "a hidl_vec holds less than 2^32 elements");
        return static_cast<uint32_t>(size);
    }

    void adopt(std::unique_ptr<T[]> buffer, size_t size) {
        size_ = checkedSize(size);
        buffer_ = size == 0 ? nullptr : buffer.release();
        ownsBuffer_ = size != 0;
    }

    template <typename InputIt>
    void copyFrom(InputIt first, size_t size) {
        if (size == 0) {
            return;
        }
        auto fresh = std::make_unique<T[]>(checkedSize(size));
        std::copy_n(first, size, fresh.get());
        adopt(std::move(fresh), size);
    }

    void release() {
        if (ownsBuffer_) {
            std::unique_ptr<T[]>(static_cast<T*>(buffer_)).reset();
        }
        buffer_ = nullptr;
        size_ = 0;
        ownsBuffer_ = false;
    }

    void swap(hidl_vec& other) noexcept {
        std::swap(buffer_, other.buffer_);
        std::swap(size_, other.size_);
        std::swap(ownsBuffer_, other.ownsBuffer_);
    }

    details::hidl_pointer<T> buffer_;
    uint32_t size_ = 0;
    bool ownsBuffer_ = false;
};

static_assert(sizeof(hidl_vec<char>) == 16 && alignof(hidl_vec<char>) == 8);

}  // namespace android::hardware
