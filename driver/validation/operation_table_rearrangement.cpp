// SPDX-License-Identifier: Apache-2.0
// Operations that move, copy or resample elements.
#include "driver/validation/operation_types.h"
#include "driver/validation/shared_relations.h"

namespace vnpu::driver {

namespace {

using Op = OperationType;
using enum HalVersion;

constexpr SignatureForm kReshapeForms[] = {{"T<v1", "T<"}};
constexpr SignatureForm kConcatenationForms[] = {{"T<+i", "T<"}};
constexpr SignatureForm kSplitForms[] = {{"Tii", "T+"}};
constexpr SignatureForm kPadForms[] = {{"T<v2", "T<"}};
constexpr SignatureForm kPadValueForms[] = {{"T<v2p", "T<"}};
constexpr SignatureForm kDepthForms[] = {{"T4i", "T4"}, {"T4ib", "T4", k12}};
constexpr SignatureForm kBatchToSpaceForms[] = {{"T4v1", "T4"}, {"T4v1b", "T4", k12}};
constexpr SignatureForm kSpaceToBatchForms[] = {{"T4v1v2", "T4"}, {"T4v1v2b", "T4", k12}};
constexpr SignatureForm kAxesForms[] = {{"T<v1?", "T<"}};
constexpr SignatureForm kExpandForms[] = {{"Ti", "T"}};
constexpr SignatureForm kSliceForms[] = {{"Tv1v1", "T"}};
constexpr SignatureForm kStridedSliceForms[] = {{"T<v1v1v1iii", "T<"}};
constexpr SignatureForm kTileForms[] = {{"Tv1", "T"}};
constexpr SignatureForm kShuffleForms[] = {{"T<ii", "T<"}};
// By size or by scale; then perhaps layout, aligned corners, half-pixel centers.
constexpr SignatureForm kBilinearForms[] = {
        {"T4ii", "T4"},      {"T4iib", "T4", k12}, {"T4iibb", "T4", k13}, {"T4iibbb", "T4", k13},
        {"T4ff", "T4", k12}, {"T4ffb", "T4", k12}, {"T4ffbb", "T4", k13}, {"T4ffbbb", "T4", k13}};
constexpr SignatureForm kNearestForms[] = {{"T4iib", "T4"},        {"T4iibb", "T4", k13},
                                           {"T4iibbb", "T4", k13}, {"T4ffb", "T4"},
                                           {"T4ffbb", "T4", k13},  {"T4ffbbb", "T4", k13}};

constexpr OperandRelation kSplitRelations[] = {everyOutputIsQuantizedAsInput};
constexpr OperandRelation kShuffled[] = {outputHasShapeOfInput, outputIsQuantizedAs<0>};
constexpr OperandRelation kReshaped[] = {outputIsQuantizedAs<0>, outputHasElementsOfInput};
constexpr OperandRelation kConcatenated[] = {earlyPartsAreQuantizedAsOutput};
constexpr OperandRelation kPadded[] = {outputIsQuantizedAs<0>, outputHasRankOfInput,
                                       paddingsFitInput, earlyPaddingIsZero};
constexpr OperandRelation kPaddedBlocks[] = {outputIsQuantizedAs<0>, earlyPaddingIsZero};
constexpr OperandRelation kSameRank[] = {outputIsQuantizedAs<0>, outputHasRankOfInput};

constexpr OperationSignature kRearrangementSignatures[] = {
        {Op::RESHAPE, k10, kUsual, {}, kReshapeForms, kReshaped},
        {Op::CONCATENATION, k10, kUsual, {}, kConcatenationForms, kConcatenated},
        {Op::SPLIT, k12, kArrays, {}, kSplitForms, kSplitRelations},
        {Op::PAD, k11, kUsual, {}, kPadForms, kPadded},
        {Op::PAD_V2, k12, kUsual, {}, kPadValueForms, kPadded},
        {Op::DEPTH_TO_SPACE, k10, kUsual, {}, kDepthForms, kSameQuantization},
        {Op::SPACE_TO_DEPTH, k10, kUsual, {}, kDepthForms, kSameQuantization},
        {Op::BATCH_TO_SPACE_ND, k11, kUsual, {}, kBatchToSpaceForms, kSameQuantization},
        {Op::SPACE_TO_BATCH_ND, k11, kUsual, {}, kSpaceToBatchForms, kPaddedBlocks},
        {Op::SQUEEZE, k11, kUsual, {}, kAxesForms, kSameQuantization},
        {Op::TRANSPOSE, k11, kUsual, {}, kAxesForms, kSameRank},
        {Op::EXPAND_DIMS, k12, kArrays, {}, kExpandForms, kReshaped},
        {Op::SLICE, k12, kArrays, {}, kSliceForms, kSameRank},
        {Op::STRIDED_SLICE, k11, kUsual, {}, kStridedSliceForms, kSameQuantization},
        {Op::TILE, k12, kArrays, {}, kTileForms, kSameRank},
        {Op::CHANNEL_SHUFFLE, k12, kUsual, {}, kShuffleForms, kShuffled},
        {Op::RESIZE_BILINEAR, k10, kLaterQuantized, {}, kBilinearForms, kSameQuantization},
        {Op::RESIZE_NEAREST_NEIGHBOR, k12, kUsual, {}, kNearestForms, kSameQuantization},
};

}  // namespace

constinit const OperationFamily kRearrangementFamily{kRearrangementSignatures};

}  // namespace vnpu::driver
