// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operator_call.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <utility>

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kMaxTensorBytes =
        0x7FFFFFFF;  // same as the driver's limit: offsets stay signed

template <typename T>
T loadScalar(const Tensor& tensor) {
    T value{};
    std::memcpy(&value, tensor.data, sizeof(value));
    return value;
}

}  // namespace

std::string describe(const Dimensions& dimensions) {
    return fmt::format("[{}]", fmt::join(dimensions.begin(), dimensions.end(), ", "));
}

std::int32_t OperatorCall::int32(std::size_t i, std::int32_t byDefault) const {
    return isOmitted(i) ? byDefault : loadScalar<std::int32_t>(inputs_[i]);
}

float OperatorCall::real(std::size_t i, float byDefault) const {
    if (isOmitted(i)) {
        return byDefault;
    }
    const Tensor& input = inputs_[i];
    const bool isHalf =
            input.type == TensorType::kFloat16Scalar || input.type == TensorType::kFloat16;
    return isHalf ? static_cast<float>(loadScalar<Eigen::half>(input)) : loadScalar<float>(input);
}

bool OperatorCall::flag(std::size_t i, bool byDefault) const {
    return isOmitted(i) ? byDefault : loadScalar<std::uint8_t>(inputs_[i]) != 0;
}

JobStatus OperatorCall::settle(std::size_t o, const Dimensions& dimensions) {
    Tensor& output = outputs_[o];
    const std::uint64_t elements = dimensions.elements();
    if (elements > kMaxTensorBytes / elementBytes(output.type)) {
        return refuse(
                fmt::format("output {} has {} elements of {} bytes, expected at most {} bytes", o,
                            elements, elementBytes(output.type), kMaxTensorBytes));
    }
    output.dimensions = dimensions;
    output.data = memory_.place(o, dimensions, output.sizeBytes());
    return output.data == nullptr ? JobStatus::kBadOperand : JobStatus::kOk;
}

JobStatus OperatorCall::settleAll(std::span<const Dimensions> dimensions) {
    JobStatus first = JobStatus::kOk;
    for (std::size_t o = 0; o < dimensions.size(); ++o) {
        const JobStatus status = settle(o, dimensions[o]);
        first = first == JobStatus::kOk ? status : first;
    }
    return first;
}

Refusal OperatorCall::refuse(std::string why) {
    reason_ = std::move(why);
    return {};
}

}  // namespace vnpu::hw::kernels
