// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operand_rules.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/driver/validation/valid_models.h"

using namespace vnpu::driver::test;
using android::hardware::hidl_memory;

TEST_SUITE_BEGIN("driver/validation/operand_rules");

namespace {

/// A model of one addition with an additional, unused operand.
Model withOperand(const Operand& operand) {
    Model model = additionModel();
    model.main.operands = appended(model.main.operands, operand);
    model.operandValues.resize(64);
    return model;
}

Operand noValue(OperandType type, const std::vector<std::uint32_t>& dimensions) {
    Operand operand;
    operand.type = type;
    operand.dimensions = dimensions;
    operand.scale = usualScale(type);
    operand.lifetime = OperandLifeTime::NO_VALUE;
    return operand;
}

Operand copied(OperandType type, const std::vector<std::uint32_t>& dimensions,
               std::uint32_t length) {
    Operand operand = noValue(type, dimensions);
    operand.lifetime = OperandLifeTime::CONSTANT_COPY;
    operand.location = {.poolIndex = 0, .offset = 0, .length = length};
    return operand;
}

Operand perChannel(const std::vector<float>& scales, std::uint32_t channelDim) {
    Operand operand = noValue(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 1, 1, 3});
    nn::V1_2::SymmPerChannelQuantParams quant;
    quant.scales = scales;
    quant.channelDim = channelDim;
    operand.extraParams.channelQuant(quant);
    return operand;
}

}  // namespace

TEST_CASE("the models that the cases start from are valid [E-8]") {
    checkValid(convolutionModel());
    checkValid(additionModel());
    checkValid(withOperand(noValue(OperandType::TENSOR_FLOAT32, {2})));
    checkValid(withOperand(copied(OperandType::TENSOR_INT32, {2, 2}, 16)));
    checkValid(withOperand(perChannel({0.5F, 0.25F}, 0)));
}

TEST_CASE("operand types outside the ranges are refused [E-8]") {
    for (const std::int32_t type : {-1, 16, 9999, 10002}) {
        Model model = additionModel();
        model.main.operands[kAddLeft].type = static_cast<OperandType>(type);
        checkInvalid(model, "operand 0: type is");
    }
}

TEST_CASE("scalars have no dimensions [E-8]") {
    for (const OperandType type : {OperandType::FLOAT32, OperandType::INT32, OperandType::UINT32,
                                   OperandType::BOOL, OperandType::FLOAT16, OperandType::OEM}) {
        checkInvalid(withOperand(noValue(type, {1})), "is a scalar, but has 1 dimensions");
    }
}

TEST_CASE("a constant tensor has a rank [E-8]") {
    checkInvalid(withOperand(copied(OperandType::TENSOR_FLOAT32, {}, 4)), "unknown rank");
}

TEST_CASE("a tensor that is no constant may leave its rank open [E-8]") {
    Model model = additionModel();
    model.main.operands[kAddLeft].dimensions = {};
    checkValid(model);
}

TEST_CASE("a constant has known dimensions [E-8]") {
    checkInvalid(withOperand(copied(OperandType::TENSOR_FLOAT32, {2, 0}, 8)), "known dimensions");
}

TEST_CASE("types without quantization have scale 0 [E-8]") {
    for (const OperandType type :
         {OperandType::FLOAT32, OperandType::INT32, OperandType::UINT32, OperandType::BOOL,
          OperandType::FLOAT16, OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
          OperandType::TENSOR_BOOL8}) {
        Operand operand = noValue(type, {});
        operand.scale = 1.0F;
        checkInvalid(withOperand(operand), "expected 0");
    }
}

TEST_CASE("the scale of TENSOR_INT32 is not negative [E-8]") {
    Operand operand = noValue(OperandType::TENSOR_INT32, {2});
    operand.scale = -1.0F;
    checkInvalid(withOperand(operand), "expected at least 0");
    operand.scale = 0.25F;
    checkValid(withOperand(operand));
}

TEST_CASE("quantized types have a positive and finite scale [E-8]") {
    for (const OperandType type :
         {OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
          OperandType::TENSOR_QUANT8_SYMM, OperandType::TENSOR_QUANT16_ASYMM,
          OperandType::TENSOR_QUANT16_SYMM}) {
        for (const float scale : {0.0F, -1.0F, std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN()}) {
            Operand operand = noValue(type, {2});
            operand.scale = scale;
            checkInvalid(withOperand(operand), "expected more than 0");
        }
    }
}

TEST_CASE("zero points lie in the range of their type [E-8]") {
    struct Range {
        OperandType type;
        std::int32_t lowest;
        std::int32_t highest;
    };
    for (const Range& range :
         {Range{OperandType::TENSOR_QUANT8_ASYMM, 0, 255},
          Range{OperandType::TENSOR_QUANT8_ASYMM_SIGNED, -128, 127},
          Range{OperandType::TENSOR_QUANT16_ASYMM, 0, 65535},
          Range{OperandType::TENSOR_QUANT8_SYMM, 0, 0},
          Range{OperandType::TENSOR_QUANT16_SYMM, 0, 0}, Range{OperandType::TENSOR_INT32, 0, 0},
          Range{OperandType::TENSOR_FLOAT32, 0, 0}, Range{OperandType::TENSOR_BOOL8, 0, 0}}) {
        CAPTURE(static_cast<int>(range.type));
        Operand operand = noValue(range.type, {2});
        operand.zeroPoint = range.lowest - 1;
        checkInvalid(withOperand(operand), "zero point of");
        operand.zeroPoint = range.highest + 1;
        checkInvalid(withOperand(operand), "zero point of");
        operand.zeroPoint = range.lowest;
        checkValid(withOperand(operand));
        operand.zeroPoint = range.highest;
        checkValid(withOperand(operand));
    }
}

TEST_CASE("a per-channel operand has scales of its channels [E-8]") {
    checkInvalid(withOperand(noValue(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 1, 1, 3})),
                 "without scales");
}

TEST_CASE("the channel dimension is one of the operand's [E-8]") {
    checkInvalid(withOperand(perChannel({0.5F, 0.5F}, 4)), "channel dimension is 4 of a rank of 4");
}

TEST_CASE("there are as many scales as channels [E-8]") {
    checkInvalid(withOperand(perChannel({0.5F}, 0)), "1 scales for 2 channels");
    checkInvalid(withOperand(perChannel({0.5F, 0.5F}, 3)), "2 scales for 3 channels");
}

TEST_CASE("the scale of each channel is positive [E-8]") {
    checkInvalid(withOperand(perChannel({0.5F, 0.0F}, 0)), "scale of channel 1");
}

TEST_CASE("extra parameters are for types that have them [E-8]") {
    Operand operand = noValue(OperandType::TENSOR_FLOAT32, {2});
    operand.extraParams.channelQuant({});
    checkInvalid(withOperand(operand), "extra parameters");
    operand.extraParams.extension({1, 2});
    checkInvalid(withOperand(operand), "extra parameters");
}

TEST_CASE("CONSTANT_COPY lies within operandValues [MP-1]") {
    Operand operand = copied(OperandType::TENSOR_INT32, {2}, 8);
    operand.location.offset = 57;
    checkInvalid(withOperand(operand), "57 to 65 of operandValues with 64 bytes");
}

TEST_CASE("an offset that overflows with the length is not within operandValues [MP-1]") {
    Operand operand = copied(OperandType::TENSOR_INT32, {2}, 8);
    operand.location.offset = 0xFFFFFFFC;
    checkInvalid(withOperand(operand), "of operandValues");
}

TEST_CASE("CONSTANT_COPY names pool 0 [MP-1]") {
    Operand operand = copied(OperandType::TENSOR_INT32, {2}, 8);
    operand.location.poolIndex = 1;
    checkInvalid(withOperand(operand), "names pool 1");
}

TEST_CASE("CONSTANT_REFERENCE names a pool that exists [MP-2]") {
    Model model = convolutionModel();
    model.main.operands[kConvBias].location.poolIndex = 1;
    checkInvalid(model, "names pool 1 of 1");
}

TEST_CASE("CONSTANT_REFERENCE lies within its pool [MP-2]") {
    Model model = convolutionModel();
    model.main.operands[kConvBias].location.offset = 1;
    checkInvalid(model, "of its pool with 12 bytes");
}

TEST_CASE("a constant has exactly the bytes of its type and dimensions [E-8]") {
    checkInvalid(withOperand(copied(OperandType::TENSOR_INT32, {2, 2}, 15)),
                 "has 15 bytes, expected 16");
    checkInvalid(withOperand(copied(OperandType::TENSOR_INT32, {2, 2}, 17)),
                 "has 17 bytes, expected 16");
    checkInvalid(withOperand(copied(OperandType::BOOL, {}, 4)), "has 4 bytes, expected 1");
}

TEST_CASE("dimensions whose product overflows are refused [E-8]") {
    checkInvalid(
            withOperand(copied(OperandType::TENSOR_INT32, {0x10000, 0x10000, 0x10000, 0x10000}, 0)),
            "less than 4 GiB");
}

TEST_CASE("what is no constant has no location [E-8]") {
    for (const auto lifetime :
         {OperandLifeTime::TEMPORARY_VARIABLE, OperandLifeTime::SUBGRAPH_INPUT,
          OperandLifeTime::SUBGRAPH_OUTPUT, OperandLifeTime::NO_VALUE}) {
        Operand operand = noValue(OperandType::TENSOR_FLOAT32, {2});
        operand.lifetime = lifetime;
        for (auto* field :
             {&operand.location.poolIndex, &operand.location.offset, &operand.location.length}) {
            *field = 1;
            checkInvalid(withOperand(operand), "has a location");
            *field = 0;
        }
    }
}

TEST_CASE("a lifetime outside the enumeration is refused [E-8]") {
    Operand operand = noValue(OperandType::TENSOR_FLOAT32, {2});
    operand.lifetime = static_cast<OperandLifeTime>(7);
    checkInvalid(withOperand(operand), "lifetime is 7");
}

TEST_CASE("an extension's type is accepted if its prefix is declared [E-8]") {
    Operand operand = noValue(static_cast<OperandType>(5 << 16 | 3), {2, 2});
    operand.extraParams.extension({1, 2, 3});
    Model model = withOperand(operand);
    checkInvalid(model, "prefix 5");

    model.extensionNameToPrefix = {{.name = "com.example.ops", .prefix = 5}};
    checkValid(model);
}

TEST_CASE("an extension's type is quantized by its extra parameters alone [E-8]") {
    Operand operand = noValue(static_cast<OperandType>(5 << 16 | 3), {2, 2});
    Model model = withOperand(operand);
    model.extensionNameToPrefix = {{.name = "com.example.ops", .prefix = 5}};
    checkValid(model);
    auto& last = model.main.operands[model.main.operands.size() - 1];
    last.scale = 0.5F;
    checkInvalid(model, "type 0x50003 of an extension has scale 0.5 and zero point 0");
    last.scale = 0;
    last.zeroPoint = 3;
    checkInvalid(model, "has scale 0 and zero point 3, expected 0 and 0");
}

TEST_CASE("extension names and prefixes occur once [E-8]") {
    Model model = additionModel();
    model.extensionNameToPrefix = {{.name = "a.b", .prefix = 5}, {.name = "a.c", .prefix = 5}};
    checkInvalid(model, "occurs twice");
    model.extensionNameToPrefix = {{.name = "a.b", .prefix = 5}, {.name = "a.b", .prefix = 6}};
    checkInvalid(model, "occurs twice");
    model.extensionNameToPrefix = {{.name = "", .prefix = 5}};
    checkInvalid(model, "empty");
    model.extensionNameToPrefix = {{.name = "a.b", .prefix = 0}};
    checkInvalid(model, "prefix 0");
}

TEST_CASE("pools are of a kind that exists [MP-4]") {
    Model model = convolutionModel();
    for (const char* name : {"ashmem", "mmap_fd", "hardware_buffer_blob", "hardware_buffer"}) {
        model.pools[0] = hidl_memory(name, nullptr, 12);
        checkValid(model);
    }
    model.pools[0] = hidl_memory("ion", nullptr, 12);
    checkInvalid(model, "pool 0 is a \"ion\"");
}

TEST_SUITE_END();
