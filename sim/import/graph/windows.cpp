// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

void requireRank4(const Value& value, const char* what) {
    if (value.rank() != 4 || value.count() == 0) {
        throw Refusal(fmt::format("{} is {}, expected 4 dimensions", what,
                                  describeDimensions(value.dims)));
    }
}

void requireSteps(std::initializer_list<std::int64_t> values, const char* what) {
    for (const std::int64_t value : values) {
        if (value < 1 || value > INT32_MAX) {
            throw Refusal(fmt::format("{} is {}, expected at least 1", what, value));
        }
    }
}

void checkWindow(const Window& window) {
    requireSteps({window.stride[0], window.stride[1]}, "stride");
    requireSteps({window.dilation[0], window.dilation[1]}, "dilation");
}

Index number(Emitter& emitter, std::int64_t value) {
    return emitter.builder().addInt32(static_cast<std::int32_t>(value));
}

/// NNAPI's scheme, or the four numbers left, right, top, bottom.
void addPadding(Emitter& emitter, const Window& window, std::vector<Index>& inputs) {
    constexpr std::int64_t kSame = 1, kValid = 2;  // source: NDK, PaddingCode
    if (window.padding != Window::Padding::kExplicit) {
        inputs.push_back(
                number(emitter, window.padding == Window::Padding::kSame ? kSame : kValid));
        return;
    }
    for (const std::int64_t border :
         {window.before[1], window.after[1], window.before[0], window.after[0]}) {
        if (border < 0 || border > INT32_MAX) {
            throw Refusal(fmt::format("padding is {}, expected 0 or more", border));
        }
        inputs.push_back(number(emitter, border));
    }
}

void addStrides(Emitter& emitter, const Window& window, std::vector<Index>& inputs) {
    inputs.push_back(number(emitter, window.stride[1]));
    inputs.push_back(number(emitter, window.stride[0]));
}

/// Layout and dilation, where there is a dilation: the short form has none.
void addDilation(Emitter& emitter, const Window& window, std::vector<Index>& inputs) {
    if (window.dilation[0] != 1 || window.dilation[1] != 1) {
        inputs.push_back(emitter.builder().addBool(false));
        inputs.push_back(number(emitter, window.dilation[1]));
        inputs.push_back(number(emitter, window.dilation[0]));
    }
}

Dims outputDims(const Value& input, const Value& weights, const Window& window,
                std::uint32_t channels) {
    return {input.dims[0], windowOutput(input.dims[1], weights.dims[1], window, 0),
            windowOutput(input.dims[2], weights.dims[2], window, 1), channels};
}

/// Finishes a convolution: the activation that is not fused, and the form.
Value finishProduct(Emitter& emitter, const Value& result, Clamp fused, const Form& form) {
    return convert(emitter, fused == Clamp::kTanh ? clamp(emitter, result, fused) : result, form);
}

Index fuseOperand(Emitter& emitter, Clamp fused) {
    return number(emitter, fused == Clamp::kTanh ? 0 : fuseCode(fused));
}

/// Group after group, because NNAPI's grouped convolution has no dilation.
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

std::uint32_t windowOutput(std::uint32_t input, std::int64_t size, const Window& window,
                           std::size_t dimension) {
    const std::int64_t stride = window.stride[dimension];
    const std::int64_t reach = (size - 1) * window.dilation[dimension] + 1;
    std::int64_t extent = input;
    if (window.padding == Window::Padding::kSame) {
        return static_cast<std::uint32_t>((extent - 1) / stride + 1);
    }
    if (window.padding == Window::Padding::kExplicit) {
        extent += window.before[dimension] + window.after[dimension];
    }
    if (reach > extent || reach < 1) {
        throw Refusal(fmt::format("a window of {} does not fit {} elements", reach, extent));
    }
    return static_cast<std::uint32_t>((extent - reach) / stride + 1);
}

Value conv2d(Emitter& emitter, const Value& input, const Value& weights,
             const std::optional<Value>& bias, const Window& window, Clamp fused,
             const Form& form) {
    requireRank4(input, "input");
    requireRank4(weights, "the tensor of weights");
    checkWindow(window);
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
    addPadding(emitter, window, inputs);
    addStrides(emitter, window, inputs);
    if (groups > 1) {
        inputs.push_back(number(emitter, groups));
    }
    inputs.push_back(fuseOperand(emitter, fused));
    if (groups > 1) {
        inputs.push_back(emitter.builder().addBool(false));
    }
    addDilation(emitter, window, inputs);
    const Value result =
            emitter.emit(groups > 1 ? Type::GROUPED_CONV_2D : Type::CONV_2D, inputs, product.form(),
                         outputDims(input, weights, window, weights.dims[0]));
    return finishProduct(emitter, result, fused, form);
}

Value depthwiseConv2d(Emitter& emitter, const Value& input, const Value& weights,
                      const std::optional<Value>& bias, const Window& window, Clamp fused,
                      const Form& form) {
    requireRank4(input, "input");
    requireRank4(weights, "the tensor of weights");
    checkWindow(window);
    const std::uint32_t channels = weights.dims[3];
    if (weights.dims[0] != 1 || channels % input.dims[3] != 0) {
        throw Refusal(fmt::format("weights are {}, expected 1 x height x width x a multiple of {}",
                                  describeDimensions(weights.dims), input.dims[3]));
    }
    const Product product(emitter, input, weights, bias, 3, form);
    std::vector<Index> inputs = product.operands();
    addPadding(emitter, window, inputs);
    addStrides(emitter, window, inputs);
    inputs.push_back(number(emitter, channels / input.dims[3]));
    inputs.push_back(fuseOperand(emitter, fused));
    addDilation(emitter, window, inputs);
    const Value result = emitter.emit(Type::DEPTHWISE_CONV_2D, inputs, product.form(),
                                      outputDims(input, weights, window, channels));
    return finishProduct(emitter, result, fused, form);
}

Value transposeConv2d(Emitter& emitter, const Value& input, const Value& weights,
                      const std::optional<Value>& bias, const Window& window,
                      std::array<std::uint32_t, 2> outputSize, Clamp fused, const Form& form) {
    requireRank4(input, "input");
    requireRank4(weights, "the tensor of weights");
    checkWindow(window);
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
        inputs.push_back(emitter.builder().addInt32Tensor({dims.begin(), dims.end()}));
    }
    addPadding(emitter, window, inputs);
    addStrides(emitter, window, inputs);
    inputs.push_back(fuseOperand(emitter, fused));
    inputs.push_back(emitter.builder().addBool(false));
    const Value result = emitter.emit(Type::TRANSPOSE_CONV_2D, inputs, product.form(), dims);
    return finishProduct(emitter, result, fused, form);
}

Value pool2d(Emitter& emitter, Pool op, const Value& input, std::array<std::int64_t, 2> size,
             const Window& window, Clamp fused, const Form& form) {
    requireRank4(input, "input");
    checkWindow(window);
    requireSteps({size[0], size[1]}, "window");
    if (window.dilation[0] != 1 || window.dilation[1] != 1) {
        throw Refusal("the window is dilated, which NNAPI has for convolutions only");
    }
    const bool isDirect = input.form.isQuantized() && input.form == form && op != Pool::kL2;
    const Value operand = isDirect ? input : toReal(emitter, input);
    std::vector<Index> inputs = {emitter.operand(operand)};
    addPadding(emitter, window, inputs);
    addStrides(emitter, window, inputs);
    inputs.push_back(number(emitter, size[1]));
    inputs.push_back(number(emitter, size[0]));
    inputs.push_back(fuseOperand(emitter, fused));
    const Type type = op == Pool::kAverage ? Type::AVERAGE_POOL_2D
                      : op == Pool::kMax   ? Type::MAX_POOL_2D
                                           : Type::L2_POOL_2D;
    const Dims dims = {input.dims[0], windowOutput(input.dims[1], size[0], window, 0),
                       windowOutput(input.dims[2], size[1], window, 1), input.dims[3]};
    const Value result = emitter.emit(type, inputs, operand.form, dims);
    return finishProduct(emitter, result, fused, form);
}

Value resize2d(Emitter& emitter, const Value& input, const Resize& resize, const Form& form) {
    requireRank4(input, "input");
    requireSteps({resize.height, resize.width}, "the new size");
    const Value movable = toMovable(emitter, input);
    std::vector<Index> inputs = {emitter.operand(movable), number(emitter, resize.width),
                                 number(emitter, resize.height)};
    const bool hasFlags = resize.alignCorners || resize.halfPixelCenters;
    if (!resize.isBilinear || hasFlags) {
        inputs.push_back(emitter.builder().addBool(false));  // NHWC
    }
    if (hasFlags) {
        inputs.push_back(emitter.builder().addBool(resize.alignCorners));
        inputs.push_back(emitter.builder().addBool(resize.halfPixelCenters));
    }
    const Value result = emitter.emit(
            resize.isBilinear ? Type::RESIZE_BILINEAR : Type::RESIZE_NEAREST_NEIGHBOR, inputs,
            movable.form, {input.dims[0], resize.height, resize.width, input.dims[3]});
    return convert(emitter, fromMovable(emitter, result, input.form), form);
}

namespace {

Value tradeSpace(Emitter& emitter, Type type, const Value& input, std::uint32_t blockSize,
                 const Dims& dims) {
    const Value movable = toMovable(emitter, input);
    const Value result = emitter.emit(type, {emitter.operand(movable), number(emitter, blockSize)},
                                      movable.form, dims);
    return fromMovable(emitter, result, input.form);
}

}  // namespace

Value spaceToDepth(Emitter& emitter, const Value& input, std::uint32_t blockSize) {
    requireRank4(input, "input");
    const Dims& dims = input.dims;
    if (blockSize == 0 || blockSize > INT16_MAX || dims[1] % blockSize != 0 ||
        dims[2] % blockSize != 0) {
        throw Refusal(fmt::format("blocks of {} in {}", blockSize, describeDimensions(dims)));
    }
    return tradeSpace(
            emitter, Type::SPACE_TO_DEPTH, input, blockSize,
            {dims[0], dims[1] / blockSize, dims[2] / blockSize, dims[3] * blockSize * blockSize});
}

Value depthToSpace(Emitter& emitter, const Value& input, std::uint32_t blockSize) {
    requireRank4(input, "input");
    const Dims& dims = input.dims;
    if (blockSize == 0 || blockSize > INT16_MAX || dims[3] % (blockSize * blockSize) != 0) {
        throw Refusal(fmt::format("blocks of {} in {}", blockSize, describeDimensions(dims)));
    }
    return tradeSpace(
            emitter, Type::DEPTH_TO_SPACE, input, blockSize,
            {dims[0], dims[1] * blockSize, dims[2] * blockSize, dims[3] / blockSize / blockSize});
}

namespace {

/// Batch, two spatial dimensions, and the rest as channels.
Value asImage(Emitter& emitter, const Value& value, std::size_t blocks) {
    Dims dims = {value.dims[0], value.dims[1], blocks == 2 ? value.dims[2] : 1, 1};
    dims[3] = static_cast<std::uint32_t>(value.count() /
                                         (std::uint64_t{dims[0]} * dims[1] * dims[2]));
    return value.dims == dims ? value : reshape(emitter, value, dims);
}

void checkBlocks(const Value& value, std::span<const std::int64_t> blocks, std::size_t borders) {
    if (blocks.empty() || blocks.size() > 2 || borders != blocks.size() ||
        value.rank() < blocks.size() + 1 || value.count() == 0) {
        throw Refusal(fmt::format("has {} block sizes for {}, expected 1 or 2", blocks.size(),
                                  describeDimensions(value.dims)));
    }
    for (const std::int64_t block : blocks) {
        requireSteps({block}, "block size");
    }
}

}  // namespace

Value spaceToBatch(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
    checkBlocks(value, blocks, before.size());
    const Value movable = toMovable(emitter, asImage(emitter, value, blocks.size()));
    std::vector<std::int32_t> sizes = {1, 1}, borders = {0, 0, 0, 0};
    Dims dims = value.dims, seen = movable.dims;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t extent = value.dims[i + 1] + before[i] + after[i];
        if (before[i] < 0 || after[i] < 0 || extent > INT32_MAX || extent % blocks[i] != 0) {
            throw Refusal(fmt::format("blocks of {} in {} elements", blocks[i], extent));
        }
        sizes[i] = static_cast<std::int32_t>(blocks[i]);
        borders[2 * i] = static_cast<std::int32_t>(before[i]);
        borders[2 * i + 1] = static_cast<std::int32_t>(after[i]);
        dims[0] *= static_cast<std::uint32_t>(blocks[i]);
        dims[i + 1] = seen[i + 1] = static_cast<std::uint32_t>(extent / blocks[i]);
    }
    seen[0] = dims[0];
    Value result = emitter.emit(Type::SPACE_TO_BATCH_ND,
                                {emitter.operand(movable), emitter.builder().addInt32Tensor(sizes),
                                 emitter.builder().addInt32Tensor(borders, {2, 2})},
                                movable.form, seen);
    result = fromMovable(emitter, result, value.form);
    return dims == seen ? result : reshape(emitter, result, dims);
}

Value batchToSpace(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after) {
    checkBlocks(value, blocks, before.size());
    const Value movable = toMovable(emitter, asImage(emitter, value, blocks.size()));
    std::vector<std::int32_t> sizes = {1, 1};
    Dims dims = value.dims, seen = movable.dims;
    SliceSpec kept{std::vector<std::int64_t>(value.rank(), 0),
                   std::vector<std::int64_t>(value.rank(), 1),
                   {}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t extent = std::int64_t{value.dims[i + 1]} * blocks[i];
        if (extent > INT32_MAX || dims[0] % blocks[i] != 0) {
            throw Refusal(
                    fmt::format("blocks of {} in {}", blocks[i], describeDimensions(value.dims)));
        }
        sizes[i] = static_cast<std::int32_t>(blocks[i]);
        dims[0] /= static_cast<std::uint32_t>(blocks[i]);
        dims[i + 1] = seen[i + 1] = static_cast<std::uint32_t>(extent);
    }
    seen[0] = dims[0];
    Value result = emitter.emit(Type::BATCH_TO_SPACE_ND,
                                {emitter.operand(movable), emitter.builder().addInt32Tensor(sizes)},
                                movable.form, seen);
    result = fromMovable(emitter, result, value.form);
    if (dims != seen) {
        result = reshape(emitter, result, dims);
    }
    kept.count = dims;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t rest = std::int64_t{dims[i + 1]} - before[i] - after[i];
        if (before[i] < 0 || after[i] < 0 || rest < 0) {
            throw Refusal(fmt::format("cuts {} and {} from {} elements", before[i], after[i],
                                      dims[i + 1]));
        }
        kept.begin[i + 1] = before[i];
        kept.count[i + 1] = static_cast<std::uint32_t>(rest);
    }
    return slice(emitter, result, kept);
}

}  // namespace vnpu::sim::graph
