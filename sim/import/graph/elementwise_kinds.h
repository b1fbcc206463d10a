// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::sim::graph {

/// Activations that a file format fuses with an operation.
enum class Clamp { kNone, kRelu, kRelu1, kRelu6, kTanh };

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

/// Operations of two operands, which broadcast. The comparisons are the last ones.
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

inline bool isComparison(Binary op) {
    return op >= Binary::kEqual;
}

}  // namespace vnpu::sim::graph
