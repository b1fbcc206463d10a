// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operator_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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
    return types == kTensorTypes ? "a tensor" : names;
}

/// Checks the operands of a call one after the other.
class SignatureCheck {
  public:
    SignatureCheck(OperatorCall& call, const Signature& signature)
        : call_(call), types_(signature.types), computes_(signature.types != kTensorTypes) {}

    JobStatus checkInputs(std::string_view row) {
        const std::vector<SignatureSlot> slots = slotsOf(row, call_.inputCount());
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (!call_.isOmitted(i)) {
                VNPU_TRY(checkType(slots[i], call_.input(i), "input", i));
                VNPU_TRY(checkRank(slots[i], call_.input(i), i));
            } else if (!slots[i].isOptional) {
                return call_.refuse(fmt::format("input {} is left out", i));
            }
        }
        return call_.inputCount() <= slots.size()
                       ? JobStatus::kOk
                       : call_.refuse(fmt::format("{} inputs, expected at most {}",
                                                  call_.inputCount(), slots.size()));
    }

    JobStatus checkOutputs(std::string_view row) {
        const std::vector<SignatureSlot> slots = slotsOf(row, call_.outputCount());
        for (std::size_t o = 0; o < slots.size(); ++o) {
            if (o < call_.outputCount()) {
                VNPU_TRY(checkType(slots[o], call_.output(o), "output", o));
            } else if (!slots[o].isOptional) {
                return call_.refuse(fmt::format("output {} is missing", o));
            }
        }
        return call_.outputCount() <= slots.size()
                       ? JobStatus::kOk
                       : call_.refuse(fmt::format("{} outputs, expected {}", call_.outputCount(),
                                                  slots.size()));
    }

  private:
    /// One slot per operand; a repeating slot is repeated for the number of operands.
    static std::vector<SignatureSlot> slotsOf(std::string_view row, std::size_t operands) {
        std::vector<SignatureSlot> slots = parseSignature(row);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i].repeats != 0) {
                const std::size_t others = slots.size() - 1;
                const std::size_t least = slots[i].repeats == '+' ? 1 : 0;
                const std::size_t times = std::max(operands, others + least) - others;
                const SignatureSlot repeated = slots[i];
                const auto at = slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(i));
                slots.insert(at, times, repeated);
                break;
            }
        }
        return slots;
    }

    /// The types that a letter allows here. The first T determines T for the remaining operands.
    TypeSet typesOf(char letter) const {
        const TypeSet types = typesOfLetter(letter, types_);
        const bool isOfScalars = (types & ~kTensorTypes) != 0;
        return isOfScalars ? typesOfLetter(letter, kTensorTypes) : types;
    }

    JobStatus checkType(const SignatureSlot& slot, const Tensor& tensor, const char* kind,
                        std::size_t index) {
        if (slot.letter == 'X') {
            return JobStatus::kOk;
        }
        const TypeSet types = typesOf(slot.letter);
        if (!contains(types, tensor.type)) {
            return call_.refuse(fmt::format("{} {} is {}, expected {}", kind, index,
                                            tensorTypeName(tensor.type), nameTypes(types)));
        }
        if (slot.letter == 'T') {
            types_ = typeSet({tensor.type});
        }
        return computes_ ? checkQuantization(tensor, kind, index) : JobStatus::kOk;
    }

    JobStatus checkRank(const SignatureSlot& slot, const Tensor& tensor, std::size_t index) {
        if (slot.letter == 'X') {
            return JobStatus::kOk;
        }
        const std::size_t rank = tensor.dimensions.rank();
        if (isScalar(tensor.type)) {
            return tensor.elements() == 1
                           ? JobStatus::kOk
                           : call_.refuse(fmt::format("input {} has {} elements, expected a scalar",
                                                      index, tensor.elements()));
        }
        if (slot.rank != 0 && rank != static_cast<std::size_t>(slot.rank - '0')) {
            return call_.refuse(
                    fmt::format("input {} has rank {}, expected {}", index, rank, slot.rank));
        }
        return !computes_ || rank != 0
                       ? JobStatus::kOk
                       : call_.refuse(fmt::format("input {} has rank 0, expected a tensor", index));
    }

    JobStatus checkQuantization(const Tensor& tensor, const char* kind, std::size_t index) {
        constexpr TypeSet kScaled =
                kAsymm8Types | typeSet({TensorType::kQuant8Symm, TensorType::kQuant16Symm,
                                        TensorType::kQuant16Asymm});
        if (contains(kScaled, tensor.type) &&
            (!std::isfinite(tensor.scale) || tensor.scale <= 0.0F)) {
            return call_.refuse(fmt::format("{} {} has scale {}, expected a positive number", kind,
                                            index, tensor.scale));
        }
        const LevelRange levels = levelsOf(tensor.type);
        if (isAsymm8(tensor) && (tensor.zeroPoint < levels.min || tensor.zeroPoint > levels.max)) {
            return call_.refuse(fmt::format("{} {} has zero point {}, expected {} to {}", kind,
                                            index, tensor.zeroPoint, levels.min, levels.max));
        }
        return JobStatus::kOk;
    }

    OperatorCall& call_;
    TypeSet types_;  // of T
    bool computes_;
};

}  // namespace

JobStatus requireSignature(OperatorCall& call, const Signature& signature) {
    SignatureCheck check(call, signature);
    VNPU_TRY(check.checkInputs(signature.inputs));
    return check.checkOutputs(signature.outputs);
}

JobStatus requireDimensions(OperatorCall& call, std::size_t i, const Dimensions& dimensions) {
    if (call.isOmitted(i)) {
        return call.refuse(fmt::format("input {} is left out", i));
    }
    if (!(call.input(i).dimensions == dimensions)) {
        return call.refuse(fmt::format("input {} has dimensions {}, expected {}", i,
                                       describe(call.input(i).dimensions), describe(dimensions)));
    }
    return JobStatus::kOk;
}

JobStatus requireInputsQuantization(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const Tensor& output = call.output(0);
    if (isAsymm8(input) && (output.scale != input.scale || output.zeroPoint != input.zeroPoint)) {
        return call.refuse(fmt::format(
                "output 0 has scale {} and zero point {}, expected the input's {} and {}",
                output.scale, output.zeroPoint, input.scale, input.zeroPoint));
    }
    return JobStatus::kOk;
}

JobStatus requireQuantization(OperatorCall& call, float scale, std::int32_t zeroPoint,
                              std::string_view scaleText) {
    const Tensor& output = call.output(0);
    if (output.scale != scale || output.zeroPoint != zeroPoint) {
        return call.refuse(
                fmt::format("output 0 has scale {} and zero point {}, expected {} and {}",
                            output.scale, output.zeroPoint, scaleText, zeroPoint));
    }
    return JobStatus::kOk;
}

std::optional<FusedActivation> readActivation(OperatorCall& call, std::size_t i) {
    const std::int32_t code = call.int32(i);
    if (code < 0 || code > static_cast<std::int32_t>(FusedActivation::kRelu6)) {
        return call.refuse(fmt::format("activation is {}, expected 0 to 3", code));
    }
    return static_cast<FusedActivation>(code);
}

std::optional<std::size_t> resolveAxis(OperatorCall& call, std::int32_t axis, std::size_t rank) {
    const auto end = static_cast<std::int64_t>(rank);
    if (axis < -end || axis >= end) {
        return call.refuse(
                rank == 0 ? fmt::format("axis is {}, but there is none", axis)
                          : fmt::format("axis is {}, expected {} to {}", axis, -end, end - 1));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

std::optional<std::span<const std::int32_t>> int32List(OperatorCall& call, std::size_t input,
                                                       std::size_t count) {
    const Tensor& tensor = call.input(input);
    if (tensor.type != TensorType::kInt32 || tensor.elements() != count) {
        return call.refuse(fmt::format("input {} has {} elements of {}, expected {} of int32",
                                       input, tensor.elements(), tensorTypeName(tensor.type),
                                       count));
    }
    return tensor.values<std::int32_t>();
}

}  // namespace vnpu::hw::kernels
