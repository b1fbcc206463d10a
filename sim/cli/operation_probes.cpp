// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operation_probes.h"

#include <array>
#include <utility>
#include <vector>

#include "hw_model/regs/check.h"
#include "sim/models/model_builder.h"

namespace vnpu::sim {

namespace {

using Index = ModelBuilder::Index;
using Type = nn::OperationType;
using Dimensions = std::vector<std::uint32_t>;

constexpr float kScale = 0.5F;
constexpr std::uint32_t kChannels = 8;
const Dimensions kPicture = {1, 4, 4, kChannels};

enum class Kind { kUnary, kArithmetic, kBinary, kOther };

struct Operation {
    Type type{};
    Kind kind = Kind::kOther;
    bool isFloatOnly = false;  // in NNAPI 1.3
};

// source: NNAPI 1.3, operand types of each operation
constexpr std::array kOperations = {
        Operation{Type::ABS, Kind::kUnary, true},
        Operation{Type::ADD, Kind::kArithmetic},
        Operation{Type::AVERAGE_POOL_2D},
        Operation{Type::CONCATENATION},
        Operation{Type::CONV_2D},
        Operation{Type::DEPTHWISE_CONV_2D},
        Operation{Type::DEQUANTIZE},
        Operation{Type::DIV, Kind::kArithmetic, true},
        Operation{Type::EXP, Kind::kUnary, true},
        Operation{Type::FLOOR, Kind::kUnary, true},
        Operation{Type::FULLY_CONNECTED},
        Operation{Type::HARD_SWISH, Kind::kUnary},
        Operation{Type::LOG, Kind::kUnary, true},
        Operation{Type::LOGISTIC, Kind::kUnary},
        Operation{Type::MAXIMUM, Kind::kBinary},
        Operation{Type::MAX_POOL_2D},
        Operation{Type::MEAN},
        Operation{Type::MINIMUM, Kind::kBinary},
        Operation{Type::MUL, Kind::kArithmetic},
        Operation{Type::NEG, Kind::kUnary, true},
        Operation{Type::PAD},
        Operation{Type::PRELU, Kind::kBinary},
        Operation{Type::QUANTIZE},
        Operation{Type::RELU, Kind::kUnary},
        Operation{Type::RELU1, Kind::kUnary},
        Operation{Type::RELU6, Kind::kUnary},
        Operation{Type::RESHAPE},
        Operation{Type::RSQRT, Kind::kUnary, true},
        Operation{Type::SIN, Kind::kUnary, true},
        Operation{Type::SOFTMAX},
        Operation{Type::SQRT, Kind::kUnary, true},
        Operation{Type::SUB, Kind::kArithmetic},
        Operation{Type::TANH, Kind::kUnary},
        Operation{Type::TRANSPOSE},
};

constexpr auto kTypes = [] {
    std::array<Type, kOperations.size()> types{};
    for (std::size_t i = 0; i < types.size(); ++i) {
        types[i] = kOperations[i].type;
    }
    return types;
}();

/// Makes one probe.
class Probe {
  public:
    Probe(const Operation& operation, ProbeType type)
        : operation_(operation), type_(type), builder_(sim::nameOf(operation.type)) {}

    Network make() {
        const auto [inputs, output] = arguments();
        builder_.addOperation(operation_.type, inputs, output);
        builder_.markOutput(output);
        return builder_.build();
    }

  private:
    using Arguments = std::pair<std::vector<Index>, Index>;

    OperandSpec spec(const Dimensions& dimensions, float scale = kScale) const {
        OperandSpec result{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = dimensions};
        if (type_ != ProbeType::kFloat32) {
            result.type = type_ == ProbeType::kUint8 ? nn::OperandType::TENSOR_QUANT8_ASYMM
                                                     : nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
            result.scale = scale;
            result.zeroPoint = type_ == ProbeType::kUint8 ? 128 : 0;
        }
        return result;
    }
    Index input(const Dimensions& dimensions = kPicture) {
        return builder_.addInput(spec(dimensions));
    }
    Index output(const Dimensions& dimensions = kPicture) {
        return builder_.addTemporary(spec(dimensions));
    }

    /// An output whose quantisation NNAPI prescribes.
    Index fixedOutput(const Dimensions& dimensions, float scale, std::int32_t zeroPoint) {
        OperandSpec result = spec(dimensions, scale);
        if (type_ != ProbeType::kFloat32) {
            result.zeroPoint = zeroPoint + (type_ == ProbeType::kUint8 ? 128 : 0);
        }
        return builder_.addTemporary(result);
    }

    std::vector<Index> withWeights(Index data, const Dimensions& dimensions,
                                   std::uint32_t channelDimension) {
        OperandSpec weights = spec(dimensions);
        OperandSpec bias{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {kChannels}};
        if (type_ != ProbeType::kFloat32) {
            bias.type = nn::OperandType::TENSOR_INT32;
            bias.scale = kScale * kScale;
        }
        if (type_ == ProbeType::kInt8PerChannel) {
            weights = {.type = nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                       .dimensions = dimensions,
                       .channelScales = std::vector<float>(kChannels, kScale),
                       .channelDimension = channelDimension};
            bias.scale = 0.0F;
        }
        return {data, builder_.addZeroConstant(weights), builder_.addZeroConstant(bias)};
    }

    void append(std::vector<Index>& inputs, std::initializer_list<std::int32_t> values) {
        for (const std::int32_t value : values) {
            inputs.push_back(builder_.addInt32(value));
        }
    }

    Arguments arguments() {
        switch (operation_.kind) {
            case Kind::kUnary:
                return unary();
            case Kind::kArithmetic:
                return {{input(), input(), builder_.addInt32(0)}, output()};
            case Kind::kBinary:
                return {{input(), input()}, output()};
            case Kind::kOther:
                return other();
        }
        return {};
    }

    Arguments unary() {
        const std::vector<Index> inputs = {input()};
        switch (operation_.type) {
            case Type::LOGISTIC:  // source: NNAPI, scale and zero point of the result
                return {inputs, fixedOutput(kPicture, 1.0F / 256.0F, -128)};
            case Type::TANH:
                return {inputs, fixedOutput(kPicture, 1.0F / 128.0F, 0)};
            default:
                return {inputs, output()};
        }
    }

    Arguments other() {
        constexpr std::int32_t kSame = 1;  // source: NDK, PaddingCode
        std::vector<Index> inputs;
        switch (operation_.type) {
            case Type::AVERAGE_POOL_2D:
            case Type::MAX_POOL_2D:
                inputs = {input()};
                append(inputs, {kSame, 1, 1, 2, 2, 0});
                return {inputs, output()};
            case Type::CONV_2D:
                inputs = withWeights(input(), {kChannels, 3, 3, kChannels}, 0);
                append(inputs, {kSame, 1, 1, 0});
                return {inputs, output()};
            case Type::DEPTHWISE_CONV_2D:
                inputs = withWeights(input(), {1, 3, 3, kChannels}, 3);
                append(inputs, {kSame, 1, 1, 1, 0});
                return {inputs, output()};
            case Type::FULLY_CONNECTED:
                inputs = withWeights(input({1, 16}), {kChannels, 16}, 0);
                append(inputs, {0});
                return {inputs, output({1, kChannels})};
            case Type::CONCATENATION:
                inputs = {input(), input()};
                append(inputs, {3});
                return {inputs, output({1, 4, 4, 2 * kChannels})};
            default:
                return rearranging();
        }
    }

    Arguments rearranging() {
        const OperandSpec real{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = kPicture};
        switch (operation_.type) {
            case Type::DEQUANTIZE:
                return {{input()}, builder_.addTemporary(real)};
            case Type::QUANTIZE:
                return {{builder_.addInput(real)}, output()};
            case Type::MEAN:
                return {{input(), builder_.addInt32Tensor({1, 2}), builder_.addInt32(0)},
                        output({1, kChannels})};
            case Type::PAD:
                return {{input(), builder_.addInt32Tensor({0, 0, 1, 1, 1, 1, 0, 0}, {4, 2})},
                        output({1, 6, 6, kChannels})};
            case Type::RESHAPE:
                return {{input(), builder_.addInt32Tensor({1, 128})}, output({1, 128})};
            case Type::SOFTMAX:
                return {{input({1, 16}), builder_.addFloat32(1.0F)},
                        fixedOutput({1, 16}, 1.0F / 256.0F, -128)};
            case Type::TRANSPOSE:
                return {{input(), builder_.addInt32Tensor({0, 3, 1, 2})},
                        output({1, kChannels, 4, 4})};
            default:
                VNPU_CHECK(false, "every listed operation has a probe");
                return {};
        }
    }

    const Operation& operation_;
    ProbeType type_;
    ModelBuilder builder_;
};

bool exists(const Operation& operation, ProbeType type) {
    switch (type) {
        case ProbeType::kFloat32:
            return operation.type != Type::DEQUANTIZE && operation.type != Type::QUANTIZE;
        case ProbeType::kInt8PerChannel:
            return operation.type == Type::CONV_2D || operation.type == Type::DEPTHWISE_CONV_2D;
        default:
            return !operation.isFloatOnly;
    }
}

}  // namespace

std::string_view nameOf(ProbeType type) {
    switch (type) {
        case ProbeType::kFloat32:
            return "float32";
        case ProbeType::kUint8:
            return "uint8";
        case ProbeType::kInt8:
            return "int8";
        case ProbeType::kInt8PerChannel:
            return "int8 per channel";
    }
    return "?";
}

std::span<const nn::OperationType> probedOperations() {
    return kTypes;
}

std::optional<Network> makeProbe(nn::OperationType operation, ProbeType type) {
    for (const Operation& candidate : kOperations) {
        if (candidate.type == operation && exists(candidate, type)) {
            return Probe(candidate, type).make();
        }
    }
    return std::nullopt;
}

}  // namespace vnpu::sim
