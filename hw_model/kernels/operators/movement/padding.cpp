// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>

#include "hw_model/kernels/operators/movement/padding_value.h"
#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operator_entry.h"

namespace vnpu::hw::kernels {
namespace {

/// The dimensions with padding; `pairs` has two numbers per axis.
std::optional<Dimensions> paddedDimensions(OperatorCall& call, const Dimensions& from,
                                           std::span<const std::int32_t> pairs) {
    Dimensions to;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const std::int32_t before = pairs[2 * i];
        const std::int32_t after = pairs[2 * i + 1];
        const std::int64_t extent = std::int64_t{from[i]} + before + after;
        if (before < 0 || after < 0 || extent > UINT32_MAX) {
            return call.refuse(fmt::format("axis {} of {} elements is padded by {} and {}", i,
                                           from[i], before, after));
        }
        to.append(static_cast<std::uint32_t>(extent));
    }
    return to;
}

JobStatus padInto(OperatorCall& call, const std::byte* value) {
    const Tensor& input = call.input(0);
    const std::size_t rank = input.dimensions.rank();
    VNPU_TRY_ASSIGN(const auto pairs, int32List(call, 1, 2 * rank));
    VNPU_TRY_ASSIGN(const Dimensions to, paddedDimensions(call, input.dimensions, pairs));
    VNPU_TRY(call.settle(0, to));
    const std::uint32_t size = elementBytes(input.type);
    const Strides fromStrides = denseStrides(input.dimensions);
    const Strides toStrides = denseStrides(to);
    std::byte* inside = call.write<std::byte>(0);
    fillElements(value, inside, to.elements(), size);
    CopyAxes axes;
    for (std::size_t i = 0; i < rank && input.elements() != 0; ++i) {
        axes.add(input.dimensions[i], fromStrides[i], toStrides[i]);
        inside += pairs[2 * i] * toStrides[i] * size;
    }
    if (input.elements() != 0) {
        copyStrided(axes, input.data, inside, size);
    }
    return JobStatus::kOk;
}

/// The smallest and largest number that a quantized type stores.
struct StoredRange {
    std::int32_t least;
    std::int32_t greatest;
};

StoredRange rangeOf(TensorType type) {
    switch (type) {
        case TensorType::kQuant8Asymm:
            return {0, 255};
        case TensorType::kQuant16Asymm:
            return {0, 65535};
        case TensorType::kQuant16Symm:
            return {-32768, 32767};
        case TensorType::kInt32:
            return {std::numeric_limits<std::int32_t>::min(),
                    std::numeric_limits<std::int32_t>::max()};
        default:
            return {-128, 127};
    }
}

JobStatus pad(OperatorCall& call) {
    const PaddingValue zero = zeroOf(call.input(0));
    return padInto(call, zero.data());
}

JobStatus padWithValue(OperatorCall& call) {
    const TensorType type = call.input(0).type;
    const Tensor& value = call.input(2);
    const TensorType scalar = type == TensorType::kFloat32   ? TensorType::kFloat32Scalar
                              : type == TensorType::kFloat16 ? TensorType::kFloat16Scalar
                              : type == TensorType::kBool8   ? TensorType::kBoolScalar
                                                             : TensorType::kInt32Scalar;
    if (value.type != scalar || value.elements() != 1) {
        return call.refuse(fmt::format("the padding of {} is {}, expected {}", tensorTypeName(type),
                                       tensorTypeName(value.type), tensorTypeName(scalar)));
    }
    if (contains(kFloatTypes | kBoolType, type)) {
        return padInto(call, value.data);
    }
    const std::int32_t stored = call.int32(2);
    const StoredRange range = rangeOf(type);
    if (stored < range.least || stored > range.greatest) {
        return call.refuse(fmt::format("the padding is {}, expected {} to {}", stored, range.least,
                                       range.greatest));
    }
    return padInto(call, storedBytes(stored).data());
}

constexpr OperatorEntry kPaddingEntries[] = {{Operator::kPad, {"Tv2", "T"}, pad},
                                             {Operator::kPadV2, {"Tv2X", "T"}, padWithValue}};

}  // namespace

std::span<const OperatorEntry> paddingOperators() {
    return kPaddingEntries;
}

}  // namespace vnpu::hw::kernels
