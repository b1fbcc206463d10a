// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/products.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/elementwise_direct.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

/// The scale of a product of input and weights, per channel where the weights have that.
std::vector<float> productScales(const Value& input, const Value& weights) {
    std::vector<float> scales = weights.channelScales.empty()
                                        ? std::vector<float>{weights.form.scale}
                                        : weights.channelScales;
    for (float& scale : scales) {
        scale *= input.form.scale;
    }
    return scales;
}

void checkBiasScales(const Value& bias, const Value& input, const Value& weights) {
    constexpr double kTolerance = 0.01;  // chosen: above any rounding, below any mistake
    const std::vector<float>& scales = bias.channelScales;
    if (scales.empty()) {
        return;
    }
    const std::vector<float> expected = productScales(input, weights);
    if (scales.size() != expected.size()) {
        throw Refusal(fmt::format("bias has {} scale{} and the weights {}", scales.size(),
                                  scales.size() == 1 ? "" : "s", expected.size()));
    }
    for (std::size_t i = 0; i < scales.size(); ++i) {
        if (std::abs(scales[i] - expected[i]) > kTolerance * expected[i]) {
            throw Refusal(fmt::format("bias scale {} is {}, expected {} (input times weights)", i,
                                      scales[i], expected[i]));
        }
    }
}

/// Whether NNAPI multiplies these in 8 bits.
bool isQuantizedProduct(const Value& input, const Value& weights, const std::optional<Value>& bias,
                        std::uint32_t channelDimension, const Form& form) {
    if (!input.form.isQuantized() || input.form.type != form.type) {
        return false;
    }
    if (bias && !(bias->form.isInteger() && bias->isConstant())) {
        return false;
    }
    if (weights.channelScales.empty()) {
        return weights.form.type == input.form.type;
    }
    return weights.channelDimension == channelDimension;
}

Value integerBias(const Value& bias, const Value& input, const Value& weights,
                  std::uint32_t channels) {
    checkBiasScales(bias, input, weights);
    Value result = bias;
    result.channelScales.clear();
    result.dims = {channels};
    result.form.scale =
            weights.channelScales.empty() ? input.form.scale * weights.form.scale : 0.0F;
    return result;
}

void requireBias(const Value& bias, std::uint32_t channels) {
    if (bias.count() != channels) {
        throw Refusal(fmt::format("bias is {}, expected {} elements", describeDimensions(bias.dims),
                                  channels));
    }
    if (bias.form.isQuantized() || bias.form.isTruth()) {
        throw Refusal(
                fmt::format("bias is {}, expected INT32 or FLOAT32", sim::nameOf(bias.form.type)));
    }
}

}  // namespace

Value realBias(Emitter& emitter, const Value& bias, const Value& input, const Value& weights) {
    if (bias.form.isReal()) {
        return bias;
    }
    const std::vector<float> scales =
            bias.channelScales.empty() ? productScales(input, weights) : bias.channelScales;
    if (!bias.isConstant() || scales[0] == 0.0F ||
        (scales.size() != 1 && scales.size() != bias.count())) {
        throw Refusal("the bias has integers without a scale for real sums");
    }
    std::vector<double> reals = realsOf(bias);
    for (std::size_t i = 0; i < reals.size(); ++i) {
        reals[i] *= double{scales[scales.size() == 1 ? 0 : i]};
    }
    return convert(emitter, constantFrom(kReal, bias.dims, reals), kReal);
}

Product::Product(Emitter& emitter, const Value& input, const Value& weights,
                 const std::optional<Value>& bias, std::uint32_t channelDimension,
                 const Form& form) {
    const std::uint32_t channels = weights.dims[channelDimension];
    if (bias) {
        requireBias(*bias, channels);
    }
    if (isQuantizedProduct(input, weights, bias, channelDimension, form)) {
        form_ = form;
        OperandSpec zeros{.type = nn::OperandType::TENSOR_INT32, .dimensions = {channels}};
        zeros.scale = weights.channelScales.empty() ? input.form.scale * weights.form.scale : 0.0F;
        operands_ = {emitter.operand(input), emitter.operand(weights),
                     bias ? emitter.operand(integerBias(*bias, input, weights, channels))
                          : emitter.builder().addZeroConstant(zeros)};
        return;
    }
    form_ = kReal;
    const Value real = toReal(emitter, input), realWeights = toReal(emitter, weights);
    operands_ = {emitter.operand(real), emitter.operand(realWeights)};
    operands_.push_back(
            bias ? emitter.operandAs(realBias(emitter, *bias, input, weights), {channels})
                 : emitter.builder().addZeroConstant(
                           {.type = kReal.type, .dimensions = {channels}}));
}

namespace {

/// As a convolution with a window of one pixel: NNAPI's convolutions take a scale per channel.
Value connectedPerChannel(Emitter& emitter, const Value& input, const Value& weights,
                          const std::optional<Value>& bias, Clamp fused, const Form& form) {
    const std::uint32_t units = weights.dims[0], depth = weights.dims[1];
    const auto rows = static_cast<std::uint32_t>(input.count() / depth);
    Value filter = weights;
    filter.dims = {units, 1, 1, depth};
    const Value pixels = reshape(emitter, input, {rows, 1, 1, depth});
    const Product product(emitter, pixels, filter, bias, 0, form);
    std::vector<Index> inputs = product.operands();
    ModelBuilder& builder = emitter.builder();
    constexpr std::int32_t kValid = 2;  // source: NDK, PaddingCode
    for (const std::int32_t number : {kValid, 1, 1, fused == Clamp::kTanh ? 0 : fuseCode(fused)}) {
        inputs.push_back(builder.addInt32(number));
    }
    const Value sums = emitter.emit(Type::CONV_2D, inputs, product.form(), {rows, 1, 1, units});
    return reshape(emitter, sums, {rows, units});
}

}  // namespace

Value fullyConnected(Emitter& emitter, const Value& input, const Value& weights,
                     const std::optional<Value>& bias, Clamp fused, const Form& form) {
    if (weights.rank() != 2 || weights.count() == 0 || input.count() == 0 ||
        input.count() % weights.dims[1] != 0) {
        throw Refusal(
                fmt::format("input is {} and weights are {}, expected a multiple of the "
                            "weights' last dimension",
                            describeDimensions(input.dims), describeDimensions(weights.dims)));
    }
    const std::uint32_t units = weights.dims[0], depth = weights.dims[1];
    const auto rows = static_cast<std::uint32_t>(input.count() / depth);
    Value result;
    if (isQuantizedProduct(input, weights, bias, 0, form) && !weights.channelScales.empty()) {
        result = connectedPerChannel(emitter, input, weights, bias, fused, form);
    } else {
        const bool isFlat = input.rank() < 2 || input.rank() > 4;
        const Value flat = isFlat ? reshape(emitter, input, {rows, depth}) : input;
        const Product product(emitter, flat, weights, bias, 0, form);
        std::vector<Index> inputs = product.operands();
        inputs.push_back(emitter.builder().addInt32(fused == Clamp::kTanh ? 0 : fuseCode(fused)));
        result = emitter.emit(Type::FULLY_CONNECTED, inputs, product.form(), {rows, units});
    }
    if (fused == Clamp::kTanh) {
        result = clamp(emitter, result, fused);
    }
    return convert(emitter, result, form);
}

namespace {

Value swapLast(Emitter& emitter, const Value& value) {
    std::vector<std::uint32_t> order(value.rank());
    std::iota(order.begin(), order.end(), 0U);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return transpose(emitter, value, order);
}

/// All products of a batch as one grouped convolution: a group per matrix, a pixel per row.
Value groupedProducts(Emitter& emitter, const Value& a, const Value& b, const Form& form) {
    const std::uint32_t batches = a.dims[0], rows = a.dims[1], depth = a.dims[2];
    const std::uint32_t columns = b.dims[1];
    constexpr std::uint32_t kRowsFirst[] = {1, 0, 2};
    const Value pixels =
            reshape(emitter, transpose(emitter, a, kRowsFirst), {1, rows, 1, batches * depth});
    const Value filter = reshape(emitter, b, {batches * columns, 1, 1, depth});
    const Product product(emitter, pixels, filter, std::nullopt, 0, form);
    std::vector<Index> inputs = product.operands();
    ModelBuilder& builder = emitter.builder();
    constexpr std::int32_t kValid = 2;  // source: NDK, PaddingCode
    for (const std::int32_t number : {kValid, 1, 1, static_cast<std::int32_t>(batches), 0}) {
        inputs.push_back(builder.addInt32(number));
    }
    inputs.push_back(builder.addBool(false));
    const Value sums = emitter.emit(Type::GROUPED_CONV_2D, inputs, product.form(),
                                    {1, rows, 1, batches * columns});
    const Value result =
            transpose(emitter, reshape(emitter, sums, {rows, batches, columns}), kRowsFirst);
    return convert(emitter, result, form);
}

}  // namespace

Value batchMatmul(Emitter& emitter, const Value& a, const Value& b, bool transposeA,
                  bool transposeB, const Form& form) {
    if (a.rank() < 2 || b.rank() < 2 || a.count() == 0 || b.count() == 0) {
        throw Refusal(fmt::format("multiplies {} and {}, expected matrices",
                                  describeDimensions(a.dims), describeDimensions(b.dims)));
    }
    const Value left = transposeA ? swapLast(emitter, a) : a;
    const Value right = transposeB ? b : swapLast(emitter, b);  // columns x depth
    const std::uint32_t depth = left.dims.back();
    const std::uint32_t rows = left.dims[left.rank() - 2], columns = right.dims[right.rank() - 2];
    if (depth != right.dims.back()) {
        throw Refusal(fmt::format("multiplies {} and {}, whose inner dimensions differ",
                                  describeDimensions(a.dims), describeDimensions(b.dims)));
    }
    Dims dims = broadcastDims({left.dims.begin(), left.dims.end() - 2},
                              {right.dims.begin(), right.dims.end() - 2});
    const std::uint64_t batches = elementCount(dims);
    const auto withBatches = [&](const Value& value) {
        Dims full = dims;
        full.insert(full.end(), value.dims.end() - 2, value.dims.end());
        return broadcastTo(emitter, value, full);
    };
    Value result;
    if (right.count() == std::uint64_t{columns} * depth) {
        // One matrix for all rows.
        const Value matrix = reshape(emitter, right, {columns, depth});
        const auto all = static_cast<std::uint32_t>(left.count() / depth);
        result = fullyConnected(emitter, reshape(emitter, left, {all, depth}), matrix, std::nullopt,
                                Clamp::kNone, form);
        dims = broadcastDims({left.dims.begin(), left.dims.end() - 2}, dims);
    } else {
        const auto count = static_cast<std::uint32_t>(batches);
        result = groupedProducts(emitter, reshape(emitter, withBatches(left), {count, rows, depth}),
                                 reshape(emitter, withBatches(right), {count, columns, depth}),
                                 form);
    }
    dims.push_back(rows);
    dims.push_back(columns);
    return reshape(emitter, result, dims);
}

}  // namespace vnpu::sim::graph
