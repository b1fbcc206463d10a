// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "driver/compiler/frontend/base/half_precision.h"
#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/operators/images.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

constexpr OperandType kResizedTypes[] = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                         OperandType::TENSOR_QUANT8_ASYMM,
                                         OperandType::TENSOR_QUANT8_ASYMM_SIGNED};

/// An output extent that argument `i` gives as such or as a scale.
Checked<std::uint32_t> readExtent(const OperationReader& operation, std::size_t i,
                                  std::string_view what, std::uint32_t from) {
    const bool isHalf = !operation.isOmitted(i) && operation.inputType(i) == OperandType::FLOAT16;
    if (!isHalf && (operation.isOmitted(i) || operation.inputType(i) != OperandType::FLOAT32)) {
        return operation.extent(i, what, 1);
    }
    VNPU_TRY_ASSIGN(const auto bits, operation.scalarBits(i, operation.inputType(i), what));
    const float scale =
            isHalf ? fromHalf(static_cast<std::uint16_t>(bits)) : std::bit_cast<float>(bits);
    constexpr float kMost = 65535;  // chosen: as of extents that are given as such
    const float extent = std::floor(static_cast<float>(from) * scale);
    if (!(extent >= 1 && extent <= kMost)) {
        return unsupported(fmt::format("{} makes {} of {} elements", what, extent, from));
    }
    return static_cast<std::uint32_t>(extent);
}

Checked<void> lowerResize(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 6));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto isNchw, operation.boolean(3, "NCHW layout", false));
    VNPU_TRY_ASSIGN(const auto isAligned, operation.boolean(4, "aligned corners", false));
    VNPU_TRY_ASSIGN(const auto hasHalfPixels, operation.boolean(5, "half pixel centres", false));
    VNPU_TRY(requireType(builder.tensor(input), "input", kResizedTypes));
    VNPU_TRY_ASSIGN(auto geometry, imageGeometry(builder.tensor(input), isNchw));
    VNPU_TRY_ASSIGN(const auto width,
                    readExtent(operation, 1, "output width", geometry.inputWidth));
    VNPU_TRY_ASSIGN(const auto height,
                    readExtent(operation, 2, "output height", geometry.inputHeight));
    geometry.outputHeight = height;
    geometry.outputWidth = width;
    const Shape shape = imageShape(geometry, isNchw);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    const Tensor& from = builder.tensor(input);
    VectorOperator work(builder, operation.op());
    work.input(imageOperand(input, from.shape, isNchw))
            .int32(static_cast<std::int32_t>(width))
            .int32(static_cast<std::int32_t>(height))
            .boolean(isNchw)
            .boolean(isAligned)
            .boolean(hasHalfPixels)
            .output(imageOperand(output, shape, isNchw));
    builder.add(operation.index(), work.node(imageBlocks(shape, isNchw), {}));
    return {};
}

}  // namespace

LoweringRows resizingRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::RESIZE_BILINEAR, {lowerResize}},
            {OperationType::RESIZE_NEAREST_NEIGHBOR, {lowerResize}},
    };
    return kRows;
}

}  // namespace vnpu::driver
