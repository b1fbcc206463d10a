// SPDX-License-Identifier: Apache-2.0
// Operators that keep the elements as they are, and those that know only a shape.
#include <fmt/format.h>

#include <array>

#include "hw_model/kernels/operators/movement/rearrangement_operators.h"
#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operand_signature.h"
#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {
namespace {

JobStatus copyAs(OperatorCall& call, const Dimensions& dimensions) {
    const JobStatus status = call.settle(0, dimensions);
    const Tensor& input = call.input(0);
    if (status == JobStatus::kOk && input.elements() != 0) {
        std::memcpy(call.write<std::byte>(0), input.data, input.sizeBytes());
    }
    return status;
}

/// A shape given as numbers, where -1 may stand once for what is left of `elements`.
std::optional<Dimensions> targetShape(OperatorCall& call, std::span<const std::int32_t> extents,
                                      std::uint64_t elements) {
    Dimensions shape;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] < -1 || (extents[i] == -1 && open)) {
            static_cast<void>(call.refuse(fmt::format(
                    "dimension {} is {}, expected 0 or more, or -1 once", i, extents[i])));
            return std::nullopt;
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
        static_cast<void>(call.refuse(
                fmt::format("shape {} does not hold {} elements", describe(shape), elements)));
        return std::nullopt;
    }
    return shape;
}

JobStatus refuseRank(OperatorCall& call, std::size_t rank) {
    return call.refuse(fmt::format("rank is {}, expected at most {}", rank, kMaxTensorRank));
}

/// The scalar type of one element; nothing for types that have none.
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

}  // namespace

JobStatus reshape(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "Tv1", "T"));
    const auto extents = call.input(1).values<std::int32_t>();
    if (extents.size() > kMaxTensorRank) {
        return refuseRank(call, extents.size());
    }
    const auto shape = targetShape(call, extents, call.input(0).elements());
    return shape ? copyAs(call, *shape) : JobStatus::kBadOperand;
}

JobStatus squeeze(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "Tv1?", "T"));
    const Dimensions& from = call.input(0).dimensions;
    std::array<bool, kMaxTensorRank> isDropped{};
    for (std::size_t i = 0; call.isOmitted(1) && i < from.rank(); ++i) {
        isDropped[i] = from[i] == 1;
    }
    if (!call.isOmitted(1)) {
        for (const std::int32_t given : call.input(1).values<std::int32_t>()) {
            const auto axis = resolveAxis(call, given, from.rank());
            if (!axis) {
                return JobStatus::kBadOperand;
            }
            if (from[*axis] != 1) {
                return call.refuse(
                        fmt::format("axis {} has {} elements, expected 1", *axis, from[*axis]));
            }
            isDropped[*axis] = true;
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
    VNPU_TRY(requireSignature(call, "Ti", "T"));
    const Dimensions& from = call.input(0).dimensions;
    if (from.rank() == kMaxTensorRank) {
        return refuseRank(call, from.rank() + 1);
    }
    const auto axis = resolveAxis(call, call.int32(1), from.rank() + 1);
    if (!axis) {
        return JobStatus::kBadOperand;
    }
    Dimensions to;
    for (std::size_t i = 0; i <= from.rank(); ++i) {
        to.append(i == *axis ? 1 : from[i < *axis ? i : i - 1]);
    }
    return copyAs(call, to);
}

JobStatus fill(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "v1X", "T"));
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
    const JobStatus status = call.settle(0, shape);
    if (status == JobStatus::kOk) {
        fillElements(value.data, call.write<std::byte>(0), shape.elements(), elementBytes(type));
    }
    return status;
}

JobStatus rank(OperatorCall& call) {
    VNPU_TRY(requireSignature(call, "X", "X"));
    const TensorType type = call.output(0).type;
    if (type != TensorType::kInt32Scalar && type != TensorType::kInt32) {
        return call.refuse(fmt::format("output 0 is {}, expected int32", tensorTypeName(type)));
    }
    const JobStatus status = call.settle(0, {});
    if (status == JobStatus::kOk) {
        *call.write<std::int32_t>(0) = static_cast<std::int32_t>(call.input(0).dimensions.rank());
    }
    return status;
}

}  // namespace vnpu::hw::kernels
