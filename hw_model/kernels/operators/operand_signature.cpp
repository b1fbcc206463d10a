// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operand_signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vnpu::hw::kernels {
namespace {

/// One letter and what follows it.
struct Letter {
    char kind = 0;
    std::optional<std::size_t> rank;
    bool mayBeOmitted = false;
};

/// Takes the next letter off the row.
Letter takeLetter(std::string_view& row) {
    Letter letter{.kind = row.front(), .rank = {}, .mayBeOmitted = false};
    row.remove_prefix(1);
    while (!row.empty() && (row.front() == '?' || (row.front() >= '0' && row.front() <= '9'))) {
        if (row.front() == '?') {
            letter.mayBeOmitted = true;
        } else {
            letter.rank = static_cast<std::size_t>(row.front() - '0');
        }
        row.remove_prefix(1);
    }
    return letter;
}

bool isFloat(TensorType type) {
    return type == TensorType::kFloat32 || type == TensorType::kFloat16;
}

/// `common` is the type that T stands for, once it is known.
bool fits(char kind, const Tensor& tensor, bool isInput, std::optional<TensorType>& common) {
    const TensorType type = tensor.type;
    const bool hasOne = !isInput || tensor.elements() == 1;
    switch (kind) {
        case 'T':
            common = common.value_or(type);
            return !isScalar(type) && type == *common;
        case 'F':
            return isFloat(type);
        case 'v':
            return type == TensorType::kInt32;
        case 'k':
            return !isScalar(type) && elementBytes(type) == 1;
        case 'i':
            return type == TensorType::kInt32Scalar && hasOne;
        case 'b':
            return type == TensorType::kBoolScalar && hasOne;
        case 'f':
            return (type == TensorType::kFloat32Scalar || type == TensorType::kFloat16Scalar) &&
                   hasOne;
        default:
            return kind == 'X';
    }
}

std::string_view describeKind(char kind) {
    switch (kind) {
        case 'T':
            return "a tensor of the common type";
        case 'F':
            return "a float tensor";
        case 'v':
            return "an int32 tensor";
        case 'k':
            return "a tensor of bytes";
        case 'i':
            return "an int32 scalar";
        case 'b':
            return "a bool scalar";
        default:
            return "a float scalar";
    }
}

JobStatus checkOperand(OperatorCall& call, const Letter& letter, const Tensor& tensor,
                       std::string_view name, bool isInput, std::optional<TensorType>& common) {
    if (!fits(letter.kind, tensor, isInput, common)) {
        return call.refuse(fmt::format("{} is {}, expected {}", name, tensorTypeName(tensor.type),
                                       describeKind(letter.kind)));
    }
    if (isInput && letter.rank && tensor.dimensions.rank() != *letter.rank) {
        return call.refuse(fmt::format("{} has rank {}, expected {}", name,
                                       tensor.dimensions.rank(), *letter.rank));
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus requireSignature(OperatorCall& call, std::string_view inputs, std::string_view outputs) {
    std::optional<TensorType> common;
    std::size_t i = 0;
    for (; !inputs.empty(); ++i) {
        const Letter letter = takeLetter(inputs);
        if (!call.isOmitted(i)) {
            const JobStatus status = checkOperand(call, letter, call.input(i),
                                                  fmt::format("input {}", i), true, common);
            if (status != JobStatus::kOk) {
                return status;
            }
        } else if (!letter.mayBeOmitted) {
            return call.refuse(fmt::format("input {} is left out", i));
        }
    }
    if (call.inputCount() > i) {
        return call.refuse(fmt::format("{} inputs, expected at most {}", call.inputCount(), i));
    }
    std::size_t o = 0;
    for (; !outputs.empty(); ++o) {
        const Letter letter = takeLetter(outputs);
        if (o >= call.outputCount()) {
            return call.refuse(fmt::format("output {} is missing", o));
        }
        const JobStatus status = checkOperand(call, letter, call.output(o),
                                              fmt::format("output {}", o), false, common);
        if (status != JobStatus::kOk) {
            return status;
        }
    }
    if (call.outputCount() > o) {
        return call.refuse(fmt::format("{} outputs, expected {}", call.outputCount(), o));
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
