// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Checks operands one after the other; the first wrong one refuses the call, and later operands
/// are not looked at.
class OperandChecks {
  public:
    explicit OperandChecks(OperatorCall& call) : call_(call) {}

    /// A tensor that must be there; of the type and the rank.
    void rank(std::size_t input, TensorType type, std::size_t rank);
    /// Of the type and exactly these dimensions.
    void shape(std::size_t input, TensorType type, const Dimensions& dimensions);
    /// The same, unless it is left out.
    void optionalShape(std::size_t input, TensorType type, const Dimensions& dimensions);
    /// A scalar of one of the types.
    void scalar(std::size_t input, std::initializer_list<TensorType> types);
    void int32(std::size_t input) { scalar(input, {TensorType::kInt32Scalar}); }
    void flag(std::size_t input) { scalar(input, {TensorType::kBoolScalar}); }
    void real(std::size_t input) {
        scalar(input, {TensorType::kFloat32Scalar, TensorType::kFloat16Scalar});
    }
    /// Any other rule; `why` is only called if it is broken.
    template <typename Why>
    void that(bool holds, Why&& why) {
        if (isFine() && !holds) {
            status_ = call_.refuse(why());
        }
    }
    /// The type of an output.
    void outputType(std::size_t output, TensorType type);
    /// Positive finite scale, if the type has one per tensor.
    void scale(const Tensor& tensor, const char* kind, std::size_t index);

    bool isFine() const { return status_ == JobStatus::kOk; }
    JobStatus status() const { return status_; }

  private:
    bool isThere(std::size_t input);
    void type(std::size_t input, TensorType type);

    OperatorCall& call_;
    JobStatus status_ = JobStatus::kOk;
};

/// Settles outputs 0, 1, ...: all of them, even if one fails. kOk, or the first failure.
JobStatus settleAll(OperatorCall& call, std::span<const Dimensions> dimensions);

}  // namespace vnpu::hw::kernels
