// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/operator_options.h"

#include <tflite_generated.h>

#include <algorithm>
#include <span>
#include <vector>

#include "sim/tflite_delegate/builtin_params.h"

namespace vnpu::sim::tflite_delegate {

namespace {

namespace schema = vnpu::sim::tflite::schema;
using Builder = flatbuffers::FlatBufferBuilder;

template <typename Table>
WrittenOptions tableOf(flatbuffers::Offset<Table> table) {
    return {.type = schema::BuiltinOptionsTraits<Table>::enum_value,
            .table = table.Union(),
            .type2 = {},
            .table2 = {}};
}

template <typename Params>
const Params& paramsOf(const NodeParameters& node) {
    return *static_cast<const Params*>(node.data);
}

/// The interpreter counts from 1; its 0 (unknown) becomes a number that the importer refuses.
schema::Padding paddingOf(abi::TfLitePadding padding) {
    return static_cast<schema::Padding>(static_cast<int>(padding) - 1);
}

/// The same numbers; the importer refuses those that the format does not have.
schema::FusedActivation activationOf(abi::TfLiteFusedActivation activation) {
    return static_cast<schema::FusedActivation>(activation);
}

WrittenOptions convolution(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteConvParams>(node);
    return tableOf(schema::CreateConv2DOptions(builder, paddingOf(p.padding), p.stride_width,
                                               p.stride_height, activationOf(p.activation),
                                               p.dilation_width_factor, p.dilation_height_factor));
}

WrittenOptions depthwise(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteDepthwiseConvParams>(node);
    return tableOf(schema::CreateDepthwiseConv2DOptions(
            builder, paddingOf(p.padding), p.stride_width, p.stride_height, p.depth_multiplier,
            activationOf(p.activation), p.dilation_width_factor, p.dilation_height_factor));
}

WrittenOptions convolution3d(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteConv3DParams>(node);
    return tableOf(schema::CreateConv3DOptions(builder, paddingOf(p.padding), p.stride_depth,
                                               p.stride_width, p.stride_height,
                                               activationOf(p.activation), p.dilation_depth_factor,
                                               p.dilation_width_factor, p.dilation_height_factor));
}

WrittenOptions transposedConvolution(Builder& builder, const NodeParameters& node) {
    constexpr int kActivationVersion = 4;  // source: TensorFlow Lite, builtin_op_data.h
    const auto& p = paramsOf<abi::TfLiteTransposeConvParams>(node);
    const auto activation = node.version >= kActivationVersion ? activationOf(p.activation)
                                                               : schema::FusedActivation::NONE;
    return tableOf(schema::CreateTransposeConvOptions(builder, paddingOf(p.padding), p.stride_width,
                                                      p.stride_height, activation));
}

WrittenOptions pool(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLitePoolParams>(node);
    return tableOf(schema::CreatePool2DOptions(builder, paddingOf(p.padding), p.stride_width,
                                               p.stride_height, p.filter_width, p.filter_height,
                                               activationOf(p.activation)));
}

WrittenOptions fullyConnected(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteFullyConnectedParams>(node);
    return tableOf(schema::CreateFullyConnectedOptions(
            builder, activationOf(p.activation),
            static_cast<schema::WeightsFormat>(p.weights_format), p.keep_num_dims));
}

/// Options whose only field is the activation.
template <typename Table, flatbuffers::Offset<Table> (*create)(Builder&, schema::FusedActivation)>
WrittenOptions activation(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteActivationParams>(node);
    return tableOf(create(builder, activationOf(p.activation)));
}

WrittenOptions concatenation(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteConcatenationParams>(node);
    return tableOf(schema::CreateConcatenationOptions(builder, p.axis, activationOf(p.activation)));
}

WrittenOptions softmax(Builder& builder, const NodeParameters& node) {
    return tableOf(
            schema::CreateSoftmaxOptions(builder, paramsOf<abi::TfLiteSoftmaxParams>(node).beta));
}

WrittenOptions responseNormalization(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteLocalResponseNormParams>(node);
    return tableOf(schema::CreateLocalResponseNormalizationOptions(builder, p.radius, p.bias,
                                                                   p.alpha, p.beta));
}

WrittenOptions batchMatMul(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteBatchMatMulParams>(node);
    return tableOf(schema::CreateBatchMatMulOptions(builder, p.adj_x, p.adj_y));
}

WrittenOptions svdf(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteSVDFParams>(node);
    return tableOf(schema::CreateSvdfOptions(builder, p.rank, activationOf(p.activation)));
}

WrittenOptions sequenceRnn(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteSequenceRNNParams>(node);
    return tableOf(
            schema::CreateSequenceRnnOptions(builder, p.time_major, activationOf(p.activation)));
}

WrittenOptions bidirectionalRnn(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteBidirectionalSequenceRNNParams>(node);
    return tableOf(schema::CreateBidirectionalSequenceRnnOptions(
            builder, p.time_major, activationOf(p.activation), p.merge_outputs));
}

WrittenOptions lstm(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteLSTMParams>(node);
    return tableOf(schema::CreateLstmOptions(builder, activationOf(p.activation), p.cell_clip,
                                             p.proj_clip,
                                             static_cast<schema::LstmKernelType>(p.kernel_type)));
}

WrittenOptions sequenceLstm(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteUnidirectionalSequenceLSTMParams>(node);
    return tableOf(schema::CreateUnidirectionalSequenceLstmOptions(
            builder, activationOf(p.activation), p.cell_clip, p.proj_clip, p.time_major));
}

WrittenOptions bidirectionalLstm(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteBidirectionalSequenceLSTMParams>(node);
    return tableOf(schema::CreateBidirectionalSequenceLstmOptions(
            builder, activationOf(p.activation), p.cell_clip, p.proj_clip, p.merge_outputs,
            p.time_major));
}

template <typename Table, flatbuffers::Offset<Table> (*create)(Builder&, bool, bool)>
WrittenOptions resize(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteResizeParams>(node);
    return tableOf(create(builder, p.align_corners, p.half_pixel_centers));
}

template <typename Table, flatbuffers::Offset<Table> (*create)(Builder&, std::int32_t)>
WrittenOptions block(Builder& builder, const NodeParameters& node) {
    return tableOf(create(builder, paramsOf<abi::TfLiteBlockParams>(node).block_size));
}

/// A list of dimensions of the parameters; a count that is out of range becomes an empty list.
flatbuffers::Offset<flatbuffers::Vector<std::int32_t>> dimensions(Builder& builder,
                                                                  const std::int32_t* list,
                                                                  int count) {
    const bool isInRange = count >= 0 && count <= static_cast<int>(abi::kTfLiteMaxDims);
    return builder.CreateVector(list, static_cast<std::size_t>(isInRange ? count : 0));
}

/// Without a shape in the parameters, the interpreter has computed the result's.
WrittenOptions reshape(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteReshapeParams>(node);
    if (p.num_dimensions == 0) {
        return {};
    }
    return tableOf(
            schema::CreateReshapeOptions(builder, dimensions(builder, p.shape, p.num_dimensions)));
}

WrittenOptions squeeze(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteSqueezeParams>(node);
    return tableOf(schema::CreateSqueezeOptions(
            builder, dimensions(builder, p.squeeze_dims, p.num_squeeze_dims)));
}

WrittenOptions gather(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteGatherParams>(node);
    return tableOf(schema::CreateGatherOptions(builder, p.axis, p.batch_dims));
}

WrittenOptions reducer(Builder& builder, const NodeParameters& node) {
    return tableOf(schema::CreateReducerOptions(
            builder, paramsOf<abi::TfLiteReducerParams>(node).keep_dims));
}

WrittenOptions stridedSlice(Builder& builder, const NodeParameters& node) {
    constexpr int kOffsetVersion = 8;  // source: TensorFlow Lite, builtin_op_data.h
    const auto& p = paramsOf<abi::TfLiteStridedSliceParams>(node);
    return tableOf(schema::CreateStridedSliceOptions(
            builder, p.begin_mask, p.end_mask, p.ellipsis_mask, p.new_axis_mask, p.shrink_axis_mask,
            node.version >= kOffsetVersion && p.offset));
}

WrittenOptions fakeQuant(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteFakeQuantParams>(node);
    return tableOf(
            schema::CreateFakeQuantOptions(builder, p.min, p.max, p.num_bits, p.narrow_range));
}

WrittenOptions pack(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLitePackParams>(node);
    return tableOf(schema::CreatePackOptions(builder, p.count, p.axis));
}

WrittenOptions unpack(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLitePackParams>(node);
    return tableOf(schema::CreateUnpackOptions(builder, p.count, p.axis));
}

WrittenOptions oneHot(Builder& builder, const NodeParameters& node) {
    return tableOf(
            schema::CreateOneHotOptions(builder, paramsOf<abi::TfLiteOneHotParams>(node).axis));
}

WrittenOptions leakyRelu(Builder& builder, const NodeParameters& node) {
    return tableOf(schema::CreateLeakyReluOptions(
            builder, paramsOf<abi::TfLiteLeakyReluParams>(node).alpha));
}

/// Counted from 1, like the padding.
WrittenOptions mirrorPad(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteMirrorPaddingParams>(node);
    return tableOf(schema::CreateMirrorPadOptions(
            builder, static_cast<schema::MirrorPadMode>(static_cast<int>(p.mode) - 1)));
}

WrittenOptions reverseSequence(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteReverseSequenceParams>(node);
    return tableOf(schema::CreateReverseSequenceOptions(builder, p.seq_dim, p.batch_dim));
}

WrittenOptions cumsum(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteCumsumParams>(node);
    return tableOf(schema::CreateCumsumOptions(builder, p.exclusive, p.reverse));
}

WrittenOptions random(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteRandomParams>(node);
    return tableOf(schema::CreateRandomOptions(builder, p.seed, p.seed2));
}

WrittenOptions bucketize(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteBucketizeParams>(node);
    const bool isThere = p.boundaries != nullptr && p.num_boundaries > 0;
    return tableOf(schema::CreateBucketizeOptions(
            builder, builder.CreateVector(p.boundaries, static_cast<std::size_t>(
                                                                isThere ? p.num_boundaries : 0))));
}

WrittenOptions gelu(Builder& builder, const NodeParameters& node) {
    return tableOf(
            schema::CreateGeluOptions(builder, paramsOf<abi::TfLiteGeluParams>(node).approximate));
}

WrittenOptions stablehloPad(Builder& builder, const NodeParameters& node) {
    const auto& p = paramsOf<abi::TfLiteStablehloPadParams>(node);
    const std::size_t rank = std::min(node.rank, abi::kTfLiteMaxDims);
    const auto low = builder.CreateVector(p.edge_padding_low, rank);
    const auto high = builder.CreateVector(p.edge_padding_high, rank);
    const auto interior = builder.CreateVector(p.interior_padding, rank);
    const auto table = schema::CreateStablehloPadOptions(builder, low, high, interior);
    return {.type = {},
            .table = {},
            .type2 = schema::BuiltinOptions2::StablehloPadOptions,
            .table2 = table.Union()};
}

struct Row {
    std::int32_t code;  // source: TensorFlow Lite schema, BuiltinOperator
    WrittenOptions (*write)(Builder&, const NodeParameters&);
};

constexpr Row kRows[] = {
        {0, activation<schema::AddOptions, schema::CreateAddOptions>},
        {1, pool},  // AVERAGE_POOL_2D
        {2, concatenation},
        {3, convolution},
        {4, depthwise},
        {5, block<schema::DepthToSpaceOptions, schema::CreateDepthToSpaceOptions>},
        {9, fullyConnected},
        {11, activation<schema::L2NormOptions, schema::CreateL2NormOptions>},
        {12, pool},  // L2_POOL_2D
        {13, responseNormalization},
        {16, lstm},
        {17, pool},  // MAX_POOL_2D
        {18, activation<schema::MulOptions, schema::CreateMulOptions>},
        {22, reshape},
        {23, resize<schema::ResizeBilinearOptions, schema::CreateResizeBilinearOptions>},
        {24, activation<schema::RnnOptions, schema::CreateRnnOptions>},
        {25, softmax},
        {26, block<schema::SpaceToDepthOptions, schema::CreateSpaceToDepthOptions>},
        {27, svdf},
        {35, sequenceRnn},
        {36, gather},
        {40, reducer},  // MEAN
        {41, activation<schema::SubOptions, schema::CreateSubOptions>},
        {42, activation<schema::DivOptions, schema::CreateDivOptions>},
        {43, squeeze},
        {44, sequenceLstm},
        {45, stridedSlice},
        {46, bidirectionalRnn},
        {52, bidirectionalLstm},
        {67, transposedConvolution},
        {74, reducer},  // SUM
        {80, fakeQuant},
        {81, reducer},  // REDUCE_PROD
        {82, reducer},  // REDUCE_MAX
        {83, pack},
        {85, oneHot},
        {88, unpack},
        {89, reducer},  // REDUCE_MIN
        {91, reducer},  // REDUCE_ANY
        {97,
         resize<schema::ResizeNearestNeighborOptions, schema::CreateResizeNearestNeighborOptions>},
        {98, leakyRelu},
        {100, mirrorPad},
        {112, reverseSequence},
        {126, batchMatMul},
        {128, cumsum},
        {132, convolution3d},
        {140, reducer},  // REDUCE_ALL
        {147, bucketize},
        {149, random},  // MULTINOMIAL
        {150, gelu},
        {195, stablehloPad},
};

}  // namespace

WrittenOptions writeOptions(Builder& builder, const NodeParameters& node) {
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                   [&](const Row& other) { return other.code == node.code; });
    return row == std::end(kRows) || node.data == nullptr ? WrittenOptions{}
                                                          : row->write(builder, node);
}

}  // namespace vnpu::sim::tflite_delegate
