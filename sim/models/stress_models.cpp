// SPDX-License-Identifier: Apache-2.0
#include "sim/models/stress_models.h"

#include <algorithm>
#include <cstring>

#include "sim/base/random.h"
#include "sim/models/model_builder.h"

namespace vnpu::sim {

namespace {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

constexpr int kZeroPoint = 128;  // of the quant8 model

float floatAt(View bytes, std::size_t index) {
    float value = 0.0F;
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return value;
}

template <typename F>
Bytes eachFloat(std::size_t sizeBytes, F&& valueOf) {
    Bytes bytes(sizeBytes);
    for (std::size_t i = 0; i < sizeBytes / sizeof(float); ++i) {
        const float value = valueOf(i);
        std::memcpy(bytes.data() + i * sizeof(value), &value, sizeof(value));
    }
    return bytes;
}

Bytes floatRelu(View a, View /*b*/) {
    return eachFloat(a.size(), [a](std::size_t i) { return std::max(floatAt(a, i), 0.0F); });
}

Bytes floatAdd(View a, View b) {
    return eachFloat(a.size(), [a, b](std::size_t i) { return floatAt(a, i) + floatAt(b, i); });
}

Bytes quantRelu(View a, View /*b*/) {
    Bytes bytes(a.begin(), a.end());
    for (std::byte& value : bytes) {
        value = static_cast<std::byte>(std::max(std::to_integer<int>(value), kZeroPoint));
    }
    return bytes;
}

Network build(const char* name, const OperandSpec& spec, nn::OperationType type) {
    ModelBuilder builder(name);
    std::vector<ModelBuilder::Index> inputs{builder.addInput(spec, "a")};
    if (type == nn::OperationType::ADD) {
        inputs.push_back(builder.addInput(spec, "b"));
        inputs.push_back(builder.addInt32(0));  // no activation
    }
    const auto output = builder.addTemporary(spec, "out");
    builder.addOperation(type, inputs, output);
    builder.markOutput(output);
    return builder.build();
}

StressModel makeModel(const char* name, const OperandSpec& spec, nn::OperationType type,
                      Bytes (*expected)(View, View)) {
    return {build(name, spec, type), static_cast<std::uint32_t>(spec.sizeBytes()), expected};
}

}  // namespace

std::vector<StressModel> makeStressModels() {
    const OperandSpec small{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {1, 48}};
    const OperandSpec large{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {1, 32, 32, 1}};
    const OperandSpec quant{.type = nn::OperandType::TENSOR_QUANT8_ASYMM,
                            .dimensions = {1, 16, 16, 3},
                            .scale = 0.5F,
                            .zeroPoint = kZeroPoint};
    std::vector<StressModel> models;
    models.push_back(makeModel("relu", small, nn::OperationType::RELU, floatRelu));
    models.push_back(makeModel("add", large, nn::OperationType::ADD, floatAdd));
    models.push_back(makeModel("quant_relu", quant, nn::OperationType::RELU, quantRelu));
    return models;
}

Network makeGatherNetwork() {
    constexpr std::uint32_t kRows = 16;
    const OperandSpec spec{.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = {kRows, 16}};
    std::vector<std::int32_t> rows;
    for (std::uint32_t i = 0; i < kRows; ++i) {
        rows.push_back(static_cast<std::int32_t>((i + 5) % kRows));
    }
    ModelBuilder builder("gather");
    const auto input = builder.addInput(spec, "a");
    const auto axis = builder.addInt32(0);
    const auto indices = builder.addInt32Tensor(rows);
    const auto output = builder.addTemporary(spec, "out");
    builder.addOperation(nn::OperationType::GATHER, {input, axis, indices}, output);
    builder.markOutput(output);
    return builder.build();
}

std::vector<std::byte> stressInput(const StressModel& model, std::uint64_t seed) {
    Random random(seed);
    if (model.network.inputs[0].type == nn::OperandType::TENSOR_FLOAT32) {
        return eachFloat(model.sizeBytes, [&random](std::size_t) {
            return static_cast<float>(static_cast<int>(random.next() % 2001) - 1000);
        });
    }
    Bytes bytes(model.sizeBytes);
    for (std::byte& value : bytes) {
        value = static_cast<std::byte>(random.next() & 0xFF);
    }
    return bytes;
}

}  // namespace vnpu::sim
