// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parameters of builtin operators (TfLiteNode::builtin_data) as the interpreter lays them out,
// as far as the importer reads them: a structure may go on behind its last field here. Fields were
// only added at the ends. Where a field exists only in interpreters that know a certain version of
// the operator, it says so, and may be read only if the node's registration has this version.
// Layouts as in tflite_abi.h: TensorFlow Lite 2.9 and later, LiteRT 1 and 2.

#include <cstddef>
#include <cstdint>

namespace vnpu::sim::tflite_abi {

// NOLINTBEGIN(readability-identifier-naming): the names of the interface

enum TfLitePadding : int {
    kTfLitePaddingUnknown = 0,
    kTfLitePaddingSame = 1,
    kTfLitePaddingValid = 2
};

enum TfLiteMirrorPaddingMode : int {
    kTfLiteMirrorPaddingUnknown = 0,
    kTfLiteMirrorPaddingReflect = 1,
    kTfLiteMirrorPaddingSymmetric = 2
};

/// The numbers of the file format, and one more.
enum TfLiteFusedActivation : int { kTfLiteActNone = 0, kTfLiteActSigmoid = 6 };

inline constexpr std::size_t kTfLiteMaxDims = 8;  // of the parameters that list dimensions

struct TfLiteMirrorPaddingParams {
    TfLiteMirrorPaddingMode mode;
};

struct TfLiteConvParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    TfLiteFusedActivation activation;
    int dilation_width_factor;
    int dilation_height_factor;
};

struct TfLiteConv3DParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    int stride_depth;
    int dilation_width_factor;
    int dilation_height_factor;
    int dilation_depth_factor;
    TfLiteFusedActivation activation;
};

struct TfLitePoolParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    int filter_width;
    int filter_height;
    TfLiteFusedActivation activation;
};

struct TfLiteDepthwiseConvParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    int depth_multiplier;
    TfLiteFusedActivation activation;
    int dilation_width_factor;
    int dilation_height_factor;
};

struct TfLiteTransposeConvParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    TfLiteFusedActivation activation;  // version 4
};

struct TfLiteSVDFParams {
    int rank;
    TfLiteFusedActivation activation;
};

/// Of all operators whose only parameter, or whose first one, is the activation.
struct TfLiteActivationParams {
    TfLiteFusedActivation activation;
};

struct TfLiteSequenceRNNParams {
    bool time_major;
    TfLiteFusedActivation activation;
};

struct TfLiteBidirectionalSequenceRNNParams {
    bool time_major;
    TfLiteFusedActivation activation;
    bool merge_outputs;
};

struct TfLiteFullyConnectedParams {
    TfLiteFusedActivation activation;
    int weights_format;  // the numbers of the file format
    bool keep_num_dims;
};

struct TfLiteSoftmaxParams {
    float beta;
};

struct TfLiteConcatenationParams {
    int axis;
    TfLiteFusedActivation activation;
};

struct TfLiteBatchMatMulParams {
    bool adj_x;
    bool adj_y;
};

struct TfLiteLocalResponseNormParams {
    int radius;
    float bias;
    float alpha;
    float beta;
};

struct TfLiteLSTMParams {
    TfLiteFusedActivation activation;
    float cell_clip;
    float proj_clip;
    int kernel_type;  // the numbers of the file format
};

struct TfLiteUnidirectionalSequenceLSTMParams {
    TfLiteFusedActivation activation;
    float cell_clip;
    float proj_clip;
    bool time_major;
};

struct TfLiteBidirectionalSequenceLSTMParams {
    TfLiteFusedActivation activation;
    float cell_clip;
    float proj_clip;
    bool merge_outputs;
    bool time_major;
};

/// Of RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
struct TfLiteResizeParams {
    bool align_corners;
    bool half_pixel_centers;
};

struct TfLiteReshapeParams {
    std::int32_t shape[kTfLiteMaxDims];
    int num_dimensions;
};

/// Of SPACE_TO_DEPTH and DEPTH_TO_SPACE.
struct TfLiteBlockParams {
    int block_size;
};

struct TfLiteGatherParams {
    int axis;
    int batch_dims;
};

struct TfLiteReducerParams {
    bool keep_dims;
};

struct TfLiteSqueezeParams {
    std::int32_t squeeze_dims[kTfLiteMaxDims];
    int num_squeeze_dims;
};

struct TfLiteStridedSliceParams {
    int begin_mask;
    int end_mask;
    int ellipsis_mask;
    int new_axis_mask;
    int shrink_axis_mask;
    bool offset;  // version 8
};

struct TfLiteFakeQuantParams {
    float min;
    float max;
    int num_bits;
    bool narrow_range;
};

/// Of PACK and UNPACK.
struct TfLitePackParams {
    int count;
    int axis;
};

struct TfLiteOneHotParams {
    int axis;
};

struct TfLiteLeakyReluParams {
    float alpha;
};

struct TfLiteReverseSequenceParams {
    int seq_dim;
    int batch_dim;
};

struct TfLiteCumsumParams {
    bool exclusive;
    bool reverse;
};

struct TfLiteRandomParams {
    int seed;
    int seed2;
};

struct TfLiteBucketizeParams {
    int num_boundaries;
    const float* boundaries;
};

struct TfLiteGeluParams {
    bool approximate;
};

struct TfLiteStablehloPadParams {
    std::int64_t edge_padding_low[kTfLiteMaxDims];
    std::int64_t edge_padding_high[kTfLiteMaxDims];
    std::int64_t interior_padding[kTfLiteMaxDims];
};

// NOLINTEND(readability-identifier-naming)

static_assert(offsetof(TfLiteConvParams, dilation_height_factor) == 20);
static_assert(offsetof(TfLiteDepthwiseConvParams, dilation_height_factor) == 24);
static_assert(offsetof(TfLiteBidirectionalSequenceRNNParams, merge_outputs) == 8);
static_assert(offsetof(TfLiteBidirectionalSequenceLSTMParams, time_major) == 13);
static_assert(offsetof(TfLiteReshapeParams, num_dimensions) == 32);
static_assert(offsetof(TfLiteStridedSliceParams, offset) == 20);
static_assert(offsetof(TfLiteBucketizeParams, boundaries) == 8);
static_assert(offsetof(TfLiteStablehloPadParams, interior_padding) == 128);

}  // namespace vnpu::sim::tflite_abi
