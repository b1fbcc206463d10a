// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vnpu::hw {

/// Operators that the DSP executes whole, with the operands of NNAPI 1.3's operation of that name
/// in its order. source: the codes are those of NNAPI's operation types.
enum class Operator : std::uint16_t {
    kAdd = 0,
    kAveragePool2d = 1,
    kConcatenation = 2,
    kConv2d = 3,
    kDepthwiseConv2d = 4,
    kDepthToSpace = 5,
    kDequantize = 6,
    kEmbeddingLookup = 7,
    kFloor = 8,
    kFullyConnected = 9,
    kHashtableLookup = 10,
    kL2Normalization = 11,
    kL2Pool2d = 12,
    kLocalResponseNormalization = 13,
    kLogistic = 14,
    kLshProjection = 15,
    kLstm = 16,
    kMaxPool2d = 17,
    kMul = 18,
    kRelu = 19,
    kRelu1 = 20,
    kRelu6 = 21,
    kReshape = 22,
    kResizeBilinear = 23,
    kRnn = 24,
    kSoftmax = 25,
    kSpaceToDepth = 26,
    kSvdf = 27,
    kTanh = 28,
    kBatchToSpaceNd = 29,
    kDiv = 30,
    kMean = 31,
    kPad = 32,
    kSpaceToBatchNd = 33,
    kSqueeze = 34,
    kStridedSlice = 35,
    kSub = 36,
    kTranspose = 37,
    kAbs = 38,
    kArgmax = 39,
    kArgmin = 40,
    kAxisAlignedBboxTransform = 41,
    kBidirectionalSequenceLstm = 42,
    kBidirectionalSequenceRnn = 43,
    kBoxWithNmsLimit = 44,
    kCast = 45,
    kChannelShuffle = 46,
    kDetectionPostprocessing = 47,
    kEqual = 48,
    kExp = 49,
    kExpandDims = 50,
    kGather = 51,
    kGenerateProposals = 52,
    kGreater = 53,
    kGreaterEqual = 54,
    kGroupedConv2d = 55,
    kHeatmapMaxKeypoint = 56,
    kInstanceNormalization = 57,
    kLess = 58,
    kLessEqual = 59,
    kLog = 60,
    kLogicalAnd = 61,
    kLogicalNot = 62,
    kLogicalOr = 63,
    kLogSoftmax = 64,
    kMaximum = 65,
    kMinimum = 66,
    kNeg = 67,
    kNotEqual = 68,
    kPadV2 = 69,
    kPow = 70,
    kPrelu = 71,
    kQuantize = 72,
    kQuantized16BitLstm = 73,
    kRandomMultinomial = 74,
    kReduceAll = 75,
    kReduceAny = 76,
    kReduceMax = 77,
    kReduceMin = 78,
    kReduceProd = 79,
    kReduceSum = 80,
    kRoiAlign = 81,
    kRoiPooling = 82,
    kRsqrt = 83,
    kSelect = 84,
    kSin = 85,
    kSlice = 86,
    kSplit = 87,
    kSqrt = 88,
    kTile = 89,
    kTopkV2 = 90,
    kTransposeConv2d = 91,
    kUnidirectionalSequenceLstm = 92,
    kUnidirectionalSequenceRnn = 93,
    kResizeNearestNeighbor = 94,
    kQuantizedLstm = 95,
    // 96 and 97, IF and WHILE, are the controller's.
    kElu = 98,
    kHardSwish = 99,
    kFill = 100,
    kRank = 101,
};

inline constexpr std::size_t kOperatorCount = 102;  // of codes, two of them unused

/// Whether the code is one of the above.
bool isOperator(std::uint32_t code);

/// Whether the vector unit takes it (VecOperator).
bool isVectorOperator(Operator op);

/// Name in lower case ("conv-2d"); "?" for an unknown code.
std::string_view operatorName(Operator op);

}  // namespace vnpu::hw
