// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "sim/tflite_delegate/tflite_abi.h"

namespace vnpu::sim::tflite_delegate {

/// A list of integers as the interpreter takes it, made by malloc().
class IntArray {
  public:
    explicit IntArray(std::span<const int> values)
        : array_(static_cast<tflite_abi::TfLiteIntArray*>(
                  std::malloc(sizeof(tflite_abi::TfLiteIntArray) + values.size_bytes()))) {
        if (array_ == nullptr) {
            throw std::bad_alloc();
        }
        array_->size = static_cast<int>(values.size());
        std::copy(values.begin(), values.end(), array_->values());
    }

    const tflite_abi::TfLiteIntArray* get() const { return array_.get(); }
    /// Hands it over to the interpreter, which frees it.
    tflite_abi::TfLiteIntArray* release() { return array_.release(); }

  private:
    struct End {
        void operator()(tflite_abi::TfLiteIntArray* array) const { std::free(array); }
    };
    std::unique_ptr<tflite_abi::TfLiteIntArray, End> array_;
};

}  // namespace vnpu::sim::tflite_delegate
