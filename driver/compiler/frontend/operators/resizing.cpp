// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "driver/compiler/frontend/base/half_precision.h"
#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// An output extent that argument `i` gives as such or as a scale.
Checked<std::uint32_t> readExtent(const OperationReader& operation, std::size_t i,
                                  std::uint32_t from) {
    if (operation.inputType(i) == OperandType::INT32) {
        return operation.extent(i, 1);
    }
    VNPU_TRY_ASSIGN(const auto bits, operation.scalarBits(i));
    const float scale = operation.inputType(i) == OperandType::FLOAT16
                                ? fromHalf(static_cast<std::uint16_t>(bits))
                                : std::bit_cast<float>(bits);
    const float extent = std::floor(static_cast<float>(from) * scale);
    if (!(extent >= 1 && extent <= static_cast<float>(kMostWindowExtent))) {
        return untiled();
    }
    return static_cast<std::uint32_t>(extent);
}

Checked<void> lowerResize(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto isNchw, operation.boolean(3));
    VNPU_TRY_ASSIGN(const auto isAligned, operation.boolean(4));
    VNPU_TRY_ASSIGN(const auto hasHalfPixels, operation.boolean(5));
    VNPU_TRY_ASSIGN(auto geometry, imageGeometry(builder.tensor(input), isNchw));
    VNPU_TRY_ASSIGN(geometry.outputWidth, readExtent(operation, 1, geometry.inputWidth));
    VNPU_TRY_ASSIGN(geometry.outputHeight, readExtent(operation, 2, geometry.inputHeight));
    const Shape shape = imageShape(geometry, isNchw);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    const Tensor& from = builder.tensor(input);
    VectorOperator work(builder, operation.op());
    work.input(imageOperand(input, from.shape, isNchw))
            .int32(static_cast<std::int32_t>(geometry.outputWidth))
            .int32(static_cast<std::int32_t>(geometry.outputHeight))
            .boolean(isNchw)
            .boolean(isAligned)
            .boolean(hasHalfPixels)
            .output(imageOperand(output, shape, isNchw));
    builder.add(operation.index(), work.node(imageBlocks(shape, isNchw), {}));
    return {};
}

}  // namespace

LoweringRows resizingRows() {
    return {{OperationType::RESIZE_BILINEAR, lowerResize},
            {OperationType::RESIZE_NEAREST_NEIGHBOR, lowerResize}};
}

}  // namespace vnpu::driver
