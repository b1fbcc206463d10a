// SPDX-License-Identifier: Apache-2.0
// From the documentation of HAL 1.3's OperationType: layers with weights, pooling, normalizations,
// reductions.
#include "tests/driver/validation/example_calls.h"

namespace vnpu::driver::test {

namespace {

using Op = OperationType;

constexpr const char* kFloatsIn13 = "f32@1.3 f16@1.3";
constexpr const char* kQuant = "q8@1.0 q8s@1.3";

constexpr ExampleCall kLayerCalls[] = {
        // Convolutions: padding as a scheme or as numbers, layout, dilation
        {Op::CONV_2D, kFloats, "T1x4x4x2 T3x1x1x2 T3 4*i", "T1x4x4x3"},
        {Op::CONV_2D, kFloatsIn12, "T1x4x4x2 T3x1x1x2 T3 4*i b", "T1x4x4x3"},
        {Op::CONV_2D, kFloatsIn12, "T1x4x4x2 T3x1x1x2 T3 4*i b i i", "T1x4x4x3"},
        {Op::CONV_2D, kFloats, "T1x4x4x2 T3x1x1x2 T3 7*i", "T1x4x4x3"},
        {Op::CONV_2D, kFloatsIn12, "T1x4x4x2 T3x1x1x2 T3 7*i b", "T1x4x4x3"},
        {Op::CONV_2D, kFloatsIn12, "T1x4x4x2 T3x1x1x2 T3 7*i b i i", "T1x4x4x3"},
        {Op::CONV_2D, kQuant, "T1x4x4x2 T3x1x1x2/4 v3/8 4*i", "T1x4x4x3"},
        {Op::CONV_2D, kQuantIn12, "T1x4x4x2 T3x1x1x2/4 v3/8 4*i", "T1x4x4x3/16"},
        {Op::CONV_2D, kQuantIn12, "T1x4x4x2 c3x1x1x2 v3 7*i b i i", "T1x4x4x3"},
        {Op::DEPTHWISE_CONV_2D, kFloats, "T1x4x4x2 T1x2x2x4 T4 5*i", "T1x3x3x4"},
        {Op::DEPTHWISE_CONV_2D, kFloatsIn12, "T1x4x4x2 T1x2x2x4 T4 5*i b i i", "T1x3x3x4"},
        {Op::DEPTHWISE_CONV_2D, kFloats, "T1x4x4x2 T1x2x2x4 T4 8*i", "T1x3x3x4"},
        {Op::DEPTHWISE_CONV_2D, kFloatsIn12, "T1x4x4x2 T1x2x2x4 T4 8*i b", "T1x3x3x4"},
        {Op::DEPTHWISE_CONV_2D, kQuant, "T1x4x4x2 T1x2x2x4 v4/4 5*i", "T1x3x3x4"},
        {Op::DEPTHWISE_CONV_2D, kQuantIn12, "T1x4x4x2 c1x2x2x4 v4 5*i b", "T1x3x3x4"},
        {Op::GROUPED_CONV_2D, kFloatsIn12, "T1x4x4x2 T2x1x1x1 T2 5*i b", "T1x4x4x2"},
        {Op::GROUPED_CONV_2D, kFloatsIn12, "T1x4x4x2 T2x1x1x1 T2 8*i b", "T1x4x4x2"},
        {Op::GROUPED_CONV_2D, kQuantIn12, "T1x4x4x2 T2x1x1x1 v2/4 5*i b", "T1x4x4x2"},
        {Op::GROUPED_CONV_2D, kQuantIn12, "T1x4x4x2 c2x1x1x1 v2 8*i b", "T1x4x4x2"},
        {Op::TRANSPOSE_CONV_2D, kFloatsIn12, "T1x2x2x1 T3x3x3x1 T3 v4 4*i b", "T1x5x5x3"},
        {Op::TRANSPOSE_CONV_2D, kFloatsIn12, "T1x2x2x1 T3x3x3x1 T3 7*i b", "T1x5x5x3"},
        {Op::TRANSPOSE_CONV_2D, kQuantIn12, "T1x2x2x1 T3x3x3x1 v3/4 v4 4*i b", "T1x5x5x3"},
        {Op::TRANSPOSE_CONV_2D, kQuantIn12, "T1x2x2x1 c3x3x3x1 v3 7*i b", "T1x5x5x3"},
        {Op::FULLY_CONNECTED, kFloats, "T2x5 T3x5 T3 i", "T2x3"},
        {Op::FULLY_CONNECTED, kFloats, "T2x1x1x5 T3x5 T3 i", "T2x3"},
        {Op::FULLY_CONNECTED, kQuant, "T2x5 T3x5 v3/4 i", "T2x3"},
        {Op::FULLY_CONNECTED, kQuantIn12, "T2x5 T3x5 v3/4 i", "T2x3/8"},

        // Pooling
        {Op::AVERAGE_POOL_2D, kUsual, "T1x4x4x2 6*i", "T1x2x2x2"},
        {Op::AVERAGE_POOL_2D, kUsualIn12, "T1x4x4x2 6*i b", "T1x2x2x2"},
        {Op::AVERAGE_POOL_2D, kUsual, "T1x4x4x2 9*i", "T1x2x2x2"},
        {Op::MAX_POOL_2D, kUsual, "T1x4x4x2 6*i", "T1x2x2x2"},
        {Op::MAX_POOL_2D, kUsualIn12, "T1x4x4x2 9*i b", "T1x2x2x2"},
        {Op::L2_POOL_2D, kFloats, "T1x4x4x2 6*i", "T1x2x2x2"},
        {Op::L2_POOL_2D, kFloatsIn12, "T1x4x4x2 9*i b", "T1x2x2x2"},

        // Along an axis
        {Op::SOFTMAX, kFloats, "T2x5 f", "T2x5"},
        {Op::SOFTMAX, "q8@1.0", "T1x2x2x5 s", "T1x2x2x5/256"},
        {Op::SOFTMAX, "q8s@1.3", "T2x5 s", "T2x5/256-128"},
        {Op::SOFTMAX, kFloatsIn12, "T5 f", "T5"},
        {Op::SOFTMAX, kFloatsIn12, "T2x5 f i", "T2x5"},
        {Op::LOG_SOFTMAX, kFloatsIn12, "T2x5 f i", "T2x5"},
        {Op::L2_NORMALIZATION, kFloats, "T1x2x2x3", "T1x2x2x3"},
        {Op::L2_NORMALIZATION, kFloatsIn12, "T2x3", "T2x3"},
        {Op::L2_NORMALIZATION, "q8@1.2", "T2x3 i", "T2x3/128+128"},
        {Op::L2_NORMALIZATION, "q8s@1.3", "T2x3", "T2x3/128"},
        {Op::LOCAL_RESPONSE_NORMALIZATION, kFloats, "T1x2x2x3 i 3*f", "T1x2x2x3"},
        {Op::LOCAL_RESPONSE_NORMALIZATION, kFloatsIn12, "T2x3 i 3*f", "T2x3"},
        {Op::LOCAL_RESPONSE_NORMALIZATION, kFloatsIn12, "T2x3 i 3*f i", "T2x3"},
        {Op::INSTANCE_NORMALIZATION, kFloatsIn12, "T1x2x2x3 3*f b", "T1x2x2x3"},
        {Op::MEAN, kUsualIn11, "T2x3x4 v1 i", "T2x4"},
        {Op::REDUCE_ALL, "b8@1.2", "T2x3 v1 b", "T2"},
        {Op::REDUCE_ANY, "b8@1.2", "T2x3 v1 b", "T2"},
        {Op::REDUCE_MAX, kUsualIn12, "T2x3 v1 b", "T2"},
        {Op::REDUCE_MIN, kUsualIn12, "T2x3 v1 b", "T2x1"},
        {Op::REDUCE_PROD, kFloatsIn12, "T2x3 v1 b", "T2"},
        {Op::REDUCE_SUM, kFloatsIn12, "T2x3 v2 b", "T1"},
        {Op::ARGMAX, "f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3", "T2x3 i", "v2"},
        {Op::ARGMIN, "f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3", "T2x3 i", "v3"},
        {Op::TOPK_V2, kArraysIn12, "T2x6 i", "T2x3 v2x3"},

        // Layers with a state
        {Op::RNN, kFloats, "T2x3 T4x3 T4x4 T4 T2x4 i", "2*T2x4"},
        {Op::UNIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn12, "T2x5x3 T4x3 T4x4 T4 T2x4 i i", "T2x5x4"},
        {Op::UNIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn13, "T2x5x3 T4x3 T4x4 T4 T2x4 i i",
         "T2x5x4 T2x4"},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn12,
         "T2x5x3 T4x3 T4x4 T4 T2x4 T6x3 T6x6 T6 T2x6 3*T0- i b b", "T2x5x10"},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn12,
         "T2x5x3 T4x3 T4x4 T4 T2x4 T6x3 T6x6 T6 T2x6 T2x5x3 T4x3 T6x3 i b b", "T2x5x4 T2x5x6"},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN, kFloatsIn13,
         "T2x5x3 T4x3 T4x4 T4 T2x4 T6x3 T6x6 T6 T2x6 3*T0- i b b", "T2x5x4 T2x5x6 T2x4 T2x6"},
        {Op::SVDF, kFloats, "T2x3 T4x3 T4x10 T4 T2x36 i i", "T2x36 T2x4"},
        {Op::SVDF, kFloats, "T2x3 T4x3 T4x10 T0- T2x36 i i", "T2x36 T2x4"},
        {Op::LSTM, kFloats, "T2x3 4*T4x3 4*T4x4 7*T4 T4x4 T4 2*T2x4 i f f", "T2x16 3*T2x4"},
        {Op::LSTM, kFloats, "T2x3 T0- 3*T4x3 T0- 3*T4x4 4*T0- 3*T4 2*T0- 2*T2x4 i f f",
         "T2x12 3*T2x4"},
        {Op::LSTM, kFloatsIn12, "T2x3 4*T4x3 4*T4x4 7*T4 2*T0- 2*T2x4 i f f 4*T4", "T2x16 3*T2x4"},
        {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn12,
         "T2x5x3 4*T4x3 4*T4x4 7*T4 T4x4 T4 2*T2x4 i f f b 4*T4", "T2x5x4"},
        {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn13,
         "T2x5x3 T0- 3*T4x3 T0- 3*T4x4 4*T0- 3*T4 2*T0- 2*T2x4 i f f b 4*T0-", "T2x5x4 2*T2x4"},
        {Op::BIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn12,
         "T2x5x3 4*T4x3 4*T4x4 7*T4 T4x4 T4 4*T6x3 4*T6x6 7*T6 2*T0- 2*T2x4 2*T2x6 9*T0- i f f "
         "b b 4*T4 4*T6",
         "T2x5x4 T2x5x6"},
        {Op::BIDIRECTIONAL_SEQUENCE_LSTM, kFloatsIn13,
         "T2x5x3 T0- 3*T4x3 T0- 3*T4x4 4*T0- 3*T4 3*T0- 3*T6x3 T0- 3*T6x6 4*T0- 3*T6 2*T0- "
         "2*T2x4 2*T2x6 T2x5x3 4*T4x3 4*T6x3 i f f b b 8*T0-",
         "T2x5x10 2*T2x4 2*T2x6"},
        {Op::QUANTIZED_16BIT_LSTM, "q8@1.2",
         "T2x3/128+128 4*T4x3 4*T4x4 4*v4/256 z2x4/2048 T2x4/128+128", "z2x4/2048 T2x4/128+128"},
        {Op::QUANTIZED_LSTM, "q8s@1.3",
         "T2x3 4*y4x3 4*y4x4 3*z4 4*v4 y4x4 v4 T2x4 z2x4 4*z4 6*s i s", "T2x4 z2x4 T2x4"},
        {Op::QUANTIZED_LSTM, "q8s@1.3",
         "T2x3 y0- 3*y4x3 y0- 3*y4x4 3*z0- v0- 3*v4 y0- v0- T2x4 z2x4 4*z0- 6*s i s",
         "T2x4 z2x4 T2x4"},
};

}  // namespace

std::span<const ExampleCall> exampleLayerCalls() {
    return kLayerCalls;
}

}  // namespace vnpu::driver::test
