// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operation_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "driver/validation/operand_types.h"
#include "driver/validation/operation_table.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Model;
using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::OperandType;
using nn::V1_3::Operation;
using nn::V1_3::OperationType;
using nn::V1_3::Subgraph;

namespace {

constexpr std::int32_t kHighestOperation =
        101;  // source: HAL 1.3 types, OperationTypeRange::FUNDAMENTAL_MAX
constexpr std::uint32_t kTypesInSets = 16;  // OperandTypeRange::FUNDAMENTAL_MAX + 1

bool isIn(OperandType type, TypeSet set) {
    const auto number = static_cast<std::uint32_t>(type);
    return number < kTypesInSets && (set >> number & 1U) != 0;
}

bool isQuant8(OperandType type) {
    return type == OperandType::TENSOR_QUANT8_ASYMM ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

/// Matches operand types against the letters of a form (operation_table.h).
class TypeMatcher {
  public:
    explicit TypeMatcher(const OperationSignature& signature) : signature_(signature) {}

    bool matches(const std::vector<const Operand*>& operands, std::string_view form) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < form.size(); ++i) {
            if (form[i] == '+') {
                continue;
            }
            if (next == operands.size() || !accept(operands[next]->type, form[i])) {
                return false;
            }
            ++next;
            const bool repeats = i + 1 < form.size() && form[i + 1] == '+';
            const std::size_t lettersLeft = form.size() - i - 2;  // used only if it repeats
            while (repeats && operands.size() - next > lettersLeft) {
                if (!accept(operands[next]->type, form[i])) {
                    return false;
                }
                ++next;
            }
        }
        return next == operands.size();
    }

  private:
    bool accept(OperandType type, char letter) {
        switch (letter) {
            case 'T':
                if (!hasMain_) {
                    hasMain_ = isIn(type, signature_.types);
                    main_ = type;
                    return hasMain_;
                }
                return type == main_;
            case 'U':
                return isIn(type, signature_.outputTypes);
            case 'F':
                return type == main_ ||
                       (isQuant8(main_) && type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
            case 'B':
                return type == (isQuant8(main_) ? OperandType::TENSOR_INT32 : main_);
            case 'f':
                return type == (main_ == OperandType::TENSOR_FLOAT16 ? OperandType::FLOAT16
                                                                     : OperandType::FLOAT32);
            case 'i':
                return type == OperandType::INT32;
            case 'b':
                return type == OperandType::BOOL;
            case 'v':
                return type == OperandType::TENSOR_INT32;
            default:
                return false;
        }
    }

    const OperationSignature& signature_;
    OperandType main_{};
    bool hasMain_ = false;
};

std::string listTypes(const std::vector<const Operand*>& operands) {
    std::string text;
    for (const Operand* operand : operands) {
        text += (text.empty() ? "" : ", ") + nameOf(operand->type);
    }
    return text;
}

OperationView viewOf(const Operation& operation, const Subgraph& subgraph) {
    OperationView view;
    for (const std::uint32_t index : operation.inputs) {
        view.inputs.push_back(&subgraph.operands[index]);
    }
    for (const std::uint32_t index : operation.outputs) {
        view.outputs.push_back(&subgraph.operands[index]);
    }
    return view;
}

Result<void> checkSignature(const OperationSignature& signature, const OperationView& view) {
    for (std::size_t i = 0; i < view.inputs.size(); ++i) {
        if (view.inputs[i]->lifetime == OperandLifeTime::NO_VALUE) {
            return invalidArgument(fmt::format("input {} has no value, but is not optional", i));
        }
    }
    const bool fits = std::any_of(signature.inputForms.begin(), signature.inputForms.end(),
                                  [&](std::string_view form) {
                                      TypeMatcher matcher(signature);
                                      return matcher.matches(view.inputs, form) &&
                                             matcher.matches(view.outputs, signature.outputs);
                                  });
    if (!fits) {
        return invalidArgument(fmt::format("({}) -> ({}) fits none of its signatures",
                                           listTypes(view.inputs), listTypes(view.outputs)));
    }
    for (const OperandRelation relation : signature.relations) {
        if (auto wrong = relation(view)) {
            return invalidArgument(std::move(*wrong));
        }
    }
    return {};
}

Result<void> checkExtension(OperationType type, const Model& model) {
    const auto& known = model.extensionNameToPrefix;
    const std::uint16_t prefix = extensionPrefix(type);
    if (std::none_of(known.begin(), known.end(),
                     [&](const auto& entry) { return entry.prefix == prefix; })) {
        return invalidArgument(fmt::format("prefix {} is no extension's", prefix));
    }
    return {};
}

}  // namespace

Result<void> checkOperation(const Operation& operation, const Subgraph& subgraph,
                            const Model& model) {
    if (isExtension(operation.type)) {
        return checkExtension(operation.type, model);
    }
    const auto number = static_cast<std::int32_t>(operation.type);
    if (operation.type != OperationType::OEM_OPERATION &&
        (number < 0 || number > kHighestOperation)) {
        return invalidArgument(fmt::format("type is {}, which HAL 1.3 does not have", number));
    }
    const OperationSignature* signature = findSignature(operation.type);
    return signature == nullptr ? Result<void>{}
                                : checkSignature(*signature, viewOf(operation, subgraph));
}

}  // namespace vnpu::driver
