// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/convolution.h"

#include <fmt/format.h>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

/// Adds layout and dilation if the window is dilated.
void addDilation(Emitter& emitter, const Window& window, std::vector<Index>& inputs) {
    if (window.dilation[0] != 1 || window.dilation[1] != 1) {
        inputs.push_back(emitter.builder().addBool(false));
        inputs.push_back(emitter.integer(window.dilation[1]));
        inputs.push_back(emitter.integer(window.dilation[0]));
    }
}

Dims outputDims(const Value& input, const Value& weights, const Window& window,
                std::uint32_t channels) {
    return {input.dims[0], windowOutput(input.dims[1], weights.dims[1], window, 0),
            windowOutput(input.dims[2], weights.dims[2], window, 1), channels};
}

/// One convolution for each group, because NNAPI's grouped convolution has no dilation.
Value convInParts(Emitter& emitter, const Value& input, const Value& weights,
                  const std::optional<Value>& bias, const Window& window, Clamp fused,
                  const Form& form, std::uint32_t groups) {
    const std::uint32_t taken = input.dims[3] / groups, made = weights.dims[0] / groups;
    const Value real = toReal(emitter, input), realWeights = toReal(emitter, weights);
    std::vector<Value> parts;
    for (std::uint32_t i = 0; i < groups; ++i) {
        std::optional<Value> part;
        if (bias) {
            part = sliceAxis(emitter, realBias(emitter, *bias, input, weights), 0, i * made, made);
        }
        parts.push_back(conv2d(emitter, sliceAxis(emitter, real, 3, i * taken, taken),
                               sliceAxis(emitter, realWeights, 0, i * made, made), part, window,
                               fused, kReal));
    }
    return convert(emitter, concatenate(emitter, parts, 3, kReal), form);
}

}  // namespace

Value conv2d(Emitter& emitter, const Value& input, const Value& weights,
             const std::optional<Value>& bias, const Window& window, Clamp fused,
             const Form& form) {
    requireImage(input, "input");
    requireImage(weights, "the tensor of weights");
    requireWindow(window);
    const std::uint32_t channels = input.dims[3], taken = weights.dims[3];
    const std::uint32_t groups = channels / taken;
    if (channels % taken != 0 || weights.dims[0] % groups != 0) {
        throw Refusal(fmt::format("weights are {} for an input of {} channels",
                                  describeDimensions(weights.dims), channels));
    }
    const bool isDilated = window.dilation[0] != 1 || window.dilation[1] != 1;
    if (groups > 1 && isDilated) {
        return convInParts(emitter, input, weights, bias, window, fused, form, groups);
    }
    const Product product(emitter, input, weights, bias, 0, form);
    std::vector<Index> inputs = product.operands();
    addPaddingAndStrides(emitter, window, inputs);
    if (groups > 1) {
        inputs.push_back(emitter.integer(groups));
    }
    inputs.push_back(fuseOperand(emitter, fused));
    if (groups > 1) {
        inputs.push_back(emitter.builder().addBool(false));
    }
    addDilation(emitter, window, inputs);
    const Value result =
            emitter.emit(groups > 1 ? Type::GROUPED_CONV_2D : Type::CONV_2D, inputs, product.form(),
                         outputDims(input, weights, window, weights.dims[0]));
    return finishWindow(emitter, result, fused, form);
}

Value depthwiseConv2d(Emitter& emitter, const Value& input, const Value& weights,
                      const std::optional<Value>& bias, const Window& window, Clamp fused,
                      const Form& form) {
    requireImage(input, "input");
    requireImage(weights, "the tensor of weights");
    requireWindow(window);
    const std::uint32_t channels = weights.dims[3];
    if (weights.dims[0] != 1 || channels % input.dims[3] != 0) {
        throw Refusal(fmt::format("weights are {}, expected 1 x height x width x a multiple of {}",
                                  describeDimensions(weights.dims), input.dims[3]));
    }
    const Product product(emitter, input, weights, bias, 3, form);
    std::vector<Index> inputs = product.operands();
    addPaddingAndStrides(emitter, window, inputs);
    inputs.push_back(emitter.integer(channels / input.dims[3]));
    inputs.push_back(fuseOperand(emitter, fused));
    addDilation(emitter, window, inputs);
    const Value result = emitter.emit(Type::DEPTHWISE_CONV_2D, inputs, product.form(),
                                      outputDims(input, weights, window, channels));
    return finishWindow(emitter, result, fused, form);
}

Value transposeConv2d(Emitter& emitter, const Value& input, const Value& weights,
                      const std::optional<Value>& bias, const Window& window,
                      std::array<std::uint32_t, 2> outputSize, Clamp fused, const Form& form) {
    requireImage(input, "input");
    requireImage(weights, "the tensor of weights");
    requireWindow(window);
    if (weights.dims[3] != input.dims[3]) {
        throw Refusal(fmt::format("weights are {} for an input of {} channels",
                                  describeDimensions(weights.dims), input.dims[3]));
    }
    const Dims dims = {input.dims[0], outputSize[0], outputSize[1], weights.dims[0]};
    if (window.padding != Window::Padding::kExplicit) {
        for (const std::size_t i : {0U, 1U}) {
            const std::uint32_t expected =
                    windowOutput(outputSize[i], weights.dims[i + 1], window, i);
            if (expected != input.dims[i + 1]) {
                throw Refusal(fmt::format("an output of {} needs an input of {}, not of {}",
                                          outputSize[i], expected, input.dims[i + 1]));
            }
        }
    }
    const Product product(emitter, input, weights, bias, 0, form);
    std::vector<Index> inputs = product.operands();
    if (window.padding != Window::Padding::kExplicit) {
        inputs.push_back(emitter.integers(dims));
    }
    addPaddingAndStrides(emitter, window, inputs);
    inputs.push_back(fuseOperand(emitter, fused));
    inputs.push_back(emitter.builder().addBool(false));
    const Value result = emitter.emit(Type::TRANSPOSE_CONV_2D, inputs, product.form(), dims);
    return finishWindow(emitter, result, fused, form);
}

}  // namespace vnpu::sim::graph
