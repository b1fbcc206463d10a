// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "hw_model/regs/tensor_type.h"

namespace vnpu::hw {

// The notation for the operands of an operation. A letter stands for the types of one operand. "T
// has 8 bits" means that T is an 8-bit asymmetric type.
// - T: a tensor of one of the operation's types, the same for every T
// - U: likewise, a second type
// - F: a filter: as T, or quantized per channel where T has 8 bits
// - B: a bias: as T, TENSOR_INT32 where T has 8 bits
// - R: regions: as T, TENSOR_QUANT16_ASYMM where T has 8 bits
// - N: anchors: as T, TENSOR_QUANT16_SYMM where T has 8 bits
// - D: changes of boxes: as T, an 8-bit asymmetric type where T is TENSOR_QUANT16_ASYMM
// - f: FLOAT16 where T is TENSOR_FLOAT16, else FLOAT32
// - e, p: a scalar as the elements of T, INT32 where T is quantized
// - i, b, s, M: INT32, BOOL, FLOAT32, SUBGRAPH
// - v, k, w, x: TENSOR_INT32, TENSOR_BOOL8, TENSOR_FLOAT32, TENSOR_FLOAT16; r: w or x
// - h, g, y: TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_SYMM
// - a, z: TENSOR_QUANT16_ASYMM, TENSOR_QUANT16_SYMM
// - c: TENSOR_QUANT8_SYMM_PER_CHANNEL
// - X: anything

/// A set of operand types: bit n is the type with NNAPI's number n.
using TypeSet = std::uint32_t;

constexpr TypeSet typeSet(std::initializer_list<TensorType> types) {
    TypeSet set = 0;
    for (const TensorType type : types) {
        set |= TypeSet{1} << static_cast<unsigned>(type);
    }
    return set;
}

constexpr bool contains(TypeSet set, TensorType type) {
    return (set >> static_cast<unsigned>(type) & 1U) != 0;
}

/// Every type of tensors.
inline constexpr TypeSet kTensorTypes =
        typeSet({TensorType::kFloat32, TensorType::kInt32, TensorType::kQuant8Asymm,
                 TensorType::kQuant16Symm, TensorType::kFloat16, TensorType::kBool8,
                 TensorType::kQuant8SymmPerChannel, TensorType::kQuant16Asymm,
                 TensorType::kQuant8Symm, TensorType::kQuant8AsymmSigned});

/// NNAPI's SUBGRAPH, which no operand of the device has.
inline constexpr TypeSet kSubgraphType = TypeSet{1} << 15U;

/// The operand types that `letter` stands for if T is one of `main`; 0 for U, X and characters that
/// are not letters of the notation.
TypeSet typesOfLetter(char letter, TypeSet main);

/// One operand of a signature, such as "T4F4B1iiii": a letter and what follows it.
///   a digit  its rank     <  rank up to 4     >  rank from 2     ~  rank 2 to 4
///   ?  may be left out    +  once or more     *  any number of times (one of these in a row)
struct SignatureSlot {
    char letter = 0;
    char rank = 0;  // the digit or sign; 0 for any rank
    bool isOptional = false;
    char repeats = 0;  // '+' or '*'
};
std::vector<SignatureSlot> parseSignature(std::string_view row);

/// Operands of a call, such as "T1x4x4x8 4*T6x4=0 i=1,1 T-": words with blanks between them, each
/// of a letter and, in this order, any of
///   3*      before the letter: three such operands
///   2x16    the dimensions
///   /256    the scale 1/256 where the type has one, then perhaps the zero point: +10, -128, or _
///           for the lowest value of the type
///   -       the operand is left out
///   =1,0.5  a constant: of a scalar's letter each value is one operand; of a tensor's each is an
///           element, or the only one is all elements; of M each is the number of a subgraph
struct CallWord {
    std::uint32_t count = 1;
    char letter = 0;
    std::vector<std::uint32_t> dimensions;
    float scale = 0.0F;  // 0 if the word has none
    std::optional<std::int32_t> zeroPoint;
    bool isLowest = false;  // the zero point is the type's lowest value
    bool isOmitted = false;
    std::vector<float> values;
};
/// `row` must be well-formed, since it is part of the program.
std::vector<CallWord> parseCall(std::string_view row);

}  // namespace vnpu::hw
