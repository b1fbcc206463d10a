// SPDX-License-Identifier: Apache-2.0
// Operations that make elements of one value.
#include <algorithm>

#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// The value that surrounds the input: zero for PAD, the last argument of PAD_V2.
Checked<FillNode> readBackground(const OperationReader& operation, const Tensor& tensor) {
    FillNode fill;
    fill.pattern = zeroPattern(tensor);
    fill.isZero = true;
    if (operation.type() == OperationType::PAD_V2) {
        VNPU_TRY_ASSIGN(const auto bits, operation.scalarBits(2));
        const auto value = static_cast<std::int32_t>(bits);
        const bool isByte = tensor.type == OperandType::TENSOR_QUANT8_ASYMM
                                    ? value >= 0 && value <= UINT8_MAX
                                    : value >= INT8_MIN && value <= INT8_MAX;
        if (tensor.elementBytes() == 1 && !isByte) {
            return untiled();
        }
        fill.isZero = fill.pattern == bits;
        fill.pattern = bits;
    }
    return fill;
}

Checked<void> lowerPad(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    VNPU_TRY_ASSIGN(const auto paddings, operation.int32s(1));
    const Shape from = builder.tensor(input).shape;
    if (paddings.size() != 2 * from.size()) {
        return untiled();
    }
    Shape to = from;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::int32_t head = paddings[2 * d];
        const std::int32_t tail = paddings[2 * d + 1];
        constexpr std::int32_t kMost = 1 << 28;  // keeps the sum within 32 bits
        if (head < 0 || tail < 0 || head > kMost || tail > kMost || from[d] > kMost) {
            return untiled();
        }
        to[d] += static_cast<std::uint32_t>(head) + static_cast<std::uint32_t>(tail);
    }
    VNPU_TRY_ASSIGN(auto fill, readBackground(operation, builder.tensor(input)));
    VNPU_TRY_ASSIGN(fill.output, builder.output(operation, to));
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    const std::vector<std::uint64_t> outputStrides = stridesOf(to);
    CopyNode movement{input, fill.output};
    for (std::size_t d = 0; d < from.size(); ++d) {
        movement.axes.push_back({from[d], inputStrides[d], outputStrides[d]});
        movement.outputOffset += outputStrides[d] * static_cast<std::uint32_t>(paddings[2 * d]);
    }
    return addMovements(builder, operation, {movement},
                        from != to ? std::optional(fill) : std::nullopt);
}

Checked<void> lowerFill(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto extents, operation.int32s(0));
    FillNode fill;
    VNPU_TRY_ASSIGN(fill.pattern, operation.scalarBits(1));
    if (std::any_of(extents.begin(), extents.end(), [](std::int32_t e) { return e < 1; })) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(fill.output, builder.output(operation, Shape(extents.begin(), extents.end())));
    builder.add(operation.index(), fill);
    return {};
}

}  // namespace

LoweringRows paddingRows() {
    return {{OperationType::PAD, lowerPad},
            {OperationType::PAD_V2, lowerPad},
            {OperationType::FILL, lowerFill}};
}

}  // namespace vnpu::driver
