// SPDX-License-Identifier: Apache-2.0
#include "sim/models/tflite_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "sim/models/tflite_operator_context.h"

namespace vnpu::sim::tflite {

namespace {

using Index = ModelBuilder::Index;
using Type = nn::OperationType;

/// Dimensions of the result of an element-wise operation, or nothing if the operands do not fit.
std::vector<std::uint32_t> broadcast(const std::vector<std::uint32_t>& a,
                                     const std::vector<std::uint32_t>& b) {
    std::vector<std::uint32_t> result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::uint32_t fromA = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::uint32_t fromB = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (fromA != fromB && fromA != 1 && fromB != 1) {
            return {};
        }
        result[result.size() - 1 - i] = std::max(fromA, fromB);
    }
    return result;
}

template <typename Options>
void importElementwise(OperatorContext& context, Type type) {
    context.requireArguments(2, 2);
    context.requireSameType(0);
    context.requireSameType(1);
    context.requireOutput(
            broadcast(context.inputView(0).dimensions, context.inputView(1).dimensions));
    const auto* options = context.optionalOptions<Options>();
    const Index activation = context.addActivation(
            options == nullptr ? FusedActivation::NONE : options->fused_activation());
    context.builder().addOperation(type, {context.read(0), context.read(1), activation},
                                   context.write());
}

void importAdd(OperatorContext& context) {
    importElementwise<schema::AddOptions>(context, Type::ADD);
}

void importMul(OperatorContext& context) {
    importElementwise<schema::MulOptions>(context, Type::MUL);
}

void importUnary(OperatorContext& context, Type type) {
    context.requireArguments(1, 1);
    context.requireSameType(0);
    context.requireOutput(context.inputView(0).dimensions);
    context.builder().addOperation(type, {context.read(0)}, context.write());
}

void importClamp(OperatorContext& context, Type type) {
    context.requireArguments(1, 1);
    context.requireSameQuantization(0);
    importUnary(context, type);
}

void importSoftmax(OperatorContext& context) {
    context.requireArguments(1, 1);
    context.requireSameType(0);
    context.requireOutput(context.inputView(0).dimensions);
    const Index beta =
            context.builder().addFloat32(context.options<schema::SoftmaxOptions>().beta());
    context.builder().addOperation(Type::SOFTMAX, {context.read(0), beta}, context.write());
}

/// RESHAPE, SQUEEZE and EXPAND_DIMS: the file always has the resulting shape.
void importReshape(OperatorContext& context) {
    context.requireArguments(1, 2);
    context.requireSameQuantization(0);
    const OperandSpec output = context.outputSpec();
    if (elementCount(output.dimensions) != elementCount(context.inputView(0).dimensions)) {
        context.fail(fmt::format("output is {}, which has another number of elements than {}",
                                 describeDimensions(output.dimensions),
                                 describeDimensions(context.inputView(0).dimensions)));
    }
    const Index shape =
            context.builder().addInt32Tensor({output.dimensions.begin(), output.dimensions.end()});
    context.builder().addOperation(Type::RESHAPE, {context.read(0), shape}, context.write());
}

/// `axis` counted from the front; fails where it is out of range.
std::uint32_t checkedAxis(OperatorContext& context, std::int32_t axis, std::size_t rank) {
    const auto signedRank = static_cast<std::int64_t>(rank);
    if (axis < -signedRank || axis >= signedRank) {
        context.fail(
                fmt::format("axis is {}, expected {} to {}", axis, -signedRank, signedRank - 1));
    }
    return static_cast<std::uint32_t>(axis < 0 ? axis + signedRank : axis);
}

void importConcatenation(OperatorContext& context) {
    const std::size_t count = context.op().inputs.size();
    context.requireArguments(std::max<std::size_t>(count, 1), std::max<std::size_t>(count, 1));
    const auto& options = context.options<schema::ConcatenationOptions>();
    std::vector<std::uint32_t> dimensions = context.inputView(0).dimensions;
    const std::uint32_t axis = checkedAxis(context, options.axis(), dimensions.size());
    std::vector<Index> inputs;
    for (std::size_t i = 0; i < count; ++i) {
        context.requireSameType(i);
        auto other = context.inputView(i).dimensions;
        const std::uint32_t extent = axis < other.size() ? other[axis] : 0;
        if (axis < other.size()) {
            other[axis] = dimensions[axis];
        }
        if (other != dimensions || dimensions[axis] > std::numeric_limits<std::int32_t>::max()) {
            context.fail(fmt::format("input {} is {}, which does not fit input 0 along axis {}", i,
                                     describeDimensions(context.inputView(i).dimensions), axis));
        }
        if (i > 0) {
            dimensions[axis] += extent;
        }
        inputs.push_back(context.read(i));
    }
    context.requireOutput(dimensions);
    ModelBuilder& builder = context.builder();
    inputs.push_back(builder.addInt32(static_cast<std::int32_t>(axis)));
    constexpr std::array kClamps = {Type::RELU, Type::RELU1, Type::RELU6};
    const auto activation = static_cast<std::size_t>(options.fused_activation());
    if (activation == 0) {
        builder.addOperation(Type::CONCATENATION, std::move(inputs), context.write());
        return;
    }
    if (activation > kClamps.size()) {
        context.fail(
                fmt::format("fused activation is {}, expected NONE, RELU, RELU_N1_TO_1 or "
                            "RELU6",
                            activation));
    }
    const Index joined = builder.addTemporary(context.outputSpec(), context.outputView().name);
    builder.addOperation(Type::CONCATENATION, std::move(inputs), joined);
    builder.addOperation(kClamps[activation - 1], {joined}, context.write());
}

void importPad(OperatorContext& context) {
    context.requireArguments(2, 2);
    context.requireSameQuantization(0);
    std::vector<std::uint32_t> dimensions = context.inputView(0).dimensions;
    const std::vector<std::int32_t> paddings = context.readInts(1);
    if (paddings.size() != 2 * dimensions.size()) {
        context.fail(fmt::format("has {} paddings, expected {}", paddings.size(),
                                 2 * dimensions.size()));
    }
    for (std::size_t i = 0; i < paddings.size(); ++i) {
        const std::uint64_t extent = std::uint64_t{dimensions[i / 2]} +
                                     static_cast<std::uint64_t>(std::max(paddings[i], 0));
        if (paddings[i] < 0 || extent > std::numeric_limits<std::int32_t>::max()) {
            context.fail(
                    fmt::format("padding {} is {}, expected 0 or more, and less than 2^31 in "
                                "all",
                                i, paddings[i]));
        }
        dimensions[i / 2] = static_cast<std::uint32_t>(extent);
    }
    context.requireOutput(dimensions);
    const Index table = context.builder().addInt32Tensor(
            paddings, {static_cast<std::uint32_t>(dimensions.size()), 2});
    context.builder().addOperation(Type::PAD, {context.read(0), table}, context.write());
}

void importMean(OperatorContext& context) {
    context.requireArguments(2, 2);
    context.requireSameQuantization(0);
    const auto* options = context.optionalOptions<schema::ReducerOptions>();
    const bool keepsDimensions = options != nullptr && options->keep_dims();
    const auto& input = context.inputView(0).dimensions;
    std::vector<bool> isReduced(input.size(), false);
    std::vector<std::int32_t> axes;
    for (const std::int32_t value : context.readInts(1)) {
        const std::uint32_t axis = checkedAxis(context, value, input.size());
        if (!isReduced[axis]) {
            axes.push_back(static_cast<std::int32_t>(axis));
        }
        isReduced[axis] = true;
    }
    if (axes.empty()) {
        context.fail("reduces no axis, expected at least 1");
    }
    std::vector<std::uint32_t> dimensions;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (!isReduced[i] || keepsDimensions) {
            dimensions.push_back(isReduced[i] ? 1 : input[i]);
        }
    }
    context.requireOutput(dimensions);
    ModelBuilder& builder = context.builder();
    const Index axisTensor = builder.addInt32Tensor(axes);
    const Index keep = builder.addInt32(keepsDimensions ? 1 : 0);
    builder.addOperation(Type::MEAN, {context.read(0), axisTensor, keep}, context.write());
}

void importDequantize(OperatorContext& context) {
    context.requireArguments(1, 1);
    context.requireOutput(context.inputView(0).dimensions);
    if (!isQuant8(context.inputSpec(0).type) || context.outputView().type != TensorType::FLOAT32) {
        context.fail(fmt::format("turns {} into {}, expected INT8 or UINT8 into FLOAT32",
                                 typeName(context.inputView(0).type),
                                 typeName(context.outputView().type)));
    }
    context.builder().addOperation(Type::DEQUANTIZE, {context.read(0)}, context.write());
}

/// From float as the QUANTIZE of NNAPI; from another quantization through float, because NNAPI has
/// no single operation for it.
void importQuantize(OperatorContext& context) {
    context.requireArguments(1, 1);
    context.requireOutput(context.inputView(0).dimensions);
    const OperandSpec input = context.inputSpec(0);
    if (!isQuant8(context.outputSpec().type) ||
        (!isQuant8(input.type) && input.type != nn::OperandType::TENSOR_FLOAT32)) {
        context.fail(fmt::format(
                "turns {} into {}, expected FLOAT32, INT8 or UINT8 into INT8 or "
                "UINT8",
                typeName(context.inputView(0).type), typeName(context.outputView().type)));
    }
    ModelBuilder& builder = context.builder();
    Index source = context.read(0);
    if (isQuant8(input.type)) {
        const Index real = builder.addTemporary(
                {.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = input.dimensions},
                context.outputView().name);
        builder.addOperation(Type::DEQUANTIZE, {source}, real);
        source = real;
    }
    builder.addOperation(Type::QUANTIZE, {source}, context.write());
}

struct Importer {
    std::string_view name;
    void (*import)(OperatorContext&);
};

constexpr std::array kImporters = {
        Importer{"ADD", importAdd},
        Importer{"AVERAGE_POOL_2D",
                 [](OperatorContext& c) { importPool2d(c, Type::AVERAGE_POOL_2D); }},
        Importer{"CONCATENATION", importConcatenation},
        Importer{"CONV_2D", importConv2d},
        Importer{"DEPTHWISE_CONV_2D", importDepthwiseConv2d},
        Importer{"DEQUANTIZE", importDequantize},
        Importer{"EXPAND_DIMS", importReshape},
        Importer{"FULLY_CONNECTED", importFullyConnected},
        Importer{"LOGISTIC", [](OperatorContext& c) { importUnary(c, Type::LOGISTIC); }},
        Importer{"MAX_POOL_2D", [](OperatorContext& c) { importPool2d(c, Type::MAX_POOL_2D); }},
        Importer{"MEAN", importMean},
        Importer{"MUL", importMul},
        Importer{"PAD", importPad},
        Importer{"QUANTIZE", importQuantize},
        Importer{"RELU", [](OperatorContext& c) { importClamp(c, Type::RELU); }},
        Importer{"RELU_N1_TO_1", [](OperatorContext& c) { importClamp(c, Type::RELU1); }},
        Importer{"RELU6", [](OperatorContext& c) { importClamp(c, Type::RELU6); }},
        Importer{"RESHAPE", importReshape},
        Importer{"SOFTMAX", importSoftmax},
        Importer{"SQUEEZE", importReshape},
};

}  // namespace

void importOperator(const OperatorView& op, TensorMap& tensors) {
    const auto* found = std::find_if(kImporters.begin(), kImporters.end(),
                                     [&](const Importer& i) { return i.name == op.name; });
    if (found == kImporters.end()) {
        tensors.file().fail(fmt::format("operator {}", op.index),
                            fmt::format("is {}, not supported yet", op.name));
    }
    OperatorContext context(op, tensors);
    found->import(context);
}

}  // namespace vnpu::sim::tflite
