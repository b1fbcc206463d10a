// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operation_table.h"

#include "driver/validation/operand_relations.h"

namespace vnpu::driver {

namespace {

using Op = android::hardware::neuralnetworks::V1_3::OperationType;
using Type = android::hardware::neuralnetworks::V1_3::OperandType;

constexpr TypeSet kFloats = typeBit(Type::TENSOR_FLOAT32) | typeBit(Type::TENSOR_FLOAT16);
constexpr TypeSet kQuant8 =
        typeBit(Type::TENSOR_QUANT8_ASYMM) | typeBit(Type::TENSOR_QUANT8_ASYMM_SIGNED);
constexpr TypeSet kUsual = kFloats | kQuant8;

// Padding as a scheme or as four numbers; then optionally the layout; then optionally dilation.
constexpr std::string_view kConvForms[] = {"TFBiiii",    "TFBiiiib",    "TFBiiiibii",
                                           "TFBiiiiiii", "TFBiiiiiiib", "TFBiiiiiiibii"};
constexpr std::string_view kDepthwiseForms[] = {"TFBiiiii",    "TFBiiiiib",    "TFBiiiiibii",
                                                "TFBiiiiiiii", "TFBiiiiiiiib", "TFBiiiiiiiibii"};
constexpr std::string_view kPoolForms[] = {"Tiiiiii", "Tiiiiiib", "Tiiiiiiiii", "Tiiiiiiiiib"};
constexpr std::string_view kFullyConnectedForms[] = {"TTBi"};
constexpr std::string_view kBinaryForms[] = {"TTi"};
constexpr std::string_view kUnaryForms[] = {"T"};
constexpr std::string_view kSoftmaxForms[] = {"Tf", "Tfi"};
constexpr std::string_view kTensorAndShapeForms[] = {"Tv"};
constexpr std::string_view kConcatenationForms[] = {"T+i"};
constexpr std::string_view kMeanForms[] = {"Tvi"};

constexpr OperandRelation kConvRelations[] = {inputsAreImages, filterHasRankFour, biasMatchesFilter,
                                              channelDimensionIsFirst};
constexpr OperandRelation kDepthwiseRelations[] = {inputsAreImages, filterHasRankFour,
                                                   biasMatchesFilter, channelDimensionIsLast};
constexpr OperandRelation kFullyConnectedRelations[] = {weightsHaveRankTwo, biasMatchesFilter};
constexpr OperandRelation kPoolRelations[] = {inputsAreImages, outputIsQuantisedAsInput};
constexpr OperandRelation kSameQuantisation[] = {outputIsQuantisedAsInput};
constexpr OperandRelation kProbability[] = {outputIsQuantisedAsProbability};

constexpr TypeSet kArithmetic = kUsual | typeBit(Type::TENSOR_INT32);
constexpr TypeSet kDequantisable =
        kQuant8 | typeBit(Type::TENSOR_QUANT8_SYMM) | typeBit(Type::TENSOR_QUANT8_SYMM_PER_CHANNEL);

constexpr OperationSignature kSignatures[] = {
        {Op::ADD, kArithmetic, 0, kBinaryForms, "T", {}},
        {Op::MUL, kArithmetic, 0, kBinaryForms, "T", {}},
        {Op::CONV_2D, kUsual, 0, kConvForms, "T", kConvRelations},
        {Op::DEPTHWISE_CONV_2D, kUsual, 0, kDepthwiseForms, "T", kDepthwiseRelations},
        {Op::FULLY_CONNECTED, kUsual, 0, kFullyConnectedForms, "T", kFullyConnectedRelations},
        {Op::AVERAGE_POOL_2D, kUsual, 0, kPoolForms, "T", kPoolRelations},
        {Op::MAX_POOL_2D, kUsual, 0, kPoolForms, "T", kPoolRelations},
        {Op::RELU, kUsual, 0, kUnaryForms, "T", kSameQuantisation},
        {Op::RELU1, kUsual, 0, kUnaryForms, "T", kSameQuantisation},
        {Op::RELU6, kUsual, 0, kUnaryForms, "T", kSameQuantisation},
        {Op::SOFTMAX, kUsual, 0, kSoftmaxForms, "T", kProbability},
        {Op::LOGISTIC, kUsual, 0, kUnaryForms, "T", kProbability},
        {Op::RESHAPE, kUsual, 0, kTensorAndShapeForms, "T", kSameQuantisation},
        {Op::CONCATENATION, kUsual, 0, kConcatenationForms, "T", {}},
        {Op::PAD, kUsual, 0, kTensorAndShapeForms, "T", kSameQuantisation},
        {Op::MEAN, kUsual, 0, kMeanForms, "T", kSameQuantisation},
        {Op::QUANTIZE, kFloats, kQuant8, kUnaryForms, "U", {}},
        {Op::DEQUANTIZE, kDequantisable, kFloats, kUnaryForms, "U", {}},
};

}  // namespace

const OperationSignature* findSignature(Op type) {
    for (const OperationSignature& signature : kSignatures) {
        if (signature.type == type) {
            return &signature;
        }
    }
    return nullptr;
}

}  // namespace vnpu::driver
