// SPDX-License-Identifier: Apache-2.0
// Windows that move over an image: convolutions, pooling, and the fully connected layer. Padding
// comes as a scheme or as four numbers; then, for most, perhaps the layout, perhaps dilation.
#include "driver/validation/operand_relations.h"
#include "driver/validation/operation_types.h"
#include "driver/validation/quantization_relations.h"

namespace vnpu::driver {

namespace {

using Op = OperationType;
using enum HalVersion;

constexpr SignatureForm kConvForms[] = {
        {"T4F4B1iiii", "T4"},    {"T4F4B1iiiib", "T4", k12},    {"T4F4B1iiiibii", "T4", k12},
        {"T4F4B1iiiiiii", "T4"}, {"T4F4B1iiiiiiib", "T4", k12}, {"T4F4B1iiiiiiibii", "T4", k12}};
constexpr SignatureForm kDepthwiseForms[] = {
        {"T4F4B1iiiii", "T4"},    {"T4F4B1iiiiib", "T4", k12},    {"T4F4B1iiiiibii", "T4", k12},
        {"T4F4B1iiiiiiii", "T4"}, {"T4F4B1iiiiiiiib", "T4", k12}, {"T4F4B1iiiiiiiibii", "T4", k12}};
constexpr SignatureForm kGroupedForms[] = {{"T4F4B1iiiiib", "T4"}, {"T4F4B1iiiiiiiib", "T4"}};
constexpr SignatureForm kTransposedForms[] = {{"T4F4B1v1iiiib", "T4"}, {"T4F4B1iiiiiiib", "T4"}};
constexpr SignatureForm kFullyConnectedForms[] = {{"T~T2B1i", "T2"}};
constexpr SignatureForm kPoolForms[] = {{"T4iiiiii", "T4"},
                                        {"T4iiiiiib", "T4", k12},
                                        {"T4iiiiiiiii", "T4"},
                                        {"T4iiiiiiiiib", "T4", k12}};

constexpr OperandRelation kConvRelations[] = {biasMatchesFilter, biasHasFilterDimension<0>,
                                              channelDimensionIsFirst, earlyOutputExceedsProduct};
constexpr OperandRelation kDepthwiseRelations[] = {biasMatchesFilter, biasHasFilterDimension<3>,
                                                   channelDimensionIsLast,
                                                   earlyOutputExceedsProduct};
constexpr OperandRelation kLaterConvRelations[] = {biasMatchesFilter, biasHasFilterDimension<0>,
                                                   channelDimensionIsFirst};
constexpr OperandRelation kFullyConnectedRelations[] = {
        biasMatchesFilter, biasHasFilterDimension<0>, earlyOutputExceedsProduct};
constexpr OperandRelation kPoolRelations[] = {outputIsQuantizedAs<0>};

constexpr OperationSignature kConvolutionSignatures[] = {
        {Op::CONV_2D, k10, kUsual, {}, kConvForms, kConvRelations},
        {Op::DEPTHWISE_CONV_2D, k10, kUsual, {}, kDepthwiseForms, kDepthwiseRelations},
        {Op::GROUPED_CONV_2D, k12, kUsual, {}, kGroupedForms, kLaterConvRelations},
        {Op::TRANSPOSE_CONV_2D, k12, kUsual, {}, kTransposedForms, kLaterConvRelations},
        {Op::FULLY_CONNECTED, k10, kUsual, {}, kFullyConnectedForms, kFullyConnectedRelations},
        {Op::AVERAGE_POOL_2D, k10, kUsual, {}, kPoolForms, kPoolRelations},
        {Op::MAX_POOL_2D, k10, kUsual, {}, kPoolForms, kPoolRelations},
        {Op::L2_POOL_2D, k10, kFloats, {}, kPoolForms, {}},
};

}  // namespace

constinit const OperationFamily kConvolutionFamily{kConvolutionSignatures};

}  // namespace vnpu::driver
