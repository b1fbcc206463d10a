// SPDX-License-Identifier: Apache-2.0
// Operations that keep all elements where they are.
#include <fmt/format.h>

#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/data_movement.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// The shape that RESHAPE's argument requests, in which one -1 may be open.
Checked<Shape> resolveShape(const std::vector<std::int32_t>& wanted, std::uint64_t elements) {
    Shape shape;
    std::uint64_t known = 1;
    std::ptrdiff_t open = -1;
    for (const std::int32_t extent : wanted) {
        if (extent < -1 || extent == 0 || (extent == -1 && open >= 0)) {
            return unsupported(fmt::format("shape holds {} where it cannot", extent));
        }
        if (extent == -1) {
            open = static_cast<std::ptrdiff_t>(shape.size());
        } else {
            known *= static_cast<std::uint32_t>(extent);
        }
        shape.push_back(extent == -1 ? 1 : static_cast<std::uint32_t>(extent));
    }
    if (open >= 0 && known != 0) {
        shape[static_cast<std::size_t>(open)] = static_cast<std::uint32_t>(elements / known);
    }
    if (elementCount(shape) != elements) {
        return unsupported(
                fmt::format("shape {} does not hold {} elements", toText(shape), elements));
    }
    return shape;
}

Checked<Shape> readShape(const GraphBuilder& builder, const OperationReader& operation,
                         std::uint64_t elements) {
    const auto wanted = operation.int32s(1, "shape");
    if (wanted) {
        return resolveShape(*wanted, elements);
    }
    const Shape& declared = builder.declaredOutput(operation).shape;
    if (!declared.empty() && isKnown(declared) && elementCount(declared) == elements) {
        return declared;  // the model declares it; the argument may even be a model input
    }
    return tl::unexpected(wanted.error());
}

/// The input under another shape.
Checked<void> addReshape(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                         const Shape& shape) {
    CopyNode copy;
    copy.input = input;
    VNPU_TRY_ASSIGN(copy.output, builder.output(operation, shape));
    copy.dims = {static_cast<std::uint32_t>(elementCount(shape))};
    copy.inputStrides = {1};
    copy.outputStrides = {1};
    copy.isReshape = true;
    builder.add(operation.index(), std::move(copy));
    return {};
}

/// The dimensions that SQUEEZE drops: those given, or all of one element.
Checked<std::vector<bool>> readDropped(const OperationReader& operation, const Shape& from) {
    std::vector<bool> isDropped(from.size());
    if (operation.isOmitted(1)) {
        for (std::size_t d = 0; d < from.size(); ++d) {
            isDropped[d] = from[d] == 1;
        }
        return isDropped;
    }
    VNPU_TRY_ASSIGN(const auto given, operation.int32s(1, "dimensions"));
    for (const std::int32_t argument : given) {
        VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, from.size()));
        if (from[axis] != 1) {
            return unsupported(
                    fmt::format("dimension {} has {} elements, expected 1", axis, from[axis]));
        }
        isDropped[axis] = true;
    }
    return isDropped;
}

Checked<void> lowerReshape(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    const std::uint64_t elements = elementCount(builder.tensor(input).shape);
    VNPU_TRY_ASSIGN(const auto shape, readShape(builder, operation, elements));
    return addReshape(builder, operation, input, shape);
}

Checked<void> lowerExpandDims(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto argument, operation.int32(1, "axis"));
    Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, shape.size() + 1));
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    return addReshape(builder, operation, input, shape);
}

Checked<void> lowerSqueeze(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 2));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    const Shape from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto isDropped, readDropped(operation, from));
    Shape shape;
    for (std::size_t d = 0; d < from.size(); ++d) {
        if (!isDropped[d]) {
            shape.push_back(from[d]);
        }
    }
    return addReshape(builder, operation, input, atLeastRankOne(shape));
}

}  // namespace

LoweringRows reshapingRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::RESHAPE, {lowerReshape}},
            {OperationType::EXPAND_DIMS, {lowerExpandDims}},
            {OperationType::SQUEEZE, {lowerSqueeze}},
    };
    return kRows;
}

}  // namespace vnpu::driver
