// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// The elements of an operand as float32: float16 widened, quantized ones as (element - zero point)
/// * scale. float32 data is borrowed, other types are copied. Empty for an omitted operand.
class RealValues {
  public:
    RealValues() = default;
    explicit RealValues(const Tensor& tensor);  // must not be omitted
    /// For input `i`, which may lie beyond the last one.
    RealValues(const OperatorCall& call, std::size_t i) {
        if (!call.isOmitted(i)) {
            *this = RealValues(call.input(i));
        }
    }
    RealValues(RealValues&&) = default;
    RealValues& operator=(RealValues&&) = default;
    RealValues(const RealValues&) = delete;
    RealValues& operator=(const RealValues&) = delete;
    ~RealValues() = default;

    bool isThere() const { return isThere_; }
    const float* data() const { return values_.data(); }
    std::size_t size() const { return values_.size(); }
    float operator[](std::size_t i) const { return values_[i]; }

  private:
    std::vector<float> copy_;
    std::span<const float> values_;
    bool isThere_ = false;
};

/// Memory for the computed float32 elements of a settled output: the output itself for float32,
/// else a buffer, which store() rounds to the nearest float16 or the nearest quantized value (ties
/// away from zero, saturating).
class RealResult {
  public:
    /// Without memory: data() is null.
    RealResult() = default;
    RealResult(OperatorCall& call, std::size_t output);
    RealResult(RealResult&&) = default;
    RealResult& operator=(RealResult&&) = default;
    RealResult(const RealResult&) = delete;
    RealResult& operator=(const RealResult&) = delete;
    ~RealResult() = default;

    float* data() { return values_.data(); }
    std::size_t size() const { return values_.size(); }
    float& operator[](std::size_t i) { return values_[i]; }
    void store();

  private:
    OperatorCall* call_ = nullptr;
    std::size_t output_ = 0;
    std::vector<float> copy_;
    std::span<float> values_;
};

}  // namespace vnpu::hw::kernels
