// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/tensor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/models/operand_types.h"

namespace vnpu::sim {

namespace {

template <typename T>
void appendValues(std::span<const std::byte> bytes, double scale, std::int32_t zeroPoint,
                  std::vector<double>& values) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        T element;
        std::memcpy(&element, bytes.data() + at, sizeof(T));
        values.push_back((static_cast<double>(element) - zeroPoint) * scale);
    }
}

}  // namespace

std::vector<double> realValues(const TensorDescription& tensor, std::span<const std::byte> bytes) {
    using Type = nn::OperandType;
    std::vector<double> values;
    switch (tensor.type) {
        case Type::TENSOR_FLOAT32:
            appendValues<float>(bytes, 1.0, 0, values);
            break;
        case Type::TENSOR_INT32:
            appendValues<std::int32_t>(bytes, 1.0, 0, values);
            break;
        case Type::TENSOR_QUANT8_ASYMM_SIGNED:
            appendValues<std::int8_t>(bytes, tensor.scale, tensor.zeroPoint, values);
            break;
        case Type::TENSOR_QUANT8_ASYMM:
            appendValues<std::uint8_t>(bytes, tensor.scale, tensor.zeroPoint, values);
            break;
        default:
            appendValues<std::uint8_t>(bytes, 1.0, 0, values);
            break;
    }
    return values;
}

std::vector<RankedClass> topClasses(std::span<const double> values, std::size_t count) {
    std::vector<RankedClass> ranking;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ranking.push_back({i, values[i]});
    }
    const auto key = [](const RankedClass& entry) {
        return std::isnan(entry.value) ? -std::numeric_limits<double>::infinity() : entry.value;
    };
    std::stable_sort(ranking.begin(), ranking.end(),
                     [&](const RankedClass& a, const RankedClass& b) { return key(a) > key(b); });
    ranking.resize(std::min(count, ranking.size()));
    return ranking;
}

ValueSummary summarize(std::span<const double> values) {
    ValueSummary summary;
    std::size_t finite = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            ++summary.notFinite;
            continue;
        }
        summary.least = finite == 0 ? value : std::min(summary.least, value);
        summary.greatest = finite == 0 ? value : std::max(summary.greatest, value);
        summary.mean += value;
        ++finite;
    }
    summary.mean /= static_cast<double>(std::max<std::size_t>(finite, 1));
    return summary;
}

bool isClassification(const Network& network, std::size_t index) {
    const auto& dimensions = network.outputs[index].dimensions;
    if (dimensions.empty() || dimensions.back() < 2 ||
        elementCount(dimensions) != dimensions.back()) {
        return false;
    }
    const nn::Subgraph& graph = network.model.main;
    std::uint32_t operand = graph.outputIndexes[index];
    for (std::size_t i = graph.operations.size(); i-- > 0;) {  // in execution order
        const nn::Operation& operation = graph.operations[i];
        if (!operation.outputs.contains(operand)) {
            continue;
        }
        if (operation.type != nn::OperationType::RESHAPE) {
            return operation.type == nn::OperationType::SOFTMAX;
        }
        operand = operation.inputs[0];
    }
    return false;
}

std::string describeTensor(const TensorDescription& tensor) {
    std::string text =
            fmt::format("{} {}", nameOf(tensor.type), describeDimensions(tensor.dimensions));
    if (isQuant8(tensor.type)) {
        text += fmt::format(", scale {:.6g}, zero point {}", tensor.scale, tensor.zeroPoint);
    }
    return text;
}

nlohmann::ordered_json tensorJson(const TensorDescription& tensor) {
    nlohmann::ordered_json json;
    json["name"] = tensor.name;
    json["type"] = nameOf(tensor.type);
    json["dimensions"] = tensor.dimensions;
    json["bytes"] = tensor.sizeBytes;
    if (isQuant8(tensor.type)) {
        json["scale"] = tensor.scale;
        json["zero_point"] = tensor.zeroPoint;
    }
    return json;
}

std::string withSeparators(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

}  // namespace vnpu::sim
