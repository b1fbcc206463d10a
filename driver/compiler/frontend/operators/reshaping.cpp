// SPDX-License-Identifier: Apache-2.0
// Operations that keep all elements where they are.
#include "driver/compiler/frontend/operators/families.h"

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
            return untiled();
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
        return untiled();
    }
    return shape;
}

Checked<Shape> readShape(const GraphBuilder& builder, const OperationReader& operation,
                         std::uint64_t elements) {
    const auto wanted = operation.int32s(1);
    if (wanted) {
        return resolveShape(*wanted, elements);
    }
    const Shape& declared = builder.declaredOutput(operation).shape;
    if (isSettled(declared) && elementCount(declared) == elements) {
        return declared;  // the model declares it; the argument may even be a model input
    }
    return tl::unexpected(wanted.error());
}

/// The input under another shape.
Checked<void> addReshape(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                         const Shape& shape) {
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    CopyNode copy = copyOf(input, output, elementCount(shape));
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
    VNPU_TRY_ASSIGN(const auto given, operation.int32s(1));
    for (const std::int32_t argument : given) {
        VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, from.size()));
        if (from[axis] != 1) {
            return untiled();
        }
        isDropped[axis] = true;
    }
    return isDropped;
}

Checked<void> lowerReshape(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const std::uint64_t elements = elementCount(builder.tensor(input).shape);
    VNPU_TRY_ASSIGN(const auto shape, readShape(builder, operation, elements));
    return addReshape(builder, operation, input, shape);
}

Checked<void> lowerExpandDims(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    Shape shape = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(1, shape.size() + 1));
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    return addReshape(builder, operation, input, shape);
}

Checked<void> lowerSqueeze(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
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
    return {{OperationType::RESHAPE, lowerReshape},
            {OperationType::EXPAND_DIMS, lowerExpandDims},
            {OperationType::SQUEEZE, lowerSqueeze}};
}

}  // namespace vnpu::driver
