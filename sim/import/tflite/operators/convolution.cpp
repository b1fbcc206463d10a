// SPDX-License-Identifier: Apache-2.0
// Convolutions, fully connected layers and matrix products.
#include <algorithm>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/convolution.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

using graph::Window;

/// Notes in the report how a layer with weights and activations of different types is computed.
void noteHybrid(Call& call, std::size_t input, std::size_t weights) {
    const TensorType inputType = call.tensor(input).type;
    const TensorType weightType = call.tensor(weights).type;
    const bool isByte = weightType == TensorType::INT8 || weightType == TensorType::UINT8 ||
                        weightType == TensorType::INT4;
    if (inputType == TensorType::FLOAT32 && isByte) {
        call.note("8-bit weights of float layers are dequantized and summed in float32");
    } else if (inputType == TensorType::INT16) {
        call.note("quantized 16-bit activations are computed in float32");
    }
}

template <bool kIsDepthwise, typename Options>
void importConvolution(Call& call) {
    call.requireInputs(2, 3);
    const auto& options = call.options<Options>();
    Window window = windowOf(options);
    window.dilation = {options.dilation_h(), options.dilation_w()};
    noteHybrid(call, 0, 1);
    const auto convolve = kIsDepthwise ? graph::depthwiseConv2d : graph::conv2d;
    call.set(0, convolve(call.emitter(), call.in(0), call.in(1), call.optional(2), window,
                         clampOf(options.fused_activation()), call.form()));
}

/// Inputs: shape of the result, weights, input, bias.
void importTransposeConv(Call& call) {
    call.requireInputs(3, 4);
    const auto& options = call.options<schema::TransposeConvOptions>();
    const std::vector<std::int64_t> shape = call.ints(0, "the shape of the result");
    if (shape.size() != 4 || shape[1] < 1 || shape[2] < 1 || shape[1] > INT32_MAX ||
        shape[2] > INT32_MAX) {
        throw Refusal(
                fmt::format("the shape of the result has {} dimensions, expected 4", shape.size()));
    }
    noteHybrid(call, 2, 1);
    call.set(0,
             graph::transposeConv2d(
                     call.emitter(), call.in(2), call.in(1), call.optional(3), windowOf(options),
                     {static_cast<std::uint32_t>(shape[1]), static_cast<std::uint32_t>(shape[2])},
                     clampOf(options.fused_activation()), call.form()));
}

void importFullyConnected(Call& call) {
    call.requireInputs(2, 3);
    const auto& options = call.options<schema::FullyConnectedOptions>();
    if (options.weights_format() != schema::WeightsFormat::DEFAULT) {
        throw Refusal(
                fmt::format("weights_format is {}, expected DEFAULT: shuffled weights are "
                            "made for one processor",
                            static_cast<int>(options.weights_format())));
    }
    noteHybrid(call, 0, 1);
    const Value& input = call.in(0);
    const Value product = graph::fullyConnected(call.emitter(), input, call.in(1), call.optional(2),
                                                clampOf(options.fused_activation()), call.form());
    Dims dims = product.dims;
    const TensorView output = call.outputTensor(0);
    if (options.keep_num_dims() && input.rank() > 0 && input.dims.back() == call.in(1).dims[1]) {
        dims = input.dims;
        dims.back() = product.dims[1];
    } else if (!output.isOpen && elementCount(output.dimensions) == product.count()) {
        dims = output.dimensions;  // some converters keep the dimensions without saying so
    }
    call.set(0, dims == product.dims ? product : graph::reshape(call.emitter(), product, dims));
}

void importBatchMatmul(Call& call) {
    call.requireInputs(2, 2);
    noteHybrid(call, 0, 1);
    call.set(0, graph::batchMatmul(call.emitter(), call.in(0), call.in(1),
                                   call.option(&schema::BatchMatMulOptions::adj_x),
                                   call.option(&schema::BatchMatMulOptions::adj_y), call.form()));
}

/// One two-dimensional convolution for each element of the depth of the window, and their sum.
/// Weights are depth x height x width x inputs x outputs.
void importConv3d(Call& call) {
    call.requireInputs(2, 3);
    const auto& options = call.options<schema::Conv3DOptions>();
    Emitter& emitter = call.emitter();
    Value input = graph::toReal(emitter, call.in(0));
    const Value weights = graph::toReal(emitter, call.in(1));
    const std::int64_t stride = options.stride_d(), dilation = options.dilation_d();
    if (input.rank() != 5 || weights.rank() != 5 || input.count() == 0 || weights.count() == 0 ||
        stride < 1 || dilation < 1) {
        throw Refusal(fmt::format("input is {} and weights are {} with stride {} and dilation {}",
                                  describeDimensions(input.dims), describeDimensions(weights.dims),
                                  stride, dilation));
    }
    Window window;
    window.padding = paddingOf(options.padding());
    window.stride = {options.stride_h(), options.stride_w()};
    window.dilation = {options.dilation_h(), options.dilation_w()};
    const std::uint32_t taps = weights.dims[0];
    const std::int64_t extent = input.dims[1], reach = (std::int64_t{taps} - 1) * dilation + 1;
    const bool isSame = window.padding == Window::Padding::kSame;
    const std::int64_t depth = isSame ? (extent - 1) / stride + 1 : (extent - reach) / stride + 1;
    if (depth < 1 || reach > INT32_MAX || (!isSame && reach > extent)) {
        throw Refusal(fmt::format("a window of {} does not fit {} elements", reach, extent));
    }
    if (isSame) {
        const std::int64_t border =
                std::max<std::int64_t>(0, (depth - 1) * stride + reach - extent);
        const std::int64_t before[] = {0, border / 2, 0, 0, 0};
        const std::int64_t after[] = {0, border - border / 2, 0, 0, 0};
        input = graph::pad(emitter, input, before, after, 0.0);
    }
    constexpr std::uint32_t kOutputsFirst[] = {3, 0, 1, 2};
    Value sum;
    for (std::uint32_t tap = 0; tap < taps; ++tap) {
        Dims taken = input.dims;
        taken[1] = static_cast<std::uint32_t>(depth);
        const Value layers = graph::slice(
                emitter, input,
                {{0, tap * dilation, 0, 0, 0}, {1, depth == 1 ? 1 : stride, 1, 1, 1}, taken});
        const Value images = graph::reshape(emitter, layers,
                                            {taken[0] * taken[1], taken[2], taken[3], taken[4]});
        const Value plane = graph::reshape(
                emitter, graph::sliceAxis(emitter, weights, 0, tap, 1),
                {weights.dims[1], weights.dims[2], weights.dims[3], weights.dims[4]});
        const Value part = graph::conv2d(
                emitter, images, graph::transpose(emitter, plane, kOutputsFirst),
                tap == 0 ? call.optional(2) : std::nullopt, window, Clamp::kNone, graph::kReal);
        sum = tap == 0 ? part : graph::binary(emitter, Binary::kAdd, sum, part, graph::kReal);
    }
    sum = graph::clamp(emitter, sum, clampOf(options.fused_activation()));
    call.set(0, graph::reshape(emitter, sum,
                               {input.dims[0], static_cast<std::uint32_t>(depth), sum.dims[1],
                                sum.dims[2], sum.dims[3]}));
}

constexpr Row kConvolutionRows[] = {
        {3, "CONV_2D", kImported, "CONV_2D or GROUPED_CONV_2D",
         importConvolution<false, schema::Conv2DOptions>},
        {4, "DEPTHWISE_CONV_2D", kImported, "DEPTHWISE_CONV_2D",
         importConvolution<true, schema::DepthwiseConv2DOptions>},
        {9, "FULLY_CONNECTED", kImported, "FULLY_CONNECTED, or CONV_2D per channel",
         importFullyConnected},
        {67, "TRANSPOSE_CONV", kImported, "TRANSPOSE_CONV_2D", importTransposeConv},
        {126, "BATCH_MATMUL", kComposed, "TRANSPOSE, GROUPED_CONV_2D or FULLY_CONNECTED",
         importBatchMatmul},
        {132, "CONV_3D", kComposed, "SLICE, CONV_2D, ADD", importConv3d},
};

}  // namespace

std::span<const Row> convolutionRows() {
    return kConvolutionRows;
}

}  // namespace vnpu::sim::tflite
