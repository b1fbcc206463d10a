// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operator_checks.h"

#include <fmt/format.h>

#include <cmath>

namespace vnpu::hw::kernels {
namespace {

std::string nameTypes(TypeSet types) {
    std::string names;
    for (std::size_t code = 0; code < kTensorTypeCount; ++code) {
        const auto type = static_cast<TensorType>(code);
        if (contains(types, type)) {
            names += fmt::format("{}{}", names.empty() ? "" : " or ", tensorTypeName(type));
        }
    }
    return names;
}

JobStatus requireKind(OperatorCall& call, const Tensor& tensor, const char* what, std::size_t index,
                      TypeSet types) {
    if (!contains(types, tensor.type)) {
        return call.refuse(fmt::format("{} {} is {}, expected {}", what, index,
                                       tensorTypeName(tensor.type), nameTypes(types)));
    }
    if (!contains(kAsymm8Types, tensor.type)) {
        return JobStatus::kOk;
    }
    if (!std::isfinite(tensor.scale) || tensor.scale <= 0.0F) {
        return call.refuse(fmt::format("{} {} has scale {}, expected a positive number", what,
                                       index, tensor.scale));
    }
    const LevelRange levels = levelsOf(tensor.type);
    if (tensor.zeroPoint < levels.min || tensor.zeroPoint > levels.max) {
        return call.refuse(fmt::format("{} {} has zero point {}, expected {} to {}", what, index,
                                       tensor.zeroPoint, levels.min, levels.max));
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus requireInput(OperatorCall& call, std::size_t i, TypeSet types) {
    VNPU_TRY(requireKind(call, call.input(i), "input", i, types));
    if (call.input(i).dimensions.rank() == 0) {
        return call.refuse(fmt::format("input {} has rank 0, expected a tensor", i));
    }
    return JobStatus::kOk;
}

JobStatus requireOutput(OperatorCall& call, std::size_t o, TypeSet types) {
    return requireKind(call, call.output(o), "output", o, types);
}

JobStatus requireScalar(OperatorCall& call, std::size_t i, TypeSet types) {
    if (call.isOmitted(i)) {
        return JobStatus::kOk;
    }
    VNPU_TRY(requireKind(call, call.input(i), "input", i, types));
    if (call.input(i).elements() != 1) {
        return call.refuse(fmt::format("input {} has {} elements, expected a scalar", i,
                                       call.input(i).elements()));
    }
    return JobStatus::kOk;
}

JobStatus requireSameDimensions(OperatorCall& call, std::size_t i, std::size_t j) {
    if (!(call.input(i).dimensions == call.input(j).dimensions)) {
        return call.refuse(fmt::format("input {} has dimensions {}, expected input {}'s {}", j,
                                       describe(call.input(j).dimensions), i,
                                       describe(call.input(i).dimensions)));
    }
    return JobStatus::kOk;
}

JobStatus readActivation(OperatorCall& call, std::size_t i, FusedActivation& activation) {
    VNPU_TRY(requireScalar(call, i, typeSet({TensorType::kInt32Scalar})));
    const std::int32_t code = call.int32(i);
    if (code < 0 || code > static_cast<std::int32_t>(FusedActivation::kRelu6)) {
        return call.refuse(fmt::format("activation is {}, expected 0 to 3", code));
    }
    activation = static_cast<FusedActivation>(code);
    return JobStatus::kOk;
}

std::optional<std::size_t> resolveAxis(OperatorCall& call, std::int32_t axis, std::size_t rank) {
    const auto end = static_cast<std::int64_t>(rank);
    if (axis < -end || axis >= end) {
        static_cast<void>(call.refuse(
                rank == 0 ? fmt::format("axis is {}, but there is none", axis)
                          : fmt::format("axis is {}, expected {} to {}", axis, -end, end - 1)));
        return std::nullopt;
    }
    return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

}  // namespace vnpu::hw::kernels
