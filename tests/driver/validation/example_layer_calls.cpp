// SPDX-License-Identifier: Apache-2.0
// From the documentation of HAL 1.3's OperationType: layers with weights, pooling, normalisations,
// reductions.
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
constexpr const char* kFloatsIn13 = "f32@1.3 f16@1.3";
constexpr const char* kQuant = "q8@1.0 q8s@1.3";
constexpr const char* kQuantIn12 = "q8@1.2 q8s@1.3";

constexpr ExampleCall kCalls[] = {
        // Convolutions: padding as a scheme or as numbers, layout, dilation
        {Op::CONV_2D, kFloats, "$[1,4,4,2] $[3,1,1,2] $[3] i i i i", "$[1,4,4,3]"},
        {Op::CONV_2D, kFloatsIn12, "$[1,4,4,2] $[3,1,1,2] $[3] i i i i b", "$[1,4,4,3]"},
        {Op::CONV_2D, kFloatsIn12, "$[1,4,4,2] $[3,1,1,2] $[3] i i i i b i i", "$[1,4,4,3]"},
        {Op::CONV_2D, kFloats, "$[1,4,4,2] $[3,1,1,2] $[3] i i i i i i i", "$[1,4,4,3]"},
        {Op::CONV_2D, kFloatsIn12, "$[1,4,4,2] $[3,1,1,2] $[3] i i i i i i i b", "$[1,4,4,3]"},
        {Op::CONV_2D, kFloatsIn12, "$[1,4,4,2] $[3,1,1,2] $[3] i i i i i i i b i i", "$[1,4,4,3]"},
        {Op::CONV_2D, kQuant, "$[1,4,4,2] $[3,1,1,2]*0.25 i32[3]*0.125 i i i i", "$[1,4,4,3]"},
        {Op::CONV_2D, kQuantIn12, "$[1,4,4,2] $[3,1,1,2]*0.25 i32[3]*0.125 i i i i",
         "$[1,4,4,3]*0.0625"},
        {Op::CONV_2D, kQuantIn12, "$[1,4,4,2] pc0[3,1,1,2] i32[3] i i i i i i i b i i",
         "$[1,4,4,3]"},
        {Op::DEPTHWISE_CONV_2D, kFloats, "$[1,4,4,2] $[1,2,2,4] $[4] i i i i i", "$[1,3,3,4]"},
        {Op::DEPTHWISE_CONV_2D, kFloatsIn12, "$[1,4,4,2] $[1,2,2,4] $[4] i i i i i b i i",
         "$[1,3,3,4]"},
        {Op::DEPTHWISE_CONV_2D, kFloats, "$[1,4,4,2] $[1,2,2,4] $[4] i i i i i i i i",
         "$[1,3,3,4]"},
        {Op::DEPTHWISE_CONV_2D, kFloatsIn12, "$[1,4,4,2] $[1,2,2,4] $[4] i i i i i i i i b",
         "$[1,3,3,4]"},
        {Op::DEPTHWISE_CONV_2D, kQuant, "$[1,4,4,2] $[1,2,2,4] i32[4]*0.25 i i i i i",
         "$[1,3,3,4]"},
        {Op::DEPTHWISE_CONV_2D, kQuantIn12, "$[1,4,4,2] pc3[1,2,2,4] i32[4] i i i i i b",
         "$[1,3,3,4]"},
        {Op::GROUPED_CONV_2D, kFloatsIn12, "$[1,4,4,2] $[2,1,1,1] $[2] i i i i i b", "$[1,4,4,2]"},
        {Op::GROUPED_CONV_2D, kFloatsIn12, "$[1,4,4,2] $[2,1,1,1] $[2] i i i i i i i i b",
         "$[1,4,4,2]"},
        {Op::GROUPED_CONV_2D, kQuantIn12, "$[1,4,4,2] $[2,1,1,1] i32[2]*0.25 i i i i i b",
         "$[1,4,4,2]"},
        {Op::GROUPED_CONV_2D, kQuantIn12, "$[1,4,4,2] pc0[2,1,1,1] i32[2] i i i i i i i i b",
         "$[1,4,4,2]"},
        {Op::TRANSPOSE_CONV_2D, kFloatsIn12, "$[1,2,2,1] $[3,3,3,1] $[3] i32[4] i i i i b",
         "$[1,5,5,3]"},
        {Op::TRANSPOSE_CONV_2D, kFloatsIn12, "$[1,2,2,1] $[3,3,3,1] $[3] i i i i i i i b",
         "$[1,5,5,3]"},
        {Op::TRANSPOSE_CONV_2D, kQuantIn12, "$[1,2,2,1] $[3,3,3,1] i32[3]*0.25 i32[4] i i i i b",
         "$[1,5,5,3]"},
        {Op::TRANSPOSE_CONV_2D, kQuantIn12, "$[1,2,2,1] pc0[3,3,3,1] i32[3] i i i i i i i b",
         "$[1,5,5,3]"},
        {Op::FULLY_CONNECTED, kFloats, "$[2,5] $[3,5] $[3] i", "$[2,3]"},
        {Op::FULLY_CONNECTED, kFloats, "$[2,1,1,5] $[3,5] $[3] i", "$[2,3]"},
        {Op::FULLY_CONNECTED, kQuant, "$[2,5] $[3,5] i32[3]*0.25 i", "$[2,3]"},
        {Op::FULLY_CONNECTED, kQuantIn12, "$[2,5] $[3,5] i32[3]*0.25 i", "$[2,3]*0.125"},

        // Pooling
        {Op::AVERAGE_POOL_2D, kUsual, "$[1,4,4,2] i i i i i i", "$[1,2,2,2]"},
        {Op::AVERAGE_POOL_2D, kUsualIn12, "$[1,4,4,2] i i i i i i b", "$[1,2,2,2]"},
        {Op::AVERAGE_POOL_2D, kUsual, "$[1,4,4,2] i i i i i i i i i", "$[1,2,2,2]"},
        {Op::MAX_POOL_2D, kUsual, "$[1,4,4,2] i i i i i i", "$[1,2,2,2]"},
        {Op::MAX_POOL_2D, kUsualIn12, "$[1,4,4,2] i i i i i i i i i b", "$[1,2,2,2]"},
        {Op::L2_POOL_2D, kFloats, "$[1,4,4,2] i i i i i i", "$[1,2,2,2]"},
        {Op::L2_POOL_2D, kFloatsIn12, "$[1,4,4,2] i i i i i i i i i b", "$[1,2,2,2]"},

        // Along an axis
        {Op::SOFTMAX, kFloats, "$[2,5] $s", "$[2,5]"},
        {Op::SOFTMAX, "q8@1.0", "$[1,2,2,5] f", "$[1,2,2,5]*0.00390625"},
        {Op::SOFTMAX, "q8s@1.3", "$[2,5] f", "$[2,5]*0.00390625-128"},
        {Op::SOFTMAX, kFloatsIn12, "$[5] $s", "$[5]"},
        {Op::SOFTMAX, kFloatsIn12, "$[2,5] $s i", "$[2,5]"},
        {Op::LOG_SOFTMAX, kFloatsIn12, "$[2,5] $s i", "$[2,5]"},
        {Op::L2_NORMALIZATION, kFloats, "$[1,2,2,3]", "$[1,2,2,3]"},
        {Op::L2_NORMALIZATION, kFloatsIn12, "$[2,3]", "$[2,3]"},
        {Op::L2_NORMALIZATION, "q8@1.2", "$[2,3] i", "$[2,3]*0.0078125+128"},
        {Op::L2_NORMALIZATION, "q8s@1.3", "$[2,3]", "$[2,3]*0.0078125"},
        {Op::LOCAL_RESPONSE_NORMALIZATION, kFloats, "$[1,2,2,3] i $s $s $s", "$[1,2,2,3]"},
        {Op::LOCAL_RESPONSE_NORMALIZATION, kFloatsIn12, "$[2,3] i $s $s $s", "$[2,3]"},
        {Op::LOCAL_RESPONSE_NORMALIZATION, kFloatsIn12, "$[2,3] i $s $s $s i", "$[2,3]"},
        {Op::INSTANCE_NORMALIZATION, kFloatsIn12, "$[1,2,2,3] $s $s $s b", "$[1,2,2,3]"},
        {Op::MEAN, kUsualIn11, "$[2,3,4] i32[1] i", "$[2,4]"},
        {Op::REDUCE_ALL, "b8@1.2", "$[2,3] i32[1] b", "$[2]"},
        {Op::REDUCE_ANY, "b8@1.2", "$[2,3] i32[1] b", "$[2]"},
        {Op::REDUCE_MAX, kUsualIn12, "$[2,3] i32[1] b", "$[2]"},
        {Op::REDUCE_MIN, kUsualIn12, "$[2,3] i32[1] b", "$[2,1]"},
        {Op::REDUCE_PROD, kFloatsIn12, "$[2,3] i32[1] b", "$[2]"},
        {Op::REDUCE_SUM, kFloatsIn12, "$[2,3] i32[2] b", "$[1]"},
        {Op::ARGMAX, "f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3", "$[2,3] i", "i32[2]"},
        {Op::ARGMIN, "f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3", "$[2,3] i", "i32[3]"},
        {Op::TOPK_V2, kArraysIn12, "$[2,6] i", "$[2,3] i32[2,3]"},

        // Layers with a state
        {Op::RNN, kFloats, "$[2,3] $[4,3] $[4,4] $[4] $[2,4] i", "$[2,4] $[2,4]"},
        {Op::UNIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn12, "$[2,5,3] $[4,3] $[4,4] $[4] $[2,4] i i",
         "$[2,5,4]"},
        {Op::UNIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn13, "$[2,5,3] $[4,3] $[4,4] $[4] $[2,4] i i",
         "$[2,5,4] $[2,4]"},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn12,
         "$[2,5,3] $[4,3] $[4,4] $[4] $[2,4] $[6,3] $[6,6] $[6] $[2,6] -$[0] -$[0] -$[0] i b b",
         "$[2,5,10]"},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn12,
         "$[2,5,3] $[4,3] $[4,4] $[4] $[2,4] $[6,3] $[6,6] $[6] $[2,6] $[2,5,3] $[4,3] $[6,3] i b "
         "b",
         "$[2,5,4] $[2,5,6]"},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn13,
         "$[2,5,3] $[4,3] $[4,4] $[4] $[2,4] $[6,3] $[6,6] $[6] $[2,6] -$[0] -$[0] -$[0] i b b",
         "$[2,5,4] $[2,5,6] $[2,4] $[2,6]"},
        {Op::SVDF, kFloats, "$[2,3] $[4,3] $[4,10] $[4] $[2,36] i i", "$[2,36] $[2,4]"},
        {Op::SVDF, kFloats, "$[2,3] $[4,3] $[4,10] -$[0] $[2,36] i i", "$[2,36] $[2,4]"},
        {Op::LSTM, kFloats,
         "$[2,3] $[4,3] $[4,3] $[4,3] $[4,3] $[4,4] $[4,4] $[4,4] $[4,4] $[4] $[4] $[4] "
         "$[4] $[4] $[4] $[4] $[4,4] $[4] $[2,4] $[2,4] i $s $s",
         "$[2,16] $[2,4] $[2,4] $[2,4]"},
        {Op::LSTM, kFloats,
         "$[2,3] -$[0] $[4,3] $[4,3] $[4,3] -$[0] $[4,4] $[4,4] $[4,4] -$[0] -$[0] -$[0] "
         "-$[0] $[4] $[4] $[4] -$[0] -$[0] $[2,4] $[2,4] i $s $s",
         "$[2,12] $[2,4] $[2,4] $[2,4]"},
        {Op::LSTM, kFloatsIn12,
         "$[2,3] $[4,3] $[4,3] $[4,3] $[4,3] $[4,4] $[4,4] $[4,4] $[4,4] $[4] $[4] $[4] "
         "$[4] $[4] $[4] $[4] -$[0] -$[0] $[2,4] $[2,4] i $s $s $[4] $[4] $[4] $[4]",
         "$[2,16] $[2,4] $[2,4] $[2,4]"},
        {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn12,
         "$[2,5,3] $[4,3] $[4,3] $[4,3] $[4,3] $[4,4] $[4,4] $[4,4] $[4,4] $[4] $[4] $[4] "
         "$[4] $[4] $[4] $[4] $[4,4] $[4] $[2,4] $[2,4] i $s $s b $[4] $[4] $[4] $[4]",
         "$[2,5,4]"},
        {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn13,
         "$[2,5,3] -$[0] $[4,3] $[4,3] $[4,3] -$[0] $[4,4] $[4,4] $[4,4] -$[0] -$[0] -$[0] "
         "-$[0] $[4] $[4] $[4] -$[0] -$[0] $[2,4] $[2,4] i $s $s b -$[0] -$[0] -$[0] -$[0]",
         "$[2,5,4] $[2,4] $[2,4]"},
        {Op::BIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn12,
         "$[2,5,3] "
         "$[4,3] $[4,3] $[4,3] $[4,3] $[4,4] $[4,4] $[4,4] $[4,4] $[4] $[4] $[4] "
         "$[4] $[4] $[4] $[4] $[4,4] $[4] "
         "$[6,3] $[6,3] $[6,3] $[6,3] $[6,6] $[6,6] $[6,6] $[6,6] $[6] $[6] $[6] "
         "$[6] $[6] $[6] $[6] -$[0] -$[0] "
         "$[2,4] $[2,4] $[2,6] $[2,6] "
         "-$[0] -$[0] -$[0] -$[0] -$[0] -$[0] -$[0] -$[0] -$[0] "
         "i $s $s b b $[4] $[4] $[4] $[4] $[6] $[6] $[6] $[6]",
         "$[2,5,4] $[2,5,6]"},
        {Op::BIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn13,
         "$[2,5,3] "
         "-$[0] $[4,3] $[4,3] $[4,3] -$[0] $[4,4] $[4,4] $[4,4] -$[0] -$[0] -$[0] "
         "-$[0] $[4] $[4] $[4] -$[0] -$[0] "
         "-$[0] $[6,3] $[6,3] $[6,3] -$[0] $[6,6] $[6,6] $[6,6] -$[0] -$[0] -$[0] "
         "-$[0] $[6] $[6] $[6] -$[0] -$[0] "
         "$[2,4] $[2,4] $[2,6] $[2,6] "
         "$[2,5,3] $[4,3] $[4,3] $[4,3] $[4,3] $[6,3] $[6,3] $[6,3] $[6,3] "
         "i $s $s b b -$[0] -$[0] -$[0] -$[0] -$[0] -$[0] -$[0] -$[0]",
         "$[2,5,10] $[2,4] $[2,4] $[2,6] $[2,6]"},
        {Op::QUANTIZED_16BIT_LSTM, "q8@1.2",
         "$[2,3]*0.0078125+128 $[4,3] $[4,3] $[4,3] $[4,3] $[4,4] $[4,4] $[4,4] $[4,4] "
         "i32[4]*0.00390625 i32[4]*0.00390625 i32[4]*0.00390625 i32[4]*0.00390625 "
         "q16y[2,4]*0.00048828125 $[2,4]*0.0078125+128",
         "q16y[2,4]*0.00048828125 $[2,4]*0.0078125+128"},
        {Op::QUANTIZED_LSTM, "q8s@1.3",
         "$[2,3] q8y[4,3] q8y[4,3] q8y[4,3] q8y[4,3] q8y[4,4] q8y[4,4] q8y[4,4] q8y[4,4] "
         "q16y[4] q16y[4] q16y[4] i32[4] i32[4] i32[4] i32[4] q8y[4,4] i32[4] $[2,4] q16y[2,4] "
         "q16y[4] q16y[4] q16y[4] q16y[4] f f f f f f i f",
         "$[2,4] q16y[2,4] $[2,4]"},
        {Op::QUANTIZED_LSTM, "q8s@1.3",
         "$[2,3] -q8y[0] q8y[4,3] q8y[4,3] q8y[4,3] -q8y[0] q8y[4,4] q8y[4,4] q8y[4,4] "
         "-q16y[0] -q16y[0] -q16y[0] -i32[0] i32[4] i32[4] i32[4] -q8y[0] -i32[0] $[2,4] "
         "q16y[2,4] -q16y[0] -q16y[0] -q16y[0] -q16y[0] f f f f f f i f",
         "$[2,4] q16y[2,4] $[2,4]"},
};

}  // namespace

std::span<const ExampleCall> exampleLayerCalls() {
    return kCalls;
}

}  // namespace vnpu::driver::test
