// SPDX-License-Identifier: Apache-2.0
// Operations that work element by element.
#include "driver/validation/operation_types.h"
#include "driver/validation/shared_relations.h"

namespace vnpu::driver {

namespace {

using Op = OperationType;
using enum HalVersion;

constexpr SignatureForm kActivatedBinary[] = {{"T<T<i", "T<"}};
constexpr SignatureForm kUnaryUpTo4[] = {{"T<", "T<"}};
constexpr SignatureForm kUnary[] = {{"T", "T"}};
constexpr SignatureForm kBinary[] = {{"TT", "T"}};
constexpr SignatureForm kComparison[] = {{"TT", "k"}};
constexpr SignatureForm kSelection[] = {{"kTT", "T"}};
constexpr SignatureForm kExponentialUnit[] = {{"Tf", "T"}};
constexpr SignatureForm kConversion[] = {{"T", "U"}};

constexpr TypesSince kAdded[] = {
        {k10, kFloat32 | kUnsigned8}, {k12, kFloat16}, {k13, kSigned8 | kInt32}};
constexpr TypesSince kSubtracted[] = {
        {k10, kFloat32}, {k12, kFloat16 | kUnsigned8}, {k13, kSigned8 | kInt32}};
constexpr TypesSince kNegated[] = {{k12, kFloat32 | kFloat16 | kInt32}};
constexpr TypesSince kCompared[] = {{k12, kFloat32 | kFloat16 | kInt32 | kUnsigned8 | kBool8},
                                    {k13, kSigned8}};
constexpr TypesSince kQuantizable[] = {{k12, kFloat32 | kFloat16}};
constexpr TypesSince kQuantized[] = {{k12, kUnsigned8}, {k13, kSigned8}};
constexpr TypesSince kDequantizable[] = {
        {k10, kUnsigned8}, {k12, kSymmetric8 | kPerChannel8}, {k13, kSigned8}};
constexpr TypesSince kCast[] = {
        {k12, kFloat32 | kFloat16 | kInt32 | kUnsigned8},
        {k13, kSigned8 | kBool8 | kSymmetric8 | kSymmetric16 | kAsymmetric16}};

constexpr OperandRelation kBroadcast[] = {outputHasBroadcastShape};
constexpr OperandRelation kProduct[] = {outputHasBroadcastShape, outputScaleExceedsProduct};
constexpr OperandRelation kClamped[] = {outputHasShapeOfInput, outputIsQuantizedAs<0>};
constexpr OperandRelation kCastRelations[] = {outputHasShapeOfInput, castChangesKnownTypes};
constexpr OperandRelation kChoice[] = {choicesHaveOneShape};

constexpr OperationSignature kElementwiseSignatures[] = {
        {Op::ADD, k10, kAdded, {}, kActivatedBinary, kBroadcast},
        {Op::MUL, k10, kAdded, {}, kActivatedBinary, kProduct},
        {Op::SUB, k11, kSubtracted, {}, kActivatedBinary, kBroadcast},
        {Op::DIV, k11, kFloatsAndIntegers, {}, kActivatedBinary, kBroadcast},
        {Op::MAXIMUM, k12, kArrays, {}, kBinary, kBroadcast},
        {Op::MINIMUM, k12, kArrays, {}, kBinary, kBroadcast},
        {Op::POW, k12, kFloats, {}, kBinary, kBroadcast},
        {Op::PRELU, k12, kLaterQuantized, {}, kBinary, kBroadcast},
        {Op::RELU, k10, kUsual, {}, kUnaryUpTo4, kClamped},
        {Op::RELU1, k10, kUsual, {}, kUnaryUpTo4, kClamped},
        {Op::RELU6, k10, kUsual, {}, kUnaryUpTo4, kClamped},
        {Op::LOGISTIC, k10, kUsual, {}, kUnaryUpTo4, kProbability},
        {Op::TANH, k10, kLaterQuantized, {}, kUnaryUpTo4, kUnitRange},
        {Op::FLOOR, k10, kFloats, {}, kUnaryUpTo4, kSameShape},
        {Op::ELU, k13, kFloats, {}, kExponentialUnit, kSameShape},
        {Op::HARD_SWISH, k13, kUsual, {}, kUnary, kSameShape},
        {Op::ABS, k12, kFloatsAndIntegers, {}, kUnary, kSameShape},
        {Op::NEG, k12, kNegated, {}, kUnary, kSameShape},
        {Op::EXP, k12, kFloats, {}, kUnary, kSameShape},
        {Op::LOG, k12, kFloats, {}, kUnary, kSameShape},
        {Op::SIN, k12, kFloats, {}, kUnary, kSameShape},
        {Op::SQRT, k12, kFloats, {}, kUnary, kSameShape},
        {Op::RSQRT, k12, kFloats, {}, kUnary, kSameShape},
        {Op::LOGICAL_AND, k12, kBooleans, {}, kBinary, kBroadcast},
        {Op::LOGICAL_OR, k12, kBooleans, {}, kBinary, kBroadcast},
        {Op::LOGICAL_NOT, k12, kBooleans, {}, kUnary, kSameShape},
        {Op::EQUAL, k12, kCompared, {}, kComparison, kBroadcast},
        {Op::NOT_EQUAL, k12, kCompared, {}, kComparison, kBroadcast},
        {Op::LESS, k12, kCompared, {}, kComparison, kBroadcast},
        {Op::LESS_EQUAL, k12, kCompared, {}, kComparison, kBroadcast},
        {Op::GREATER, k12, kCompared, {}, kComparison, kBroadcast},
        {Op::GREATER_EQUAL, k12, kCompared, {}, kComparison, kBroadcast},
        {Op::SELECT, k12, kArrays, {}, kSelection, kChoice},
        {Op::CAST, k12, kCast, kCast, kConversion, kCastRelations},
        {Op::QUANTIZE, k12, kQuantizable, kQuantized, kConversion, kSameShape},
        {Op::DEQUANTIZE, k10, kDequantizable, kFloats, kConversion, kSameShape},
};

}  // namespace

constinit const OperationFamily kElementwiseFamily{kElementwiseSignatures};

}  // namespace vnpu::driver
