// SPDX-License-Identifier: Apache-2.0
// From the documentation of HAL 1.3's OperationType: elements, shapes, lookups, regions.
#include "tests/driver/validation/example_calls.h"

namespace vnpu::driver::test {

namespace {

using Op = OperationType;

constexpr const char* kComparable = "b8@1.2 f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3";

constexpr ExampleCall kCalls[] = {
        // Element by element
        {Op::ADD, "f32@1.0 f16@1.2 q8@1.0 q8s@1.3 i32@1.3", "T5x4x3x1 T4x1x2 i", "T5x4x3x2"},
        {Op::ADD, "q8@1.0 q8s@1.3", "T2x3/2+3 T2x3/0.5+7 i", "T2x3/4+1"},
        {Op::MUL, "f32@1.0 f16@1.2 q8@1.0 q8s@1.3 i32@1.3", "2*T2x3 i", "T2x3"},
        {Op::SUB, "f32@1.1 f16@1.2 q8@1.2 q8s@1.3 i32@1.3", "T2x3 T1 i", "T2x3"},
        {Op::DIV, "f32@1.1 f16@1.2 i32@1.3", "2*T2x3 i", "T2x3"},
        {Op::MAXIMUM, kArraysIn12, "T1x2x3x4x5 T5", "T1x2x3x4x5"},
        {Op::MINIMUM, kArraysIn12, "T2x3 T3", "T2x3"},
        {Op::POW, kFloatsIn12, "T2x1 T3", "T2x3"},
        {Op::PRELU, kUsualIn12, "T2x2x3 T1x1x3", "T2x2x3"},
        {Op::RELU, kUsual, "T1x2x3x4", "T1x2x3x4"},
        {Op::RELU1, kUsual, "T2x3", "T2x3"},
        {Op::RELU6, kUsual, "T2x3", "T2x3"},
        {Op::LOGISTIC, kFloats, "T2x3", "T2x3"},
        {Op::LOGISTIC, "q8@1.0", "T2x3", "T2x3/256"},
        {Op::LOGISTIC, "q8s@1.3", "T2x3", "T2x3/256-128"},
        {Op::TANH, kFloats, "T2x3", "T2x3"},
        {Op::TANH, "q8@1.2", "T2x3", "T2x3/128+128"},
        {Op::TANH, "q8s@1.3", "T2x3", "T2x3/128"},
        {Op::FLOOR, kFloats, "T1x2x3x4", "T1x2x3x4"},
        {Op::ELU, "f32@1.3 f16@1.3", "T2x3 f", "T2x3"},
        {Op::HARD_SWISH, "f32@1.3 f16@1.3 q8@1.3 q8s@1.3", "T2x3", "T2x3"},
        {Op::ABS, "f32@1.2 f16@1.2 i32@1.3", "T1x2x3x4x5", "T1x2x3x4x5"},
        {Op::NEG, "f32@1.2 f16@1.2 i32@1.2", "T2x3", "T2x3"},
        {Op::EXP, kFloatsIn12, "T2x3", "T2x3"},
        {Op::LOG, kFloatsIn12, "T2x3", "T2x3"},
        {Op::SIN, kFloatsIn12, "T2x3", "T2x3"},
        {Op::SQRT, kFloatsIn12, "T2x3", "T2x3"},
        {Op::RSQRT, kFloatsIn12, "T2x3", "T2x3"},
        {Op::LOGICAL_AND, "b8@1.2", "T2x3 T3", "T2x3"},
        {Op::LOGICAL_OR, "b8@1.2", "T2x3 T3", "T2x3"},
        {Op::LOGICAL_NOT, "b8@1.2", "T2x3", "T2x3"},
        {Op::EQUAL, kComparable, "2*T2x3", "k2x3"},
        {Op::NOT_EQUAL, kComparable, "2*T2x3", "k2x3"},
        {Op::LESS, kComparable, "T2x3 T1", "k2x3"},
        {Op::LESS_EQUAL, kComparable, "2*T2x3", "k2x3"},
        {Op::GREATER, kComparable, "2*T2x3", "k2x3"},
        {Op::GREATER_EQUAL, kComparable, "2*T2x3", "k2x3"},
        {Op::SELECT, kArraysIn12, "k2x3 2*T2x3", "T2x3"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "T2x3", "w2x3"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "T2x3", "x2x3"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "T2x3", "v2x3"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "T2x3", "h2x3"},
        {Op::CAST, "b8@1.3 q8s@1.3 q8y@1.3 q16a@1.3 q16y@1.3", "T2x3", "T2x3"},
        {Op::QUANTIZE, kQuantIn12, "w2x3", "T2x3"},
        {Op::QUANTIZE, kQuantIn12, "x2x3", "T2x3"},
        {Op::DEQUANTIZE, "q8@1.0 q8y@1.2 pc0@1.2 q8s@1.3", "T2x3", "w2x3"},
        {Op::DEQUANTIZE, "q8@1.2 q8y@1.2 pc0@1.2 q8s@1.3", "T2x3", "x2x3"},

        // Shapes
        {Op::RESHAPE, kUsual, "T2x3x4 v2", "T6x4"},
        {Op::CONCATENATION, kUsual, "T2x3 T2x5 i", "T2x8"},
        {Op::CONCATENATION, kUsual, "T2x3 i", "T2x3"},
        {Op::CONCATENATION, kQuantIn12, "T2x3/1+2 T2x5 T2x1/4 i", "T2x9/1+2"},
        {Op::SPLIT, kArraysIn12, "T6x4 i i", "3*T2x4"},
        {Op::PAD, kUsualIn11, "T2x3 v2x2", "T4x5"},
        {Op::PAD_V2, kFloatsIn12, "T2x3 v2x2 f", "T4x5"},
        {Op::PAD_V2, kQuantIn12, "T2x3 v2x2 i", "T4x5"},
        {Op::DEPTH_TO_SPACE, kUsual, "T1x2x2x8 i", "T1x4x4x2"},
        {Op::DEPTH_TO_SPACE, kUsualIn12, "T1x2x2x8 i b", "T1x4x4x2"},
        {Op::SPACE_TO_DEPTH, kUsual, "T1x4x4x2 i", "T1x2x2x8"},
        {Op::SPACE_TO_DEPTH, kUsualIn12, "T1x4x4x2 i b", "T1x2x2x8"},
        {Op::BATCH_TO_SPACE_ND, kUsualIn11, "T4x2x2x1 v2", "T1x4x4x1"},
        {Op::BATCH_TO_SPACE_ND, kUsualIn12, "T4x2x2x1 v2 b", "T1x4x4x1"},
        {Op::SPACE_TO_BATCH_ND, kUsualIn11, "T1x4x4x1 v2 v2x2", "T4x2x2x1"},
        {Op::SPACE_TO_BATCH_ND, kUsualIn12, "T1x4x4x1 v2 v2x2 b", "T4x2x2x1"},
        {Op::SQUEEZE, kUsualIn11, "T1x2x1x3 v2", "T2x3"},
        {Op::SQUEEZE, kUsualIn11, "T1x2x1x3 v0-", "T2x3"},
        {Op::TRANSPOSE, kUsualIn11, "T2x3x4 v3", "T4x3x2"},
        {Op::TRANSPOSE, kUsualIn11, "T2x3 v0-", "T3x2"},
        {Op::EXPAND_DIMS, kArraysIn12, "T2x3 i", "T2x1x3"},
        {Op::SLICE, kArraysIn12, "T4x5 2*v2", "T2x3"},
        {Op::STRIDED_SLICE, kUsualIn11, "T4x6 3*v2 3*i", "T2x3"},
        {Op::TILE, kArraysIn12, "T2x3 v2", "T4x9"},
        {Op::CHANNEL_SHUFFLE, kUsualIn12, "T2x6 i i", "T2x6"},
        {Op::RESIZE_BILINEAR, "f32@1.0 f16@1.2 q8@1.2 q8s@1.3", "T1x2x2x3 i i", "T1x4x4x3"},
        {Op::RESIZE_BILINEAR, kUsualIn12, "T1x2x2x3 i i b", "T1x4x4x3"},
        {Op::RESIZE_BILINEAR, kUsualIn12, "T1x2x2x3 f f", "T1x4x4x3"},
        {Op::RESIZE_BILINEAR, kUsualIn12, "T1x2x2x3 f f b", "T1x4x4x3"},
        {Op::RESIZE_BILINEAR, "f32@1.3 f16@1.3 q8@1.3 q8s@1.3", "T1x2x2x3 i i 3*b", "T1x4x4x3"},
        {Op::RESIZE_NEAREST_NEIGHBOR, kUsualIn12, "T1x2x2x3 i i b", "T1x4x4x3"},
        {Op::RESIZE_NEAREST_NEIGHBOR, kUsualIn12, "T1x2x2x3 f f b", "T1x4x4x3"},
        {Op::RESIZE_NEAREST_NEIGHBOR, "f32@1.3 f16@1.3 q8@1.3 q8s@1.3", "T1x2x2x3 f f 3*b",
         "T1x4x4x3"},

        // Lookups, and tensors from shapes
        {Op::EMBEDDING_LOOKUP, "f32@1.0 i32@1.2 q8@1.2 f16@1.3 q8s@1.3", "v3 T5x2x4", "T3x2x4"},
        {Op::HASHTABLE_LOOKUP, "f32@1.0 i32@1.0 q8@1.0", "v4 v3 T3x2", "T4x2 h4/1"},
        {Op::GATHER, kArraysIn12, "T5x3 i v2x2", "T2x2x3"},
        {Op::LSH_PROJECTION, "f32@1.0 i32@1.0 q8@1.0 f16@1.2", "w4x2 T3x2 w3 i", "v8"},
        {Op::LSH_PROJECTION, kFloats, "T4x2 v3x2 T0- i", "v4"},
        {Op::RANDOM_MULTINOMIAL, kFloatsIn12, "T2x7 i v2", "v2x64"},
        {Op::FILL, "f32@1.3", "v2 s", "w2x3"},
        {Op::FILL, "f16@1.3", "v2 f", "x2x3"},
        {Op::FILL, "i32@1.3", "v2 i", "v2x3"},
        {Op::RANK,
         "f32@1.3 f16@1.3 i32@1.3 b8@1.3 q8@1.3 q8s@1.3 q8y@1.3 q16a@1.3 q16y@1.3 pc0@1.3", "T2x3",
         "i"},

        // Regions and boxes
        {Op::AXIS_ALIGNED_BBOX_TRANSFORM, kFloatsIn12, "T5x4 T5x8 v5 T2x2", "T5x8"},
        {Op::AXIS_ALIGNED_BBOX_TRANSFORM, kQuantIn12, "a5x4/8 T5x8 v5 a2x2/8", "a5x8/8"},
        {Op::BOX_WITH_NMS_LIMIT, kFloatsIn12, "T9x3 T9x12 v9 f i i 3*f", "T4 T4x4 2*v4"},
        {Op::BOX_WITH_NMS_LIMIT, kQuantIn12, "T9x3 a9x12/8 v9 s i i 3*s", "T4 a4x4/8 2*v4"},
        {Op::DETECTION_POSTPROCESSING, kFloatsIn12, "T1x6x3 T1x6x4 T6x4 4*f b 3*i f f b",
         "T1x3 T1x3x4 v1x3 v1"},
        {Op::GENERATE_PROPOSALS, kFloatsIn12, "T1x2x2x2 T1x2x2x8 T2x4 T1x2 f f i i f f b",
         "T4 T4x4 v4"},
        {Op::GENERATE_PROPOSALS, kQuantIn12, "T1x2x2x2 T1x2x2x8 z2x4/8 a1x2/8 s s i i s s b",
         "T4 a4x4/8 v4"},
        {Op::HEATMAP_MAX_KEYPOINT, kFloatsIn12, "T2x4x4x3 T2x4 b", "T2x3 T2x3x2"},
        {Op::HEATMAP_MAX_KEYPOINT, kQuantIn12, "T2x4x4x3 a2x4/8 b", "T2x3 a2x3x2/8"},
        {Op::ROI_ALIGN, kFloatsIn12, "T1x4x4x1 T4x4 v4 i i f f i i b", "T4x2x2x1"},
        {Op::ROI_ALIGN, kQuantIn12, "T1x4x4x1 a4x4/8 v4 i i s s i i b", "T4x2x2x1/4+4"},
        {Op::ROI_POOLING, kFloatsIn12, "T1x4x4x1 T4x4 v4 i i f f b", "T4x2x2x1"},
        {Op::ROI_POOLING, kQuantIn12, "T1x4x4x1 a4x4/8 v4 i i s s b", "T4x2x2x1"},
};

}  // namespace

std::span<const ExampleCall> exampleCalls() {
    return kCalls;
}

}  // namespace vnpu::driver::test
