// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operand_signature.h"

#include <fmt/format.h>

#include "hw_model/regs/operand_checks.h"  // VNPU_TRY
#include "hw_model/regs/operand_notation.h"

namespace vnpu::hw::kernels {
namespace {

/// `common` is the type that T stands for, once it is known.
bool fits(char letter, const Tensor& tensor, bool isInput, std::optional<TensorType>& common) {
    const TensorType type = tensor.type;
    if (letter == 'X') {
        return true;
    }
    if (letter == 'T') {
        common = common.value_or(type);
        return !isScalar(type) && type == *common;
    }
    const bool hasOne = !isScalar(type) || !isInput || tensor.elements() == 1;
    return contains(typesOfLetter(letter, kTensorTypes), type) && hasOne;
}

std::string_view describeLetter(char letter) {
    switch (letter) {
        case 'T':
            return "a tensor of the common type";
        case 'r':
            return "a float tensor";
        case 'v':
            return "an int32 tensor";
        case 'h':
            return "a tensor of bytes";
        case 'i':
            return "an int32 scalar";
        case 'b':
            return "a bool scalar";
        default:
            return "a float scalar";
    }
}

JobStatus checkOperand(OperatorCall& call, const SignatureSlot& slot, const Tensor& tensor,
                       std::string_view name, bool isInput, std::optional<TensorType>& common) {
    if (!fits(slot.letter, tensor, isInput, common)) {
        return call.refuse(fmt::format("{} is {}, expected {}", name, tensorTypeName(tensor.type),
                                       describeLetter(slot.letter)));
    }
    const auto rank = static_cast<std::size_t>(slot.rank - '0');
    if (isInput && slot.rank != 0 && tensor.dimensions.rank() != rank) {
        return call.refuse(
                fmt::format("{} has rank {}, expected {}", name, tensor.dimensions.rank(), rank));
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus requireSignature(OperatorCall& call, std::string_view inputs, std::string_view outputs) {
    std::optional<TensorType> common;
    const auto inputSlots = parseSignature(inputs);
    for (std::size_t i = 0; i < inputSlots.size(); ++i) {
        if (!call.isOmitted(i)) {
            VNPU_TRY(checkOperand(call, inputSlots[i], call.input(i), fmt::format("input {}", i),
                                  true, common));
        } else if (!inputSlots[i].isOptional) {
            return call.refuse(fmt::format("input {} is left out", i));
        }
    }
    if (call.inputCount() > inputSlots.size()) {
        return call.refuse(fmt::format("{} inputs, expected at most {}", call.inputCount(),
                                       inputSlots.size()));
    }
    const auto outputSlots = parseSignature(outputs);
    for (std::size_t o = 0; o < outputSlots.size(); ++o) {
        if (o >= call.outputCount()) {
            return call.refuse(fmt::format("output {} is missing", o));
        }
        VNPU_TRY(checkOperand(call, outputSlots[o], call.output(o), fmt::format("output {}", o),
                              false, common));
    }
    if (call.outputCount() > outputSlots.size()) {
        return call.refuse(
                fmt::format("{} outputs, expected {}", call.outputCount(), outputSlots.size()));
    }
    return JobStatus::kOk;
}

std::optional<std::span<const std::int32_t>> int32List(OperatorCall& call, std::size_t input,
                                                       std::size_t count) {
    const Tensor& tensor = call.input(input);
    if (tensor.type != TensorType::kInt32 || tensor.elements() != count) {
        static_cast<void>(call.refuse(
                fmt::format("input {} has {} elements of {}, expected {} of int32", input,
                            tensor.elements(), tensorTypeName(tensor.type), count)));
        return std::nullopt;
    }
    return tensor.values<std::int32_t>();
}

}  // namespace vnpu::hw::kernels
