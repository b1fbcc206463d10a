// SPDX-License-Identifier: Apache-2.0
// From the documentation of HAL 1.3's OperationType: elements, shapes, lookups, regions.
#include "tests/driver/validation/example_calls.h"

namespace vnpu::driver::test {

namespace {

using Op = OperationType;

constexpr const char* kUsual = "f32@1.0 f16@1.2 q8@1.0 q8s@1.3";
constexpr const char* kUsualIn11 = "f32@1.1 f16@1.2 q8@1.1 q8s@1.3";
constexpr const char* kUsualIn12 = "f32@1.2 f16@1.2 q8@1.2 q8s@1.3";
constexpr const char* kArraysIn12 = "f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3";
constexpr const char* kFloats = "f32@1.0 f16@1.2";
constexpr const char* kFloatsIn12 = "f32@1.2 f16@1.2";
constexpr const char* kQuantIn12 = "q8@1.2 q8s@1.3";
constexpr const char* kComparable = "b8@1.2 f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3";

constexpr ExampleCall kCalls[] = {
        // Element by element
        {Op::ADD, "f32@1.0 f16@1.2 q8@1.0 q8s@1.3 i32@1.3", "$[5,4,3,1] $[4,1,2] i", "$[5,4,3,2]"},
        {Op::ADD, "q8@1.0 q8s@1.3", "$[2,3]*0.5+3 $[2,3]*2+7 i", "$[2,3]*0.25+1"},
        {Op::MUL, "f32@1.0 f16@1.2 q8@1.0 q8s@1.3 i32@1.3", "$[2,3] $[2,3] i", "$[2,3]"},
        {Op::SUB, "f32@1.1 f16@1.2 q8@1.2 q8s@1.3 i32@1.3", "$[2,3] $[1] i", "$[2,3]"},
        {Op::DIV, "f32@1.1 f16@1.2 i32@1.3", "$[2,3] $[2,3] i", "$[2,3]"},
        {Op::MAXIMUM, kArraysIn12, "$[1,2,3,4,5] $[5]", "$[1,2,3,4,5]"},
        {Op::MINIMUM, kArraysIn12, "$[2,3] $[3]", "$[2,3]"},
        {Op::POW, kFloatsIn12, "$[2,1] $[3]", "$[2,3]"},
        {Op::PRELU, kUsualIn12, "$[2,2,3] $[1,1,3]", "$[2,2,3]"},
        {Op::RELU, kUsual, "$[1,2,3,4]", "$[1,2,3,4]"},
        {Op::RELU1, kUsual, "$[2,3]", "$[2,3]"},
        {Op::RELU6, kUsual, "$[2,3]", "$[2,3]"},
        {Op::LOGISTIC, kFloats, "$[2,3]", "$[2,3]"},
        {Op::LOGISTIC, "q8@1.0", "$[2,3]", "$[2,3]*0.00390625"},
        {Op::LOGISTIC, "q8s@1.3", "$[2,3]", "$[2,3]*0.00390625-128"},
        {Op::TANH, kFloats, "$[2,3]", "$[2,3]"},
        {Op::TANH, "q8@1.2", "$[2,3]", "$[2,3]*0.0078125+128"},
        {Op::TANH, "q8s@1.3", "$[2,3]", "$[2,3]*0.0078125"},
        {Op::FLOOR, kFloats, "$[1,2,3,4]", "$[1,2,3,4]"},
        {Op::ELU, "f32@1.3 f16@1.3", "$[2,3] $s", "$[2,3]"},
        {Op::HARD_SWISH, "f32@1.3 f16@1.3 q8@1.3 q8s@1.3", "$[2,3]", "$[2,3]"},
        {Op::ABS, "f32@1.2 f16@1.2 i32@1.3", "$[1,2,3,4,5]", "$[1,2,3,4,5]"},
        {Op::NEG, "f32@1.2 f16@1.2 i32@1.2", "$[2,3]", "$[2,3]"},
        {Op::EXP, kFloatsIn12, "$[2,3]", "$[2,3]"},
        {Op::LOG, kFloatsIn12, "$[2,3]", "$[2,3]"},
        {Op::SIN, kFloatsIn12, "$[2,3]", "$[2,3]"},
        {Op::SQRT, kFloatsIn12, "$[2,3]", "$[2,3]"},
        {Op::RSQRT, kFloatsIn12, "$[2,3]", "$[2,3]"},
        {Op::LOGICAL_AND, "b8@1.2", "$[2,3] $[3]", "$[2,3]"},
        {Op::LOGICAL_OR, "b8@1.2", "$[2,3] $[3]", "$[2,3]"},
        {Op::LOGICAL_NOT, "b8@1.2", "$[2,3]", "$[2,3]"},
        {Op::EQUAL, kComparable, "$[2,3] $[2,3]", "b8[2,3]"},
        {Op::NOT_EQUAL, kComparable, "$[2,3] $[2,3]", "b8[2,3]"},
        {Op::LESS, kComparable, "$[2,3] $[1]", "b8[2,3]"},
        {Op::LESS_EQUAL, kComparable, "$[2,3] $[2,3]", "b8[2,3]"},
        {Op::GREATER, kComparable, "$[2,3] $[2,3]", "b8[2,3]"},
        {Op::GREATER_EQUAL, kComparable, "$[2,3] $[2,3]", "b8[2,3]"},
        {Op::SELECT, kArraysIn12, "b8[2,3] $[2,3] $[2,3]", "$[2,3]"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "$[2,3]", "f32[2,3]"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "$[2,3]", "f16[2,3]"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "$[2,3]", "i32[2,3]"},
        {Op::CAST, "f32@1.2 f16@1.2 i32@1.2 q8@1.2", "$[2,3]", "q8[2,3]"},
        {Op::CAST, "b8@1.3 q8s@1.3 q8y@1.3 q16a@1.3 q16y@1.3", "$[2,3]", "$[2,3]"},
        {Op::QUANTIZE, kQuantIn12, "f32[2,3]", "$[2,3]"},
        {Op::QUANTIZE, kQuantIn12, "f16[2,3]", "$[2,3]"},
        {Op::DEQUANTIZE, "q8@1.0 q8y@1.2 pc0@1.2 q8s@1.3", "$[2,3]", "f32[2,3]"},
        {Op::DEQUANTIZE, "q8@1.2 q8y@1.2 pc0@1.2 q8s@1.3", "$[2,3]", "f16[2,3]"},

        // Shapes
        {Op::RESHAPE, kUsual, "$[2,3,4] i32[2]", "$[6,4]"},
        {Op::CONCATENATION, kUsual, "$[2,3] $[2,5] i", "$[2,8]"},
        {Op::CONCATENATION, kUsual, "$[2,3] i", "$[2,3]"},
        {Op::CONCATENATION, kQuantIn12, "$[2,3]*1+2 $[2,5] $[2,1]*0.25 i", "$[2,9]*1+2"},
        {Op::SPLIT, kArraysIn12, "$[6,4] i i", "$[2,4] $[2,4] $[2,4]"},
        {Op::PAD, kUsualIn11, "$[2,3] i32[2,2]", "$[4,5]"},
        {Op::PAD_V2, kFloatsIn12, "$[2,3] i32[2,2] $s", "$[4,5]"},
        {Op::PAD_V2, kQuantIn12, "$[2,3] i32[2,2] i", "$[4,5]"},
        {Op::DEPTH_TO_SPACE, kUsual, "$[1,2,2,8] i", "$[1,4,4,2]"},
        {Op::DEPTH_TO_SPACE, kUsualIn12, "$[1,2,2,8] i b", "$[1,4,4,2]"},
        {Op::SPACE_TO_DEPTH, kUsual, "$[1,4,4,2] i", "$[1,2,2,8]"},
        {Op::SPACE_TO_DEPTH, kUsualIn12, "$[1,4,4,2] i b", "$[1,2,2,8]"},
        {Op::BATCH_TO_SPACE_ND, kUsualIn11, "$[4,2,2,1] i32[2]", "$[1,4,4,1]"},
        {Op::BATCH_TO_SPACE_ND, kUsualIn12, "$[4,2,2,1] i32[2] b", "$[1,4,4,1]"},
        {Op::SPACE_TO_BATCH_ND, kUsualIn11, "$[1,4,4,1] i32[2] i32[2,2]", "$[4,2,2,1]"},
        {Op::SPACE_TO_BATCH_ND, kUsualIn12, "$[1,4,4,1] i32[2] i32[2,2] b", "$[4,2,2,1]"},
        {Op::SQUEEZE, kUsualIn11, "$[1,2,1,3] i32[2]", "$[2,3]"},
        {Op::SQUEEZE, kUsualIn11, "$[1,2,1,3] -i32[0]", "$[2,3]"},
        {Op::TRANSPOSE, kUsualIn11, "$[2,3,4] i32[3]", "$[4,3,2]"},
        {Op::TRANSPOSE, kUsualIn11, "$[2,3] -i32[0]", "$[3,2]"},
        {Op::EXPAND_DIMS, kArraysIn12, "$[2,3] i", "$[2,1,3]"},
        {Op::SLICE, kArraysIn12, "$[4,5] i32[2] i32[2]", "$[2,3]"},
        {Op::STRIDED_SLICE, kUsualIn11, "$[4,6] i32[2] i32[2] i32[2] i i i", "$[2,3]"},
        {Op::TILE, kArraysIn12, "$[2,3] i32[2]", "$[4,9]"},
        {Op::CHANNEL_SHUFFLE, kUsualIn12, "$[2,6] i i", "$[2,6]"},
        {Op::RESIZE_BILINEAR, "f32@1.0 f16@1.2 q8@1.2 q8s@1.3", "$[1,2,2,3] i i", "$[1,4,4,3]"},
        {Op::RESIZE_BILINEAR, kUsualIn12, "$[1,2,2,3] i i b", "$[1,4,4,3]"},
        {Op::RESIZE_BILINEAR, kUsualIn12, "$[1,2,2,3] $s $s", "$[1,4,4,3]"},
        {Op::RESIZE_BILINEAR, kUsualIn12, "$[1,2,2,3] $s $s b", "$[1,4,4,3]"},
        {Op::RESIZE_BILINEAR, "f32@1.3 f16@1.3 q8@1.3 q8s@1.3", "$[1,2,2,3] i i b b b",
         "$[1,4,4,3]"},
        {Op::RESIZE_NEAREST_NEIGHBOR, kUsualIn12, "$[1,2,2,3] i i b", "$[1,4,4,3]"},
        {Op::RESIZE_NEAREST_NEIGHBOR, kUsualIn12, "$[1,2,2,3] $s $s b", "$[1,4,4,3]"},
        {Op::RESIZE_NEAREST_NEIGHBOR, "f32@1.3 f16@1.3 q8@1.3 q8s@1.3", "$[1,2,2,3] $s $s b b b",
         "$[1,4,4,3]"},

        // Lookups, and tensors from shapes
        {Op::EMBEDDING_LOOKUP, "f32@1.0 i32@1.2 q8@1.2 f16@1.3 q8s@1.3", "i32[3] $[5,2,4]",
         "$[3,2,4]"},
        {Op::HASHTABLE_LOOKUP, "f32@1.0 i32@1.0 q8@1.0", "i32[4] i32[3] $[3,2]", "$[4,2] q8[4]*1"},
        {Op::GATHER, kArraysIn12, "$[5,3] i i32[2,2]", "$[2,2,3]"},
        {Op::LSH_PROJECTION, "f32@1.0 i32@1.0 q8@1.0 f16@1.2", "f32[4,2] $[3,2] f32[3] i",
         "i32[8]"},
        {Op::LSH_PROJECTION, kFloats, "$[4,2] i32[3,2] -$[0] i", "i32[4]"},
        {Op::RANDOM_MULTINOMIAL, kFloatsIn12, "$[2,7] i i32[2]", "i32[2,64]"},
        {Op::FILL, "f32@1.3", "i32[2] f", "f32[2,3]"},
        {Op::FILL, "f16@1.3", "i32[2] h", "f16[2,3]"},
        {Op::FILL, "i32@1.3", "i32[2] i", "i32[2,3]"},
        {Op::RANK,
         "f32@1.3 f16@1.3 i32@1.3 b8@1.3 q8@1.3 q8s@1.3 q8y@1.3 q16a@1.3 q16y@1.3 pc0@1.3",
         "$[2,3]", "i"},

        // Regions and boxes
        {Op::AXIS_ALIGNED_BBOX_TRANSFORM, kFloatsIn12, "$[5,4] $[5,8] i32[5] $[2,2]", "$[5,8]"},
        {Op::AXIS_ALIGNED_BBOX_TRANSFORM, kQuantIn12,
         "q16a[5,4]*0.125 $[5,8] i32[5] q16a[2,2]*0.125", "q16a[5,8]*0.125"},
        {Op::BOX_WITH_NMS_LIMIT, kFloatsIn12, "$[9,3] $[9,12] i32[9] $s i i $s $s $s",
         "$[4] $[4,4] i32[4] i32[4]"},
        {Op::BOX_WITH_NMS_LIMIT, kQuantIn12, "$[9,3] q16a[9,12]*0.125 i32[9] f i i f f f",
         "$[4] q16a[4,4]*0.125 i32[4] i32[4]"},
        {Op::DETECTION_POSTPROCESSING, kFloatsIn12,
         "$[1,6,3] $[1,6,4] $[6,4] $s $s $s $s b i i i $s $s b", "$[1,3] $[1,3,4] i32[1,3] i32[1]"},
        {Op::GENERATE_PROPOSALS, kFloatsIn12,
         "$[1,2,2,2] $[1,2,2,8] $[2,4] $[1,2] $s $s i i $s $s b", "$[4] $[4,4] i32[4]"},
        {Op::GENERATE_PROPOSALS, kQuantIn12,
         "$[1,2,2,2] $[1,2,2,8] q16y[2,4]*0.125 q16a[1,2]*0.125 f f i i f f b",
         "$[4] q16a[4,4]*0.125 i32[4]"},
        {Op::HEATMAP_MAX_KEYPOINT, kFloatsIn12, "$[2,4,4,3] $[2,4] b", "$[2,3] $[2,3,2]"},
        {Op::HEATMAP_MAX_KEYPOINT, kQuantIn12, "$[2,4,4,3] q16a[2,4]*0.125 b",
         "$[2,3] q16a[2,3,2]*0.125"},
        {Op::ROI_ALIGN, kFloatsIn12, "$[1,4,4,1] $[4,4] i32[4] i i $s $s i i b", "$[4,2,2,1]"},
        {Op::ROI_ALIGN, kQuantIn12, "$[1,4,4,1] q16a[4,4]*0.125 i32[4] i i f f i i b",
         "$[4,2,2,1]*0.25+4"},
        {Op::ROI_POOLING, kFloatsIn12, "$[1,4,4,1] $[4,4] i32[4] i i $s $s b", "$[4,2,2,1]"},
        {Op::ROI_POOLING, kQuantIn12, "$[1,4,4,1] q16a[4,4]*0.125 i32[4] i i f f b", "$[4,2,2,1]"},
};

}  // namespace

std::span<const ExampleCall> exampleCalls() {
    return kCalls;
}

}  // namespace vnpu::driver::test
