// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/lowering.h"
#include "driver/compiler/frontend/reduction_axes.h"

namespace vnpu::driver {
namespace {

BlockNode makeReduction(const Tensor& input, TensorId from, TensorId to, std::uint32_t mask) {
    BlockNode node;
    node.dims = padToFour(input.shape);
    hw::VecReduce work{};
    work.type = input.elementType();
    work.reduceMask = static_cast<std::uint8_t>(mask << (4 - input.shape.size()));
    if (work.type != hw::ElementType::kFloat32) {
        work.inputZeroPoint = input.zeroPoint;
    }
    Shape4 kept = node.dims;
    for (std::size_t d = 0; d < 4; ++d) {
        node.isWhole[d] = (work.reduceMask & (1U << d)) != 0;
        kept[d] = node.isWhole[d] ? 1 : kept[d];
    }
    BlockOperand read{from, 0, {}};
    BlockOperand written{to, 0, {}};
    const Shape4 readStrides = denseStrides(node.dims);
    const Shape4 writtenStrides = denseStrides(kept);
    for (std::size_t d = 0; d < 4; ++d) {
        read.strides[d] = readStrides[d];
        written.strides[d] = node.isWhole[d] ? 0 : writtenStrides[d];
    }
    node.operands = {read, written};
    node.prototype = work;
    return node;
}

}  // namespace

Checked<void> lowerMean(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireType(builder.tensor(input), "input", dataTypes()));
    if (!isSameQuantisation(builder.tensor(input), builder.declaredOutput(operation))) {
        return unsupported("output differs from the input in type, scale or zero point");
    }
    const Shape& shape = builder.tensor(input).shape;
    if (shape.size() > 4) {
        return unsupported(fmt::format("input has shape {}, expected rank up to 4", toText(shape)));
    }
    VNPU_TRY_ASSIGN(const auto mask, readReductionAxes(operation, shape.size()));
    VNPU_TRY_ASSIGN(const auto keeps, operation.int32(2, "keep dimensions"));
    if (mask == 0) {
        return unsupported("no axes are given");
    }
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, reducedShape(shape, mask, keeps > 0)));
    builder.add(operation.index(), makeReduction(builder.tensor(input), input, output, mask));
    return {};
}

}  // namespace vnpu::driver
