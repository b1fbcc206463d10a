// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/tflite_delegate/builtin_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

#include "sim/tflite_delegate/builtin_params.h"

namespace vnpu::sim::test {

namespace {

namespace schema = tflite::schema;
using namespace vnpu::sim::tflite_abi;

/// A copy of the first `size` bytes of the parameters.
template <typename Params>
std::shared_ptr<void> blockOf(const Params& params, std::size_t size = sizeof(Params)) {
    std::shared_ptr<void> block(std::malloc(size), std::free);
    std::memcpy(block.get(), &params, size);
    return block;
}

TfLitePadding padding(schema::Padding given) {
    return given == schema::Padding::SAME ? kTfLitePaddingSame : kTfLitePaddingValid;
}

template <typename Activation>
TfLiteFusedActivation activation(Activation given) {
    return static_cast<TfLiteFusedActivation>(given);
}

BuiltinData of(const schema::Conv2DOptions& o) {
    return {blockOf(TfLiteConvParams{padding(o.padding()), o.stride_w(), o.stride_h(),
                                     activation(o.fused_activation()), o.dilation_w(),
                                     o.dilation_h()})};
}
BuiltinData of(const schema::DepthwiseConv2DOptions& o) {
    return {blockOf(TfLiteDepthwiseConvParams{
            padding(o.padding()), o.stride_w(), o.stride_h(), o.depth_multiplier(),
            activation(o.fused_activation()), o.dilation_w(), o.dilation_h()})};
}
BuiltinData of(const schema::Conv3DOptions& o) {
    return {blockOf(TfLiteConv3DParams{padding(o.padding()), o.stride_w(), o.stride_h(),
                                       o.stride_d(), o.dilation_w(), o.dilation_h(), o.dilation_d(),
                                       activation(o.fused_activation())})};
}
BuiltinData of(const schema::TransposeConvOptions& o) {
    const TfLiteTransposeConvParams params{padding(o.padding()), o.stride_w(), o.stride_h(),
                                           activation(o.fused_activation())};
    if (o.fused_activation() == schema::FusedActivation::NONE) {
        return {blockOf(params, offsetof(TfLiteTransposeConvParams, activation)), 3};
    }
    return {blockOf(params), 4};
}
BuiltinData of(const schema::Pool2DOptions& o) {
    return {blockOf(TfLitePoolParams{padding(o.padding()), o.stride_w(), o.stride_h(),
                                     o.filter_width(), o.filter_height(),
                                     activation(o.fused_activation())})};
}
BuiltinData of(const schema::FullyConnectedOptions& o) {
    return {blockOf(TfLiteFullyConnectedParams{activation(o.fused_activation()),
                                               static_cast<int>(o.weights_format()),
                                               o.keep_num_dims()})};
}
BuiltinData of(const schema::SoftmaxOptions& o) {
    return {blockOf(TfLiteSoftmaxParams{o.beta()})};
}
BuiltinData of(const schema::ConcatenationOptions& o) {
    return {blockOf(TfLiteConcatenationParams{o.axis(), activation(o.fused_activation())})};
}
BuiltinData of(const schema::LocalResponseNormalizationOptions& o) {
    return {blockOf(TfLiteLocalResponseNormParams{o.radius(), o.bias(), o.alpha(), o.beta()})};
}
BuiltinData of(const schema::SvdfOptions& o) {
    return {blockOf(TfLiteSVDFParams{o.rank(), activation(o.fused_activation())})};
}
BuiltinData of(const schema::SequenceRnnOptions& o) {
    return {blockOf(TfLiteSequenceRNNParams{o.time_major(), activation(o.fused_activation())})};
}
BuiltinData of(const schema::BidirectionalSequenceRnnOptions& o) {
    return {blockOf(TfLiteBidirectionalSequenceRNNParams{
            o.time_major(), activation(o.fused_activation()), o.merge_outputs()})};
}
BuiltinData of(const schema::LstmOptions& o) {
    return {blockOf(TfLiteLSTMParams{activation(o.fused_activation()), o.cell_clip(), o.proj_clip(),
                                     static_cast<int>(o.kernel_type())})};
}
BuiltinData of(const schema::UnidirectionalSequenceLstmOptions& o) {
    return {blockOf(TfLiteUnidirectionalSequenceLSTMParams{
            activation(o.fused_activation()), o.cell_clip(), o.proj_clip(), o.time_major()})};
}
BuiltinData of(const schema::BidirectionalSequenceLstmOptions& o) {
    return {blockOf(TfLiteBidirectionalSequenceLSTMParams{activation(o.fused_activation()),
                                                          o.cell_clip(), o.proj_clip(),
                                                          o.merge_outputs(), o.time_major()})};
}
BuiltinData of(const schema::ResizeBilinearOptions& o) {
    return {blockOf(TfLiteResizeParams{o.align_corners(), o.half_pixel_centers()})};
}
BuiltinData of(const schema::ResizeNearestNeighborOptions& o) {
    return {blockOf(TfLiteResizeParams{o.align_corners(), o.half_pixel_centers()})};
}
BuiltinData of(const schema::ReshapeOptions& o) {
    TfLiteReshapeParams params{};
    if (o.new_shape() != nullptr) {
        std::copy(o.new_shape()->begin(), o.new_shape()->end(), params.shape);
        params.num_dimensions = static_cast<int>(o.new_shape()->size());
    }
    return {blockOf(params)};
}
BuiltinData of(const schema::SqueezeOptions& o) {
    TfLiteSqueezeParams params{};
    if (o.squeeze_dims() != nullptr) {
        std::copy(o.squeeze_dims()->begin(), o.squeeze_dims()->end(), params.squeeze_dims);
        params.num_squeeze_dims = static_cast<int>(o.squeeze_dims()->size());
    }
    return {blockOf(params)};
}
BuiltinData of(const schema::SpaceToDepthOptions& o) {
    return {blockOf(TfLiteBlockParams{o.block_size()})};
}
BuiltinData of(const schema::DepthToSpaceOptions& o) {
    return {blockOf(TfLiteBlockParams{o.block_size()})};
}
BuiltinData of(const schema::GatherOptions& o) {
    return {blockOf(TfLiteGatherParams{o.axis(), o.batch_dims()})};
}
BuiltinData of(const schema::ReducerOptions& o) {
    return {blockOf(TfLiteReducerParams{o.keep_dims()})};
}
BuiltinData of(const schema::StridedSliceOptions& o) {
    const TfLiteStridedSliceParams params{o.begin_mask(),       o.end_mask(),
                                          o.ellipsis_mask(),    o.new_axis_mask(),
                                          o.shrink_axis_mask(), o.offset()};
    if (!o.offset()) {
        return {blockOf(params, offsetof(TfLiteStridedSliceParams, offset)), 7};
    }
    return {blockOf(params), 8};
}
BuiltinData of(const schema::FakeQuantOptions& o) {
    return {blockOf(TfLiteFakeQuantParams{o.min(), o.max(), o.num_bits(), o.narrow_range()})};
}
BuiltinData of(const schema::PackOptions& o) {
    return {blockOf(TfLitePackParams{o.values_count(), o.axis()})};
}
BuiltinData of(const schema::UnpackOptions& o) {
    return {blockOf(TfLitePackParams{o.num(), o.axis()})};
}
BuiltinData of(const schema::OneHotOptions& o) {
    return {blockOf(TfLiteOneHotParams{o.axis()})};
}
BuiltinData of(const schema::LeakyReluOptions& o) {
    return {blockOf(TfLiteLeakyReluParams{o.alpha()})};
}
BuiltinData of(const schema::MirrorPadOptions& o) {
    return {blockOf(TfLiteMirrorPaddingParams{o.mode() == schema::MirrorPadMode::REFLECT
                                                      ? kTfLiteMirrorPaddingReflect
                                                      : kTfLiteMirrorPaddingSymmetric})};
}
BuiltinData of(const schema::ReverseSequenceOptions& o) {
    return {blockOf(TfLiteReverseSequenceParams{o.seq_dim(), o.batch_dim()})};
}
BuiltinData of(const schema::BatchMatMulOptions& o) {
    return {blockOf(TfLiteBatchMatMulParams{o.adj_x(), o.adj_y()})};
}
BuiltinData of(const schema::CumsumOptions& o) {
    return {blockOf(TfLiteCumsumParams{o.exclusive(), o.reverse()})};
}
BuiltinData of(const schema::RandomOptions& o) {
    return {blockOf(TfLiteRandomParams{static_cast<int>(o.seed()), static_cast<int>(o.seed2())})};
}
BuiltinData of(const schema::GeluOptions& o) {
    return {blockOf(TfLiteGeluParams{o.approximate()})};
}
BuiltinData of(const schema::BucketizeOptions& o) {
    const auto* list = o.boundaries();
    return {blockOf(TfLiteBucketizeParams{list == nullptr ? 0 : static_cast<int>(list->size()),
                                          list == nullptr ? nullptr : list->data()})};
}
template <typename Options>
requires requires(const Options& o) {
    o.fused_activation();
}
BuiltinData of(const Options& o) {
    return {blockOf(TfLiteActivationParams{activation(o.fused_activation())})};
}
BuiltinData of(const schema::StablehloPadOptions& o) {
    TfLiteStablehloPadParams params{};
    std::copy(o.edge_padding_low()->begin(), o.edge_padding_low()->end(), params.edge_padding_low);
    std::copy(o.edge_padding_high()->begin(), o.edge_padding_high()->end(),
              params.edge_padding_high);
    std::copy(o.interior_padding()->begin(), o.interior_padding()->end(), params.interior_padding);
    return {blockOf(params)};
}

/// The options of type `Options`; zeros where the file has none.
template <typename Options>
BuiltinData read(const schema::Operator& op) {
    if (const auto* options = op.builtin_options_as<Options>()) {
        return of(*options);
    }
    flatbuffers::FlatBufferBuilder builder;
    const auto start = builder.StartTable();
    builder.Finish(flatbuffers::Offset<Options>(builder.EndTable(start)));
    return of(*flatbuffers::GetRoot<Options>(builder.GetBufferPointer()));
}

BuiltinData readStablehloPad(const schema::Operator& op) {
    const auto* options = op.builtin_options_2_as<schema::StablehloPadOptions>();
    return options == nullptr ? BuiltinData{} : of(*options);
}

using Reader = BuiltinData (*)(const schema::Operator&);

/// By operator. source: TensorFlow Lite, the structures of builtin_op_data.h
const std::map<std::int32_t, Reader> kReaders = {
        {0, read<schema::AddOptions>},
        {1, read<schema::Pool2DOptions>},
        {2, read<schema::ConcatenationOptions>},
        {3, read<schema::Conv2DOptions>},
        {4, read<schema::DepthwiseConv2DOptions>},
        {5, read<schema::DepthToSpaceOptions>},
        {9, read<schema::FullyConnectedOptions>},
        {11, read<schema::L2NormOptions>},
        {12, read<schema::Pool2DOptions>},
        {13, read<schema::LocalResponseNormalizationOptions>},
        {16, read<schema::LstmOptions>},
        {17, read<schema::Pool2DOptions>},
        {18, read<schema::MulOptions>},
        {22, read<schema::ReshapeOptions>},
        {23, read<schema::ResizeBilinearOptions>},
        {24, read<schema::RnnOptions>},
        {25, read<schema::SoftmaxOptions>},
        {26, read<schema::SpaceToDepthOptions>},
        {27, read<schema::SvdfOptions>},
        {35, read<schema::SequenceRnnOptions>},
        {36, read<schema::GatherOptions>},
        {40, read<schema::ReducerOptions>},
        {41, read<schema::SubOptions>},
        {42, read<schema::DivOptions>},
        {43, read<schema::SqueezeOptions>},
        {44, read<schema::UnidirectionalSequenceLstmOptions>},
        {45, read<schema::StridedSliceOptions>},
        {46, read<schema::BidirectionalSequenceRnnOptions>},
        {52, read<schema::BidirectionalSequenceLstmOptions>},
        {67, read<schema::TransposeConvOptions>},
        {74, read<schema::ReducerOptions>},
        {80, read<schema::FakeQuantOptions>},
        {81, read<schema::ReducerOptions>},
        {82, read<schema::ReducerOptions>},
        {83, read<schema::PackOptions>},
        {85, read<schema::OneHotOptions>},
        {88, read<schema::UnpackOptions>},
        {89, read<schema::ReducerOptions>},
        {91, read<schema::ReducerOptions>},
        {97, read<schema::ResizeNearestNeighborOptions>},
        {98, read<schema::LeakyReluOptions>},
        {100, read<schema::MirrorPadOptions>},
        {112, read<schema::ReverseSequenceOptions>},
        {126, read<schema::BatchMatMulOptions>},
        {128, read<schema::CumsumOptions>},
        {132, read<schema::Conv3DOptions>},
        {140, read<schema::ReducerOptions>},
        {147, read<schema::BucketizeOptions>},
        {149, read<schema::RandomOptions>},
        {150, read<schema::GeluOptions>},
        {195, readStablehloPad},
};

}  // namespace

BuiltinData builtinDataOf(std::int32_t code, const schema::Operator& op) {
    const auto reader = kReaders.find(code);
    return reader == kReaders.end() ? BuiltinData{} : reader->second(op);
}

}  // namespace vnpu::sim::test
