// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/signature_matcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/validation/operand_types.h"
#include "driver/validation/operation_types.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::Operand;
using android::hardware::neuralnetworks::V1_3::OperandLifeTime;

namespace {

constexpr std::uint32_t kTypesInSets = 16;  // OperandTypeRange::FUNDAMENTAL_MAX + 1

/// The slots of `row` for `count` operands, in which the slot that repeats occurs as often as it
/// must; nothing if the row cannot have that length.
std::optional<std::vector<hw::SignatureSlot>> slotsFor(std::string_view row, std::size_t count) {
    std::vector<hw::SignatureSlot> slots = hw::parseSignature(row);
    const auto repeated =
            std::find_if(slots.begin(), slots.end(),
                         [](const hw::SignatureSlot& slot) { return slot.repeats != 0; });
    if (repeated != slots.end()) {
        const std::size_t others = slots.size() - 1;
        const std::size_t least = repeated->repeats == '+' ? 1 : 0;
        if (count < others + least) {
            return std::nullopt;
        }
        const hw::SignatureSlot copy = *repeated;
        slots.insert(slots.erase(repeated), count - others, copy);
    }
    return slots.size() == count ? std::optional(slots) : std::nullopt;
}

bool isIn(OperandType type, TypeSet set) {
    const auto number = static_cast<std::uint32_t>(type);
    return number < kTypesInSets && (set >> number & 1U) != 0;
}

std::optional<HalVersion> sinceWhen(OperandType type, Types types) {
    for (const TypesSince& entry : types) {
        if (isIn(type, entry.types)) {
            return entry.since;
        }
    }
    return std::nullopt;
}

std::string listTypes(TypeSet set) {
    std::string text;
    for (std::uint32_t i = 0; i < kTypesInSets; ++i) {
        if ((set >> i & 1U) != 0) {
            text += (text.empty() ? "" : " or ") + toString(static_cast<OperandType>(i));
        }
    }
    return text;
}

TypeSet allOf(Types types) {
    TypeSet set = 0;
    for (const TypesSince& entry : types) {
        set |= entry.types;
    }
    return set;
}

std::optional<std::string> checkRank(const Operand& operand, const hw::SignatureSlot& slot) {
    const std::size_t rank = operand.dimensions.size();
    const bool isLeftOut = slot.isOptional && rank == 1 && operand.dimensions[0] == 0;
    if (rank == 0 || slot.rank == 0 || isLeftOut) {
        return std::nullopt;
    }
    const bool fits = slot.rank == '<'   ? rank <= 4
                      : slot.rank == '>' ? rank >= 2
                      : slot.rank == '~' ? rank >= 2 && rank <= 4
                                         : rank == static_cast<std::size_t>(slot.rank - '0');
    if (fits) {
        return std::nullopt;
    }
    const std::string expected = slot.rank == '<'   ? "4 at most"
                                 : slot.rank == '>' ? "2 at least"
                                 : slot.rank == '~' ? "2 to 4"
                                                    : std::string(1, slot.rank);
    return fmt::format("has rank {}, expected {}", rank, expected);
}

/// Matches an operation against one form.
class FormMatcher {
  public:
    FormMatcher(const OperationSignature& signature, const SignatureForm& form,
                const OperationView& operation)
        : signature_(signature), form_(form), operation_(operation) {}

    /// Returns the first misfit, or nothing if the form fits.
    std::optional<std::string> run() {
        const auto inputs = slotsFor(form_.inputs, operation_.inputs.size());
        const auto outputs = slotsFor(form_.outputs, operation_.outputs.size());
        if (!inputs || !outputs) {
            return fmt::format("it does not take {} inputs and {} outputs",
                               operation_.inputs.size(), operation_.outputs.size());
        }
        hasLength_ = true;
        since_ = std::max(signature_.since, form_.since);
        findTypes(*inputs, operation_.inputs);
        findTypes(*outputs, operation_.outputs);
        if (auto wrong = matchAll(*inputs, operation_.inputs, "input")) {
            return wrong;
        }
        if (auto wrong = matchAll(*outputs, operation_.outputs, "output")) {
            return wrong;
        }
        if (since_ > operation_.version) {
            return fmt::format("this needs HAL {}, the model is of {}", nameOf(since_),
                               nameOf(operation_.version));
        }
        return std::nullopt;
    }

    /// How far the form fits: the number of operands that matched, plus one if their number is
    /// right.
    std::size_t depth() const { return matched_ + (hasLength_ ? 1 : 0); }

  private:
    /// T stands for the type of the first operand with that letter; U likewise.
    void findTypes(const std::vector<hw::SignatureSlot>& slots,
                   const std::vector<const Operand*>& operands) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i].letter == 'T' && !main_) {
                main_ = operands[i]->type;
            } else if (slots[i].letter == 'U' && !other_) {
                other_ = operands[i]->type;
            }
        }
    }

    std::optional<std::string> matchAll(const std::vector<hw::SignatureSlot>& slots,
                                        const std::vector<const Operand*>& operands,
                                        const char* what) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (auto wrong = match(slots[i], *operands[i])) {
                return fmt::format("{} {} {}", what, i, *wrong);
            }
            ++matched_;
        }
        return std::nullopt;
    }

    std::optional<std::string> match(const hw::SignatureSlot& slot, const Operand& operand) {
        if (operand.lifetime == OperandLifeTime::NO_VALUE && !slot.isOptional) {
            return "has no value, but is not optional";
        }
        if (slot.letter == 'X') {
            return std::nullopt;
        }
        if (auto wrong = slot.letter == 'T' ? matchVariable(operand.type, main_, signature_.types)
                         : slot.letter == 'U'
                                 ? matchVariable(operand.type, other_, signature_.otherTypes)
                                 : matchFixed(slot.letter, operand.type)) {
            return wrong;
        }
        return checkRank(operand, slot);
    }

    std::optional<std::string> matchVariable(OperandType type,
                                             const std::optional<OperandType>& variable,
                                             Types types) {
        const auto since = sinceWhen(*variable, types);
        if (!since) {
            return fmt::format("is {}, expected {}", toString(type), listTypes(allOf(types)));
        }
        since_ = std::max(since_, *since);
        return type == *variable ? std::nullopt
                                 : std::optional(fmt::format("is {}, expected {}", toString(type),
                                                             toString(*variable)));
    }

    std::optional<std::string> matchFixed(char letter, OperandType type) {
        // No letter of a form without T depends on T.
        const OperandType main = main_.value_or(OperandType::TENSOR_FLOAT32);
        if (main_ && !sinceWhen(main, signature_.types)) {
            return std::nullopt;  // the first T is refused
        }
        const TypeSet expected = hw::typesOfLetter(letter, typeBit(main));
        if (!isIn(type, expected)) {
            return fmt::format("is {}, expected {}", toString(type), listTypes(expected));
        }
        if (isIn(type, kPerChannel8)) {
            since_ = std::max(since_, HalVersion::k12);
        } else if (isIn(type, kSigned8)) {
            since_ = std::max(since_, HalVersion::k13);
        }
        return std::nullopt;
    }

    const OperationSignature& signature_;
    const SignatureForm& form_;
    const OperationView& operation_;
    std::optional<OperandType> main_;
    std::optional<OperandType> other_;
    HalVersion since_ = HalVersion::k10;
    std::size_t matched_ = 0;
    bool hasLength_ = false;
};

}  // namespace

std::optional<std::string> findMisfit(const OperationSignature& signature,
                                      const OperationView& operation) {
    std::string nearest = "it has no form";
    std::size_t depth = 0;
    for (const SignatureForm& form : signature.forms) {
        FormMatcher matcher(signature, form, operation);
        auto wrong = matcher.run();
        if (!wrong) {
            return std::nullopt;
        }
        if (&form == signature.forms.data() || matcher.depth() > depth) {
            nearest = std::move(*wrong);
            depth = matcher.depth();
        }
    }
    return nearest;
}

}  // namespace vnpu::driver
