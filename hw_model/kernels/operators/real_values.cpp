// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/real_values.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace vnpu::hw::kernels {
namespace {

template <typename T>
void dequantize(const Tensor& tensor, std::vector<float>& values) {
    const std::span<const T> elements = tensor.values<T>();
    std::transform(elements.begin(), elements.end(), values.begin(), [&](T element) {
        return static_cast<float>(static_cast<std::int64_t>(element) - tensor.zeroPoint) *
               tensor.scale;
    });
}

void convert(const Tensor& tensor, std::vector<float>& values) {
    switch (tensor.type) {
        case TensorType::kFloat16:
            std::copy_n(tensor.as<Eigen::half>(), values.size(), values.begin());
            return;
        case TensorType::kQuant8Asymm:
            return dequantize<std::uint8_t>(tensor, values);
        case TensorType::kQuant8AsymmSigned:
        case TensorType::kQuant8Symm:
            return dequantize<std::int8_t>(tensor, values);
        case TensorType::kQuant16Symm:
            return dequantize<std::int16_t>(tensor, values);
        case TensorType::kQuant16Asymm:
            return dequantize<std::uint16_t>(tensor, values);
        default:
            std::fill(values.begin(), values.end(), std::numeric_limits<float>::quiet_NaN());
    }
}

template <typename T>
void quantize(std::span<const float> values, float scale, std::int32_t zeroPoint, T* elements) {
    constexpr auto kLow = static_cast<float>(std::numeric_limits<T>::min());
    constexpr auto kHigh = static_cast<float>(std::numeric_limits<T>::max());
    std::transform(values.begin(), values.end(), elements, [&](float value) {
        const float q = std::round(value / scale + static_cast<float>(zeroPoint));
        return static_cast<T>(q > kLow ? std::min(q, kHigh) : kLow);  // NaN gives the lowest
    });
}

}  // namespace

RealValues::RealValues(const Tensor& tensor) : isThere_(true) {
    if (tensor.type == TensorType::kFloat32) {
        values_ = tensor.values<float>();
        return;
    }
    copy_.resize(static_cast<std::size_t>(tensor.elements()));
    convert(tensor, copy_);
    values_ = copy_;
}

RealResult::RealResult(OperatorCall& call, std::size_t output) : call_(&call), output_(output) {
    const auto elements = static_cast<std::size_t>(call.output(output).elements());
    if (call.output(output).type == TensorType::kFloat32) {
        values_ = {call.write<float>(output), elements};
        return;
    }
    copy_.resize(elements);
    values_ = copy_;
}

void RealResult::store() {
    if (call_ == nullptr) {
        return;
    }
    const Tensor& tensor = call_->output(output_);
    switch (tensor.type) {
        case TensorType::kFloat16:
            std::transform(values_.begin(), values_.end(), call_->write<Eigen::half>(output_),
                           [](float value) { return static_cast<Eigen::half>(value); });
            return;
        case TensorType::kQuant8Asymm:
            return quantize(values_, tensor.scale, tensor.zeroPoint,
                            call_->write<std::uint8_t>(output_));
        case TensorType::kQuant8AsymmSigned:
        case TensorType::kQuant8Symm:
            return quantize(values_, tensor.scale, tensor.zeroPoint,
                            call_->write<std::int8_t>(output_));
        case TensorType::kQuant16Symm:
            return quantize(values_, tensor.scale, tensor.zeroPoint,
                            call_->write<std::int16_t>(output_));
        case TensorType::kQuant16Asymm:
            return quantize(values_, tensor.scale, tensor.zeroPoint,
                            call_->write<std::uint16_t>(output_));
        default:
            return;  // float32 was computed in place
    }
}

}  // namespace vnpu::hw::kernels
