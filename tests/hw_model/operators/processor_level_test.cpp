// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/processor_level.h"

#include <doctest/doctest.h>

#include "hw_model/kernels/mac/mac_backend.h"
#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/hw_model/operators/operator_case.h"

namespace {

using namespace vnpu::test;
using vnpu::hw::Operator;
using vnpu::hw::TensorType;
using vnpu::hw::kernels::ProcessorLevel;

constexpr ProcessorLevel kLevels[] = {ProcessorLevel::kBase, ProcessorLevel::kAvx2,
                                      ProcessorLevel::kAvx512};

/// Restores the processor's own level at the end.
class LevelScope {
  public:
    explicit LevelScope(ProcessorLevel level) { vnpu::hw::kernels::setProcessorLevel(level); }
    ~LevelScope() { vnpu::hw::kernels::setProcessorLevel(ProcessorLevel::kAvx512); }
    LevelScope(const LevelScope&) = delete;
    LevelScope& operator=(const LevelScope&) = delete;
};

std::vector<std::byte> randomBytes(std::uint32_t seed, TensorType type, std::size_t elements) {
    Random random(seed);
    std::vector<std::byte> bytes(elements * vnpu::hw::elementBytes(type));
    if (vnpu::hw::elementBytes(type) > 1) {
        std::vector<double> values(elements);
        for (double& value : values) {
            value = 4.0 * static_cast<double>(random.real());
        }
        return floatBytes(type, values);
    }
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random.between(0, 255));
    }
    return bytes;
}

/// The result of an operator of one or two operands at a level.
std::vector<std::byte> resultAt(ProcessorLevel level, Operator op, TensorType type,
                                std::size_t operands) {
    constexpr std::uint32_t kElements = 1037;  // not a multiple of any vector length
    const LevelScope scope(level);
    const OperandKind kind{type, 0.05F, type == TensorType::kQuant8Asymm ? 120 : 0};
    OperatorCase call(op);
    for (std::size_t i = 0; i < operands; ++i) {
        const auto bytes = randomBytes(static_cast<std::uint32_t>(7 + i), type, kElements);
        call.add(kind, {kElements}, bytes.data(), bytes.size());
    }
    if (operands == 2 && op != Operator::kMaximum) {
        call.int32(0);
    }
    call.output(kind);
    REQUIRE(call.run() == vnpu::hw::JobStatus::kOk);
    return call.values<std::byte>(0);
}

/// The result of a 3 x 3 convolution of two images of 9 x 7 pixels with stride 2 at a level.
std::vector<std::byte> convolvedAt(ProcessorLevel level, Operator op, TensorType type) {
    constexpr std::uint32_t kInputs = 20;
    const bool isDepthwise = op == Operator::kDepthwiseConv2d;
    const bool isGrouped = op == Operator::kGroupedConv2d;
    const std::uint32_t outputs = isDepthwise ? 2 * kInputs : 38;
    const LevelScope scope(level);
    const bool isUnsigned = type == TensorType::kQuant8Asymm;
    const OperandKind kind{type, 0.05F, isUnsigned ? 120 : 0};
    const bool isFloat = vnpu::hw::elementBytes(type) > 1;
    OperatorCase call(op);
    const auto add = [&](std::uint32_t seed, const vnpu::hw::Dimensions& dimensions) {
        const auto bytes = randomBytes(seed, type, dimensions.elements());
        call.add(kind, dimensions, bytes.data(), bytes.size());
    };
    add(1, {2, 9, 7, kInputs});
    add(2, isDepthwise ? vnpu::hw::Dimensions{1, 3, 3, outputs}
                       : vnpu::hw::Dimensions{outputs, 3, 3, isGrouped ? kInputs / 2 : kInputs});
    if (isFloat) {
        add(3, {outputs});
    } else {
        const std::vector<std::int32_t> bias(outputs, 1000);
        call.add({TensorType::kInt32, 0.0025F, 0}, {outputs}, bias.data(),
                 bias.size() * sizeof(std::int32_t));
    }
    for (const std::int32_t argument : {1, 1, 1, 1, 2, 2}) {  // paddings, strides
        call.int32(argument);
    }
    if (isDepthwise || isGrouped) {
        call.int32(2);
    }
    call.int32(0).flag(false);
    call.output({type, 0.7F, isUnsigned ? 100 : 3});
    REQUIRE(call.run() == vnpu::hw::JobStatus::kOk);
    return call.values<std::byte>(0);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/processor_level");

TEST_CASE("element-wise operators give the same bits on every processor level [E-4]") {
    const TensorType types[] = {TensorType::kFloat32, TensorType::kFloat16,
                                TensorType::kQuant8Asymm, TensorType::kQuant8AsymmSigned};
    for (const TensorType type : types) {
        for (const Operator op : {Operator::kAdd, Operator::kMul, Operator::kSub,
                                  Operator::kMaximum, Operator::kTanh, Operator::kLogistic}) {
            const bool isUnary = op == Operator::kTanh || op == Operator::kLogistic;
            if (isUnary && vnpu::hw::elementBytes(type) == 1) {
                continue;  // their outputs have quantizations of their own
            }
            const std::size_t operands = isUnary ? 1 : 2;
            const auto base = resultAt(kLevels[0], op, type, operands);
            for (const ProcessorLevel level : kLevels) {
                CAPTURE(static_cast<int>(level));
                CHECK(resultAt(level, op, type, operands) == base);
            }
        }
    }
}

TEST_CASE("VNPU_KERNELS selects the level, and with it the backend [E-2]") {
    using vnpu::hw::kernels::levelNamed;
    CHECK((levelNamed("eigen") == ProcessorLevel::kBase));
    CHECK((levelNamed("avx2") == ProcessorLevel::kAvx2));
    CHECK((levelNamed("avx512") == ProcessorLevel::kAvx512));
    CHECK(!levelNamed("generic").has_value());
    CHECK(!levelNamed("").has_value());
    for (const auto* backend : vnpu::hw::kernels::supportedBackends()) {
        const LevelScope scope(backend->level);
        CHECK((&vnpu::hw::kernels::macBackend() == backend));
    }
}

TEST_CASE("convolutions give the same bits on every backend [E-2]") {
    for (const TensorType type : {TensorType::kFloat32, TensorType::kFloat16,
                                  TensorType::kQuant8Asymm, TensorType::kQuant8AsymmSigned}) {
        for (const Operator op : {Operator::kConv2d, Operator::kDepthwiseConv2d,
                                  Operator::kGroupedConv2d, Operator::kTransposeConv2d}) {
            const auto base = convolvedAt(ProcessorLevel::kBase, op, type);
            for (const ProcessorLevel level : kLevels) {
                CAPTURE(static_cast<int>(level));
                CAPTURE(static_cast<int>(op));
                CHECK(convolvedAt(level, op, type) == base);
            }
        }
    }
}

TEST_CASE("no level beyond the processor's is used") {
    const ProcessorLevel own = vnpu::hw::kernels::processorLevel();
    const LevelScope scope(ProcessorLevel::kAvx512);
    CHECK(vnpu::hw::kernels::processorLevel() == own);
}

TEST_SUITE_END();
