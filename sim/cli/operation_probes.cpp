// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operation_probes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "driver/validation/operation_types.h"
#include "driver/validation/signature_matcher.h"
#include "hw_model/regs/check.h"

namespace vnpu::sim {

namespace {

using Op = nn::OperationType;

/// A call of an operation, in words of probe_operands.h.
struct Call {
    Op operation{};
    std::string_view inputs;
    std::string_view outputs;
    std::span<const Call> subgraphs{};  // one operation each
};

constexpr std::string_view kPicture = "T1x4x4x8";
constexpr std::string_view kPictures = "T1x4x4x8 T1x4x4x8";
constexpr std::string_view kActivated = "T1x4x4x8 T1x4x4x8 i=0";
constexpr std::string_view kTruths = "k1x4x4x8";
constexpr std::string_view kPool = "T1x4x4x8 i=1,1,1,2,2,0";  // same padding, windows of 2 x 2
constexpr std::string_view kReduced = "T1x4x4x8 v2=1,2 b=1";
constexpr std::string_view kPixel = "T1x1x1x8";
constexpr std::string_view kSequenceStates = "T3x2x6";

constexpr Call kBranches[] = {{Op::FLOOR, "T4", "T4"}, {Op::NEG, "T4", "T4"}};
constexpr Call kLoop[] = {{Op::GREATER, "T1 T1", "k1"}, {Op::MAXIMUM, "T1 T1", "T1"}};

// 4 inputs, 6 units, batches of 2, sequences of 3.
constexpr std::string_view kLstm =
        "T2x4 4*T6x4=0 4*T6x6=0 3*T6=0 4*T6=0 2*T- 2*T2x6 i=4 f=0,0 4*T-";
constexpr std::string_view kSequenceLstm =
        "T3x2x4 4*T6x4=0 4*T6x6=0 3*T6=0 4*T6=0 2*T- 2*T2x6 i=4 f=0,0 b=1 4*T-";
constexpr std::string_view kBidirectionalLstm =
        "T3x2x4 4*T6x4=0 4*T6x6=0 3*T6=0 4*T6=0 2*T- 4*T6x4=0 4*T6x6=0 3*T6=0 4*T6=0 2*T- 4*T2x6 "
        "9*T- i=4 f=0,0 b=0,1 8*T-";
constexpr std::string_view kQuantisedLstm =
        "g2x4 4*y6x4=0 4*y6x6=0 3*z- 4*v6=0 y- v- g2x6 z2x6 4*z- s=0,0,0.1,0.1,0.1,0.1 i=0 s=0.1";

constexpr Call kCalls[] = {
        {Op::ABS, kPicture, kPicture},
        {Op::ADD, kActivated, kPicture},
        {Op::ARGMAX, "T2x16 i=1", "v2"},
        {Op::ARGMIN, "T2x16 i=1", "v2"},
        {Op::AVERAGE_POOL_2D, kPool, kPicture},
        {Op::AXIS_ALIGNED_BBOX_TRANSFORM, "T4x4 D4x8 v4 T1x2", "T4x8"},
        {Op::BATCH_TO_SPACE_ND, "T4x4x4x8 v2=2,2", "T1x8x8x8"},
        {Op::BIDIRECTIONAL_SEQUENCE_LSTM, kBidirectionalLstm, "2*T3x2x6"},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN,
         "T3x2x4 T6x4=0 T6x6=0 T6=0 T2x6 T6x4=0 T6x6=0 T6=0 T2x6 3*T- i=1 b=1,0", "2*T3x2x6"},
        {Op::BOX_WITH_NMS_LIMIT, "T8x3 R8x12 v8 f=0.1 i=8,0 f=0.5,0.5,0.1", "T0 R0x4 v0 v0"},
        {Op::CAST, kPicture, "U1x4x4x8"},
        {Op::CHANNEL_SHUFFLE, "T1x4x4x8 i=2,3", kPicture},
        {Op::CONCATENATION, "T1x4x4x8 T1x4x4x8 i=3", "T1x4x4x16"},
        {Op::CONV_2D, "T1x4x4x8 F8x3x3x8=0 B8=0 i=1,1,1,0", kPicture},
        {Op::DEPTHWISE_CONV_2D, "T1x4x4x8 F1x3x3x8=0 B8=0 i=1,1,1,1,0", kPicture},
        {Op::DEPTH_TO_SPACE, "T1x4x4x8 i=2", "T1x8x8x2"},
        {Op::DEQUANTIZE, kPicture, "U1x4x4x8"},
        {Op::DETECTION_POSTPROCESSING, "T1x6x3 T1x6x4 T6x4 f=10,10,5,5 b=0 i=3,1,1 f=0.1,0.5 b=0",
         "T1x3 T1x3x4 v1x3 v1"},
        {Op::DIV, kActivated, kPicture},
        {Op::ELU, "T1x4x4x8 f=1", kPicture},
        {Op::EMBEDDING_LOOKUP, "v4 T16x8", "T4x8"},
        {Op::EQUAL, kPictures, kTruths},
        {Op::EXP, kPicture, kPicture},
        {Op::EXPAND_DIMS, "T4x4x8 i=0", kPicture},
        {Op::FILL, "v2=4,8 e=1", "T4x8"},
        {Op::FLOOR, kPicture, kPicture},
        {Op::FULLY_CONNECTED, "T2x16 T8x16=0 B8=0 i=0", "T2x8"},
        {Op::GATHER, "T16x8 i=0 v4", "T4x8"},
        {Op::GENERATE_PROPOSALS, "T1x4x4x3 T1x4x4x12 N3x4 R1x2 f=4,4 i=10,10 f=0.5,1 b=0",
         "T0 R0x4 v0"},
        {Op::GREATER, kPictures, kTruths},
        {Op::GREATER_EQUAL, kPictures, kTruths},
        {Op::GROUPED_CONV_2D, "T1x4x4x8 F8x3x3x4=0 B8=0 i=1,1,1,2,0 b=0", kPicture},
        {Op::HARD_SWISH, kPicture, kPicture},
        {Op::HASHTABLE_LOOKUP, "v4 v16 T16x8", "T4x8 h4/1_"},
        {Op::HEATMAP_MAX_KEYPOINT, "T2x8x8x3 R2x4 b=0", "T2x3 R2x3x2"},
        {Op::IF, "k1 M=0,1 T4", "T4", kBranches},
        {Op::INSTANCE_NORMALIZATION, "T1x4x4x8 f=1,0,0.001 b=0", kPicture},
        {Op::L2_NORMALIZATION, kPicture, "T1x4x4x8/128"},
        {Op::L2_POOL_2D, kPool, kPicture},
        {Op::LESS, kPictures, kTruths},
        {Op::LESS_EQUAL, kPictures, kTruths},
        {Op::LOCAL_RESPONSE_NORMALIZATION, "T1x4x4x8 i=2 f=1,0.5,0.5", kPicture},
        {Op::LOG, kPicture, kPicture},
        {Op::LOGICAL_AND, kPictures, kPicture},
        {Op::LOGICAL_NOT, kPicture, kPicture},
        {Op::LOGICAL_OR, kPictures, kPicture},
        {Op::LOGISTIC, kPicture, "T1x4x4x8/256_"},
        {Op::LOG_SOFTMAX, "T2x16 f=1 i=1", "T2x16"},
        {Op::LSH_PROJECTION, "U2x8 T4x8 U4 i=1", "v2"},
        {Op::LSTM, kLstm, "T2x24 3*T2x6"},
        {Op::MAXIMUM, kPictures, kPicture},
        {Op::MAX_POOL_2D, kPool, kPicture},
        {Op::MEAN, "T1x4x4x8 v2=1,2 i=1", kPixel},
        {Op::MINIMUM, kPictures, kPicture},
        {Op::MUL, kActivated, kPicture},
        {Op::NEG, kPicture, kPicture},
        {Op::NOT_EQUAL, kPictures, kTruths},
        {Op::PAD, "T1x4x4x8 v4x2=0,0,1,1,1,1,0,0", "T1x6x6x8"},
        {Op::PAD_V2, "T1x4x4x8 v4x2=0,0,1,1,1,1,0,0 p=0", "T1x6x6x8"},
        {Op::POW, kPictures, kPicture},
        {Op::PRELU, "T1x4x4x8 T1x1x1x8=0", kPicture},
        {Op::QUANTIZE, kPicture, "U1x4x4x8"},
        {Op::QUANTIZED_16BIT_LSTM, "h2x4/128 4*h6x4=0 4*h6x6=0 4*v6/256=0 z2x6/2048 h2x6/128",
         "z2x6/2048 h2x6/128"},
        {Op::QUANTIZED_LSTM, kQuantisedLstm, "g2x6 z2x6 g2x6"},
        {Op::RANDOM_MULTINOMIAL, "T2x16 i=8 v2", "v2x8"},
        {Op::RANK, kPicture, "i"},
        {Op::REDUCE_ALL, kReduced, kPixel},
        {Op::REDUCE_ANY, kReduced, kPixel},
        {Op::REDUCE_MAX, kReduced, kPixel},
        {Op::REDUCE_MIN, kReduced, kPixel},
        {Op::REDUCE_PROD, kReduced, kPixel},
        {Op::REDUCE_SUM, kReduced, kPixel},
        {Op::RELU, kPicture, kPicture},
        {Op::RELU1, kPicture, kPicture},
        {Op::RELU6, kPicture, kPicture},
        {Op::RESHAPE, "T1x4x4x8 v2=1,128", "T1x128"},
        {Op::RESIZE_BILINEAR, "T1x4x4x8 i=8,8", "T1x8x8x8"},
        {Op::RESIZE_NEAREST_NEIGHBOR, "T1x4x4x8 i=8,8 b=0", "T1x8x8x8"},
        {Op::RNN, "T2x4 T6x4=0 T6x6=0 T6=0 T2x6 i=1", "2*T2x6"},
        {Op::ROI_ALIGN, "T1x8x8x4 R2x4 v2 i=2,2 f=2,2 i=4,4 b=0", "T2x2x2x4"},
        {Op::ROI_POOLING, "T1x8x8x4 R2x4 v2 i=2,2 f=2,2 b=0", "T2x2x2x4"},
        {Op::RSQRT, kPicture, kPicture},
        {Op::SELECT, "k1x4x4x8 T1x4x4x8 T1x4x4x8", kPicture},
        {Op::SIN, kPicture, kPicture},
        {Op::SLICE, "T1x4x4x8 v4=0,1,1,0 v4=1,2,2,8", "T1x2x2x8"},
        {Op::SOFTMAX, "T2x16 f=1", "T2x16/256_"},
        {Op::SPACE_TO_BATCH_ND, "T1x4x4x8 v2=2,2 v2x2=0", "T4x2x2x8"},
        {Op::SPACE_TO_DEPTH, "T1x4x4x8 i=2", "T1x2x2x32"},
        {Op::SPLIT, "T1x4x4x8 i=3,2", "2*T1x4x4x4"},
        {Op::SQRT, kPicture, kPicture},
        {Op::SQUEEZE, "T1x4x4x8 v1=0", "T4x4x8"},
        {Op::STRIDED_SLICE, "T1x4x4x8 v4=0 v4=1,4,4,8 v4=1,2,2,1 i=0,0,0", "T1x2x2x8"},
        {Op::SUB, kActivated, kPicture},
        {Op::SVDF, "T2x4 T8x4=0 T8x5=0 T4=0 T2x40 i=2,1", "T2x40 T2x4"},
        {Op::TANH, kPicture, "T1x4x4x8/128"},
        {Op::TILE, "T1x4x4x8 v4=1,2,1,1", "T1x8x4x8"},
        {Op::TOPK_V2, "T2x16 i=3", "T2x3 v2x3"},
        {Op::TRANSPOSE, "T1x4x4x8 v4=0,3,1,2", "T1x8x4x4"},
        {Op::TRANSPOSE_CONV_2D, "T1x4x4x8 F8x3x3x8=0 B8=0 v4=1,8,8,8 i=1,2,2,0 b=0", "T1x8x8x8"},
        {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, kSequenceLstm, kSequenceStates},
        {Op::UNIDIRECTIONAL_SEQUENCE_RNN, "T3x2x4 T6x4=0 T6x6=0 T6=0 T2x6 i=1,1", kSequenceStates},
        {Op::WHILE, "M=0,1 T1 T1", "T1", kLoop},
};

constexpr auto kOperations = [] {
    std::array<Op, std::size(kCalls)> operations{};
    for (std::size_t i = 0; i < operations.size(); ++i) {
        operations[i] = kCalls[i].operation;
    }
    return operations;
}();

const Call& callOf(Op operation) {
    const auto* call = std::find_if(std::begin(kCalls), std::end(kCalls), [&](const Call& entry) {
        return entry.operation == operation;
    });
    VNPU_CHECK(call != std::end(kCalls), "every operation of NNAPI 1.3 has a probe");
    return *call;
}

std::vector<nn::OperandType> typesIn(driver::TypeSet set) {
    std::vector<nn::OperandType> types;
    for (std::uint32_t i = 0; (set >> i) != 0; ++i) {
        if ((set >> i & 1U) != 0) {
            types.push_back(static_cast<nn::OperandType>(i));
        }
    }
    return types;
}

driver::TypeSet setOf(driver::Types types) {
    driver::TypeSet set = 0;
    for (const driver::TypesSince& entry : types) {
        set |= entry.types;
    }
    return set;
}

/// The types of the operand of `call` that may differ from `main`, if there is one with a choice.
driver::TypeSet otherTypes(const Call& call, const driver::OperationSignature& signature,
                           nn::OperandType main) {
    if (call.operation == Op::CAST) {
        // source: NNAPI HAL 1.3, CAST: what 1.3 added is only cast to itself
        constexpr driver::TypeSet kConverted =
                driver::kFloat32 | driver::kFloat16 | driver::kInt32 | driver::kUnsigned8;
        return (driver::typeBit(main) & kConverted) != 0 ? kConverted : driver::typeBit(main);
    }
    if (!signature.otherTypes.empty()) {
        return setOf(signature.otherTypes);
    }
    for (const char letter : {'F', 'D'}) {
        if (call.inputs.find(letter) != std::string_view::npos) {
            return driver::typesOfLetter(letter, main);
        }
    }
    return 0;
}

Network makeNetwork(const Call& call, const ProbeTypes& types) {
    ModelBuilder builder(nameOf(call.operation));
    const auto inputs = addProbeInputs(builder, types, call.inputs);
    const auto outputs = addProbeOutputs(builder, types, call.outputs);
    builder.addOperation(call.operation, inputs, outputs);
    for (const ModelBuilder::Index output : outputs) {
        builder.markOutput(output);
    }
    Network network = builder.build();
    std::vector<nn::Subgraph> subgraphs;
    for (const Call& subgraph : call.subgraphs) {
        subgraphs.push_back(makeNetwork(subgraph, types).model.main);
    }
    network.model.referenced = subgraphs;
    return network;
}

std::string withoutPrefix(nn::OperandType type) {
    constexpr std::string_view kPrefix = "TENSOR_";
    const std::string name = nameOf(type);
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

}  // namespace

std::span<const nn::OperationType> probedOperations() {
    return kOperations;
}

std::vector<ProbeTypes> probeTypes(nn::OperationType operation) {
    const Call& call = callOf(operation);
    const driver::OperationSignature& signature = *driver::findSignature(operation);
    if (!call.subgraphs.empty()) {
        return {ProbeTypes{}};
    }
    if (signature.types.empty()) {  // cells of one type: data, and states of 16 bits
        return {{typeOfLetter(call.inputs.front(), {}), typeOfLetter('z', {})}};
    }
    std::vector<ProbeTypes> result;
    for (const nn::OperandType main : typesIn(setOf(signature.types))) {
        const auto others = typesIn(otherTypes(call, signature, main));
        if (others.empty()) {
            result.push_back({main, std::nullopt});
        }
        for (const nn::OperandType other : others) {
            result.push_back({main, other});
        }
    }
    return result;
}

std::string nameOf(const ProbeTypes& types) {
    if (!types.main) {
        return "any";
    }
    const bool isOne = !types.other || *types.other == *types.main;
    return withoutPrefix(*types.main) + (isOne ? "" : ", " + withoutPrefix(*types.other));
}

Network makeProbe(nn::OperationType operation, const ProbeTypes& types) {
    return makeNetwork(callOf(operation), types);
}

}  // namespace vnpu::sim
