// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

enum class Clamp { kNone, kRelu, kRelu1, kRelu6, kTanh };  // fused activations

/// Operations of one operand. Those that NNAPI lacks are composed.
enum class Unary {
    kAbs,
    kNeg,
    kExp,
    kLog,
    kSin,
    kCos,
    kSqrt,
    kRsqrt,
    kSquare,
    kFloor,
    kCeil,
    kRound,
    kSign,
    kReciprocal,
    kCbrt,
    kLogistic,
    kTanh,
    kRelu,
    kRelu1,
    kRelu6,
    kRelu01,
    kElu,
    kHardSwish,
    kHardSigmoid,
    kGelu,
    kGeluTanh,
    kErf,
    kSoftplus,
    kSoftsign,
    kNot,
    kIsNan
};
enum class Binary {
    kAdd,
    kSub,
    kMul,
    kDiv,
    kTruncatedDiv,
    kFloorDiv,
    kFloorMod,
    kTruncatedMod,
    kMaximum,
    kMinimum,
    kPow,
    kSquaredDifference,
    kAtan2,
    kAnd,
    kOr,
    kXor,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual
};
bool isComparison(Binary op);

/// Operands of any form that fits; the result in `form`, which for comparisons is kTruth.
Value unary(Emitter& emitter, Unary op, const Value& value, const Form& form);
Value binary(Emitter& emitter, Binary op, const Value& a, const Value& b, const Form& form,
             Clamp clamp = Clamp::kNone);
/// Applies a fused activation that the operation itself could not.
Value clamp(Emitter& emitter, const Value& value, Clamp clamp);
/// Between two real limits.
Value clipTo(Emitter& emitter, const Value& value, double least, double most, const Form& form);
Value prelu(Emitter& emitter, const Value& value, const Value& alpha, const Form& form);
/// With broadcasting of all three.
Value select(Emitter& emitter, const Value& condition, const Value& ifTrue, const Value& ifFalse,
             const Form& form);

/// NNAPI's number for the activation; refuses kTanh, which it cannot fuse.
std::int32_t fuseCode(Clamp clamp);

}  // namespace vnpu::sim::graph
