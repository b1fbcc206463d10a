// SPDX-License-Identifier: Apache-2.0
// Operators that keep the elements unchanged, and those that use only a shape.
#include <fmt/format.h>

#include <array>

#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operator_entry.h"

namespace vnpu::hw::kernels {
namespace {

JobStatus copyAs(OperatorCall& call, const Dimensions& dimensions) {
    CopyAxes axes;
    axes.add(call.input(0).elements(), 1, 1);
    return copyInto(call, dimensions, axes);
}

/// A shape given as numbers, one of which may be -1 for the remaining share of `elements`.
std::optional<Dimensions> targetShape(OperatorCall& call, std::span<const std::int32_t> extents,
                                      std::uint64_t elements) {
    Dimensions shape;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] < -1 || (extents[i] == -1 && open)) {
            return call.refuse(fmt::format("dimension {} is {}, expected 0 or more, or -1 once", i,
                                           extents[i]));
        }
        if (extents[i] == -1) {
            open = i;
        }
        shape.append(extents[i] == -1 ? 1 : static_cast<std::uint32_t>(extents[i]));
    }
    const std::uint64_t known = shape.elements();
    if (open) {
        const bool divides = known != 0 && elements % known == 0 && elements / known <= UINT32_MAX;
        shape[*open] = divides ? static_cast<std::uint32_t>(elements / known) : 0;
    }
    if (shape.elements() != elements) {
        return call.refuse(
                fmt::format("shape {} does not hold {} elements", describe(shape), elements));
    }
    return shape;
}

JobStatus refuseRank(OperatorCall& call, std::size_t rank) {
    return call.refuse(fmt::format("rank is {}, expected at most {}", rank, kMaxTensorRank));
}

/// The scalar type that corresponds to a tensor's element type; nothing if there is none.
std::optional<TensorType> scalarOf(TensorType type) {
    switch (type) {
        case TensorType::kFloat32:
            return TensorType::kFloat32Scalar;
        case TensorType::kFloat16:
            return TensorType::kFloat16Scalar;
        case TensorType::kInt32:
            return TensorType::kInt32Scalar;
        case TensorType::kBool8:
            return TensorType::kBoolScalar;
        default:
            return std::nullopt;
    }
}

JobStatus reshape(OperatorCall& call) {
    const auto extents = call.input(1).values<std::int32_t>();
    if (extents.size() > kMaxTensorRank) {
        return refuseRank(call, extents.size());
    }
    VNPU_TRY_ASSIGN(const auto shape, targetShape(call, extents, call.input(0).elements()));
    return copyAs(call, shape);
}

JobStatus squeeze(OperatorCall& call) {
    const Dimensions& from = call.input(0).dimensions;
    std::array<bool, kMaxTensorRank> isDropped{};
    for (std::size_t i = 0; call.isOmitted(1) && i < from.rank(); ++i) {
        isDropped[i] = from[i] == 1;
    }
    if (!call.isOmitted(1)) {
        for (const std::int32_t given : call.input(1).values<std::int32_t>()) {
            VNPU_TRY_ASSIGN(const auto axis, resolveAxis(call, given, from.rank()));
            if (from[axis] != 1) {
                return call.refuse(
                        fmt::format("axis {} has {} elements, expected 1", axis, from[axis]));
            }
            isDropped[axis] = true;
        }
    }
    Dimensions to;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        if (!isDropped[i]) {
            to.append(from[i]);
        }
    }
    if (to.rank() == 0) {
        to.append(1);  // NNAPI has no tensors of rank 0
    }
    return copyAs(call, to);
}

JobStatus expandDims(OperatorCall& call) {
    const Dimensions& from = call.input(0).dimensions;
    if (from.rank() == kMaxTensorRank) {
        return refuseRank(call, from.rank() + 1);
    }
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(call, call.int32(1), from.rank() + 1));
    Dimensions to;
    for (std::size_t i = 0; i <= from.rank(); ++i) {
        to.append(i == axis ? 1 : from[i < axis ? i : i - 1]);
    }
    return copyAs(call, to);
}

JobStatus fill(OperatorCall& call) {
    const auto extents = call.input(0).values<std::int32_t>();
    if (extents.size() > kMaxTensorRank) {
        return refuseRank(call, extents.size());
    }
    Dimensions shape;
    for (const std::int32_t extent : extents) {
        if (extent < 0) {
            return call.refuse(fmt::format("a dimension is {}, expected 0 or more", extent));
        }
        shape.append(static_cast<std::uint32_t>(extent));
    }
    const Tensor& value = call.input(1);
    const TensorType type = call.output(0).type;
    if (scalarOf(type) != value.type || value.elements() != 1) {
        return call.refuse(fmt::format("the value is {}, expected a scalar of {}",
                                       tensorTypeName(value.type), tensorTypeName(type)));
    }
    VNPU_TRY(call.settle(0, shape));
    fillElements(value.data, call.write<std::byte>(0), shape.elements(), elementBytes(type));
    return JobStatus::kOk;
}

JobStatus rank(OperatorCall& call) {
    const TensorType type = call.output(0).type;
    if (type != TensorType::kInt32Scalar && type != TensorType::kInt32) {
        return call.refuse(fmt::format("output 0 is {}, expected int32", tensorTypeName(type)));
    }
    VNPU_TRY(call.settle(0, {}));
    *call.write<std::int32_t>(0) = static_cast<std::int32_t>(call.input(0).dimensions.rank());
    return JobStatus::kOk;
}

constexpr OperatorEntry kShapeEntries[] = {{Operator::kReshape, {"Tv1", "T"}, reshape},
                                           {Operator::kSqueeze, {"Tv1?", "T"}, squeeze},
                                           {Operator::kExpandDims, {"Ti", "T"}, expandDims},
                                           {Operator::kFill, {"v1X", "T"}, fill},
                                           {Operator::kRank, {"X", "X"}, rank}};

}  // namespace

std::span<const OperatorEntry> shapeOperators() {
    return kShapeEntries;
}

}  // namespace vnpu::hw::kernels
