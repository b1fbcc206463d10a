// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/operand_notation.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "hw_model/regs/check.h"

namespace vnpu::hw {
namespace {

using enum TensorType;

constexpr TypeSet kHalfTensor = typeSet({kFloat16});
constexpr TypeSet kAsymmetric8 = typeSet({kQuant8Asymm, kQuant8AsymmSigned});
constexpr TypeSet kAsymmetric16 = typeSet({kQuant16Asymm});

/// Returns `main` with `others` instead of the types in `replaced`.
TypeSet replace(TypeSet main, TypeSet replaced, TypeSet others) {
    return (main & ~replaced) | ((main & replaced) != 0 ? others : 0);
}

/// The scalar types that correspond to the element types of `main`.
TypeSet scalarsOf(TypeSet main) {
    const TypeSet rest = main & ~typeSet({kFloat32, kFloat16});
    return (contains(main, kFloat32) ? typeSet({kFloat32Scalar}) : 0) |
           (contains(main, kFloat16) ? typeSet({kFloat16Scalar}) : 0) |
           (rest != 0 ? typeSet({kInt32Scalar}) : 0);
}

/// The types of a letter that do not depend on T.
TypeSet fixedTypes(char letter) {
    constexpr std::pair<char, TypeSet> kLetters[] = {{'i', typeSet({kInt32Scalar})},
                                                     {'b', typeSet({kBoolScalar})},
                                                     {'s', typeSet({kFloat32Scalar})},
                                                     {'v', typeSet({kInt32})},
                                                     {'k', typeSet({kBool8})},
                                                     {'w', typeSet({kFloat32})},
                                                     {'x', kHalfTensor},
                                                     {'r', typeSet({kFloat32, kFloat16})},
                                                     {'h', typeSet({kQuant8Asymm})},
                                                     {'g', typeSet({kQuant8AsymmSigned})},
                                                     {'y', typeSet({kQuant8Symm})},
                                                     {'a', kAsymmetric16},
                                                     {'c', typeSet({kQuant8SymmPerChannel})},
                                                     {'z', typeSet({kQuant16Symm})},
                                                     {'M', kSubgraphType}};
    for (const auto& [known, types] : kLetters) {
        if (known == letter) {
            return types;
        }
    }
    return 0;
}

/// Reads one word of a call.
class CallWordReader {
  public:
    explicit CallWordReader(std::string_view text) : text_(text) {}

    CallWord read() {
        CallWord word;
        if (text_.find('*') != std::string_view::npos) {
            word.count = number<std::uint32_t>();
            VNPU_CHECK(take('*'), "a count stands before *");
        }
        word.letter = text_.front();
        text_.remove_prefix(1);
        if (isDigitAt(0)) {
            do {
                word.dimensions.push_back(number<std::uint32_t>());
            } while (take('x'));
        }
        if (take('/')) {
            word.scale = 1.0F / number<float>();
            word.isLowest = take('_');
            if (take('+') || (text_.starts_with('-') && isDigitAt(1))) {
                word.zeroPoint = number<std::int32_t>();
            }
        }
        word.isOmitted = take('-');
        if (take('=')) {
            do {
                word.values.push_back(number<float>());
            } while (take(','));
        }
        VNPU_CHECK(text_.empty(), "nothing follows the values of a word");
        return word;
    }

  private:
    bool isDigitAt(std::size_t i) const {
        return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
    }

    bool take(char c) {
        const bool isThere = text_.starts_with(c);
        text_.remove_prefix(isThere ? 1 : 0);
        return isThere;
    }

    template <typename T>
    T number() {
        T value{};
        const auto result = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        VNPU_CHECK(result.ec == std::errc(), "a number stands here");
        text_.remove_prefix(static_cast<std::size_t>(result.ptr - text_.data()));
        return value;
    }

    std::string_view text_;
};

}  // namespace

TypeSet typesOfLetter(char letter, TypeSet main) {
    switch (letter) {
        case 'T':
            return main;
        case 'F':
            return main |
                   replace(main & kAsymmetric8, kAsymmetric8, typeSet({kQuant8SymmPerChannel}));
        case 'B':
            return replace(main, kAsymmetric8, typeSet({kInt32}));
        case 'R':
            return replace(main, kAsymmetric8, kAsymmetric16);
        case 'N':
            return replace(main, kAsymmetric8, typeSet({kQuant16Symm}));
        case 'D':
            return replace(main, kAsymmetric16, kAsymmetric8);
        case 'f':
            return ((main & kHalfTensor) != 0 ? typeSet({kFloat16Scalar}) : 0) |
                   ((main & ~kHalfTensor) != 0 ? typeSet({kFloat32Scalar}) : 0);
        case 'e':
        case 'p':
            return scalarsOf(main);
        default:
            return fixedTypes(letter);
    }
}

std::vector<SignatureSlot> parseSignature(std::string_view row) {
    std::vector<SignatureSlot> slots;
    for (const char c : row) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            slots.push_back({.letter = c});
        } else if (c == '?') {
            slots.back().isOptional = true;
        } else if (c == '+' || c == '*') {
            slots.back().repeats = c;
        } else {
            slots.back().rank = c;
        }
    }
    return slots;
}

std::vector<CallWord> parseCall(std::string_view row) {
    std::vector<CallWord> words;
    while (!row.empty()) {
        const std::size_t end = std::min(row.find(' '), row.size());
        words.push_back(CallWordReader(row.substr(0, end)).read());
        row.remove_prefix(std::min(end + 1, row.size()));
    }
    return words;
}

}  // namespace vnpu::hw
