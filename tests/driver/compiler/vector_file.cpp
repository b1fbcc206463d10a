// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/compiler/vector_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace vnpu::driver::test {
namespace {

using android::hardware::neuralnetworks::V1_3::Operand;
using android::hardware::neuralnetworks::V1_3::OperandLifeTime;
using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;
using Json = nlohmann::json;

/// The enumerator whose printed name is `name`.
template <typename Enum>
Enum byName(const std::string& name) {
    for (int value = 0; value < 128; ++value) {
        if (toString(static_cast<Enum>(value)) == name) {
            return static_cast<Enum>(value);
        }
    }
    throw std::runtime_error("unknown name " + name);
}

Bytes toBytes(const Json& data) {
    const auto& binary = data.get_binary();
    Bytes bytes(binary.size());
    if (!bytes.empty()) {
        std::memcpy(bytes.data(), binary.data(), bytes.size());
    }
    return bytes;
}

void append(Bytes& pool, const Bytes& value) {
    pool.insert(pool.end(), value.begin(), value.end());
    pool.resize((pool.size() + 3) / 4 * 4);
}

Operand readOperand(const Json& source) {
    Operand operand;
    operand.type = byName<OperandType>(source.at("type"));
    operand.dimensions = source.at("dims").get<std::vector<std::uint32_t>>();
    operand.numberOfConsumers = source.at("consumers");
    operand.scale = source.at("scale");
    operand.zeroPoint = source.at("zero_point");
    operand.lifetime = byName<OperandLifeTime>(source.at("lifetime"));
    if (!source.at("channel_quant").is_null()) {
        android::hardware::neuralnetworks::V1_2::SymmPerChannelQuantParams quant;
        quant.scales = source.at("channel_quant").at("scales").get<std::vector<float>>();
        quant.channelDim = source.at("channel_quant").at("dim");
        operand.extraParams.channelQuant(quant);
    }
    return operand;
}

void place(Operand& operand, Bytes& home, const Bytes& value) {
    operand.location.offset = static_cast<std::uint32_t>(home.size());
    operand.location.length = static_cast<std::uint32_t>(value.size());
    append(home, value);
}

VectorModel readModel(const Json& source) {
    VectorModel vector;
    vector.name = source.at("name");
    vector.expectsFailure = source.at("expect_failure");
    vector.isLoose = source.at("is_relaxed");
    const Json& main = source.at("main");
    std::vector<Operand> operands;
    Bytes values;
    for (const Json& item : main.at("operands")) {
        Operand operand = readOperand(item);
        if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
            place(operand, values, toBytes(item.at("data")));
        } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
            place(operand, vector.pool, toBytes(item.at("data")));
            vector.hasPool = true;
        }
        vector.isLoose = vector.isLoose || operand.type == OperandType::TENSOR_FLOAT16;
        operands.push_back(operand);
    }
    auto& model = vector.model;
    model.main.operands = operands;
    std::vector<android::hardware::neuralnetworks::V1_3::Operation> operations;
    for (const Json& item : main.at("operations")) {
        android::hardware::neuralnetworks::V1_3::Operation operation;
        operation.type = byName<OperationType>(item.at("type"));
        operation.inputs = item.at("inputs").get<std::vector<std::uint32_t>>();
        operation.outputs = item.at("outputs").get<std::vector<std::uint32_t>>();
        operations.push_back(operation);
    }
    model.main.operations = operations;
    model.main.inputIndexes = main.at("inputs").get<std::vector<std::uint32_t>>();
    model.main.outputIndexes = main.at("outputs").get<std::vector<std::uint32_t>>();
    model.operandValues.resize(values.size());
    if (!values.empty()) {
        std::memcpy(model.operandValues.data(), values.data(), values.size());
    }
    for (const std::uint32_t i : model.main.inputIndexes) {
        const Json& data = main.at("operands")[i].at("data");
        vector.hasOmittedInput = vector.hasOmittedInput || data.is_null();
        vector.inputs.push_back(data.is_null() ? Bytes{} : toBytes(data));
    }
    for (const std::uint32_t i : model.main.outputIndexes) {
        const Json& item = main.at("operands")[i];
        const bool isIgnored = item.at("ignored");
        vector.outputs.push_back(isIgnored ? Bytes{} : toBytes(item.at("data")));
        vector.hasEmptyResult =
                vector.hasEmptyResult || (!isIgnored && vector.outputs.back().empty());
    }
    return vector;
}

double elementAt(const Bytes& bytes, std::size_t i, OperandType type) {
    if (type == OperandType::TENSOR_FLOAT32) {
        float value = 0;
        std::memcpy(&value, bytes.data() + 4 * i, 4);
        return static_cast<double>(value);
    }
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    return type == OperandType::TENSOR_QUANT8_ASYMM
                   ? static_cast<double>(byte)
                   : static_cast<double>(static_cast<std::int8_t>(byte));
}

}  // namespace

std::optional<std::filesystem::path> vectorFolder() {
    const char* shared = std::getenv("VNPU_SHARED");
    const std::filesystem::path home =
            shared != nullptr ? std::filesystem::path(shared)
                              : std::filesystem::path(VNPU_SOURCE_DIR) / ".." / "shared";
    const std::filesystem::path folder = home / "nnapi_vectors";
    if (!std::filesystem::is_directory(folder)) {
        return std::nullopt;
    }
    return folder;
}

std::vector<VectorModel> readVectorFile(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(stream)),
                                          std::istreambuf_iterator<char>());
    const Json content = Json::from_cbor(bytes);
    std::vector<VectorModel> models;
    for (const Json& model : content.at("models")) {
        models.push_back(readModel(model));
    }
    return models;
}

VectorModel toSigned(VectorModel vector) {
    const auto flip = [](std::byte* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            bytes[i] ^= std::byte{0x80};
        }
    };
    auto& main = vector.model.main;
    auto* values = reinterpret_cast<std::byte*>(vector.model.operandValues.data());
    for (std::uint32_t o = 0; o < main.operands.size(); ++o) {
        Operand& operand = main.operands[o];
        if (operand.type != OperandType::TENSOR_QUANT8_ASYMM) {
            continue;
        }
        operand.type = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
        operand.zeroPoint -= 128;
        if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
            flip(values + operand.location.offset, operand.location.length);
        } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
            flip(vector.pool.data() + operand.location.offset, operand.location.length);
        }
        for (std::size_t i = 0; i < main.inputIndexes.size(); ++i) {
            if (main.inputIndexes[i] == o) {
                flip(vector.inputs[i].data(), vector.inputs[i].size());
            }
        }
        for (std::size_t i = 0; i < main.outputIndexes.size(); ++i) {
            if (main.outputIndexes[i] == o) {
                flip(vector.outputs[i].data(), vector.outputs[i].size());
            }
        }
    }
    vector.name += "_as_signed";
    return vector;
}

bool hasSignedVariant(const VectorModel& vector) {
    const auto& main = vector.model.main;
    if (main.operations.size() != 1) {
        return false;
    }
    const auto isUnsigned = [&](std::uint32_t o) {
        return main.operands[o].type == OperandType::TENSOR_QUANT8_ASYMM;
    };
    const auto& operation = main.operations[0];
    return std::any_of(operation.inputs.begin(), operation.inputs.end(), isUnsigned) ||
           std::any_of(operation.outputs.begin(), operation.outputs.end(), isUnsigned);
}

std::string compareOutput(const VectorModel& vector, std::size_t index, const Bytes& actual) {
    const Bytes& expected = vector.outputs[index];
    const auto& main = vector.model.main;
    const OperandType type = main.operands[main.outputIndexes[index]].type;
    if (actual.size() != expected.size()) {
        return fmt::format("output {} has {} bytes, expected {}", index, actual.size(),
                           expected.size());
    }
    double absolute = 1.0;
    double relative = 0.0;
    std::size_t elementBytes = 1;
    if (type == OperandType::TENSOR_FLOAT32) {
        elementBytes = 4;
        absolute = vector.isLoose ? 5.0 / 1024 : 1e-5;
        relative = vector.isLoose ? 5.0 / 1024 : 5.0 / (1 << 23);
    }
    for (std::size_t i = 0; i < expected.size() / elementBytes; ++i) {
        const double want = elementAt(expected, i, type);
        const double have = elementAt(actual, i, type);
        if (!(std::abs(have - want) <= absolute + relative * std::abs(want))) {
            return fmt::format("output {} element {} is {}, expected {}", index, i, have, want);
        }
    }
    return "";
}

}  // namespace vnpu::driver::test
