// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/half_precision.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "driver/compiler/frontend/base/vector_operator.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;

bool isHalf(const Tensor& tensor) {
    return tensor.type == OperandType::TENSOR_FLOAT16;
}

/// Converts all elements on the vector unit.
void addCast(GraphBuilder& builder, const OperationReader& operation, TensorId from, TensorId to) {
    VectorOperator cast(builder, hw::Operator::kCast);
    cast.input(inOrder(from)).output(inOrder(to));
    builder.add(operation.index(), cast.node(rowOf(builder.tensor(from)), {}));
}

std::vector<float> fromHalves(std::span<const std::byte> bytes) {
    std::vector<float> values(bytes.size() / sizeof(std::uint16_t));
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, bytes.data() + i * sizeof(bits), sizeof(bits));
        values[i] = fromHalf(bits);
    }
    return values;
}

}  // namespace

float fromHalf(std::uint16_t bits) {
    constexpr std::uint32_t kLargestExponent = 31;
    const std::uint32_t sign = (std::uint32_t{bits} & 0x8000U) << 16U;
    const std::uint32_t exponent = std::uint32_t{bits} >> 10U & kLargestExponent;
    const std::uint32_t mantissa = std::uint32_t{bits} & 0x3FFU;
    if (exponent == 0) {  // zero and subnormal numbers count in steps of 2^-24
        const float size = std::ldexp(static_cast<float>(mantissa), -24);
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(size) | sign);
    }
    const std::uint32_t wideExponent = exponent == kLargestExponent ? 0xFFU : exponent + 127U - 15U;
    return std::bit_cast<float>(sign | wideExponent << 23U | mantissa << 13U);
}

Checked<TensorId> widen(GraphBuilder& builder, const OperationReader& operation, TensorId tensor) {
    if (!isHalf(builder.tensor(tensor))) {
        return tensor;
    }
    const Shape shape = builder.tensor(tensor).shape;
    if (builder.isConstant(tensor)) {
        VNPU_TRY_ASSIGN(const auto halves, builder.constantBytes(tensor));
        Tensor wide;
        wide.type = OperandType::TENSOR_FLOAT32;
        wide.shape = shape;
        const std::vector<float> values = fromHalves(halves);
        return builder.constant(wide, std::as_bytes(std::span(values)));
    }
    const TensorId wide = builder.newTensor(OperandType::TENSOR_FLOAT32, shape);
    addCast(builder, operation, tensor, wide);
    return wide;
}

TensorId wideOutput(GraphBuilder& builder, TensorId wanted) {
    if (!isHalf(builder.tensor(wanted))) {
        return wanted;
    }
    return builder.newTensor(OperandType::TENSOR_FLOAT32, Shape(builder.tensor(wanted).shape));
}

void narrow(GraphBuilder& builder, const OperationReader& operation, TensorId wide,
            TensorId wanted) {
    if (wide != wanted) {
        addCast(builder, operation, wide, wanted);
    }
}

}  // namespace vnpu::driver
