// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

/// The real values of a tensor's bytes: quantized values times their scale, other values unchanged.
std::vector<double> realValues(const TensorDescription& tensor, std::span<const std::byte> bytes);

struct RankedClass {
    std::size_t index = 0;
    double value = 0.0;
};

/// The `count` largest values in descending order; of equal values the lower index first. NaN last.
std::vector<RankedClass> topClasses(std::span<const double> values, std::size_t count);

struct ValueSummary {
    double least = 0.0, greatest = 0.0, mean = 0.0;
    std::size_t notFinite = 0;  // infinite or NaN; not part of the other figures
};
ValueSummary summarize(std::span<const double> values);

/// Whether output `index` of the model is the result of a SOFTMAX (through RESHAPEs) with one row.
bool isClassification(const Network& network, std::size_t index);

/// "TENSOR_FLOAT32 1x10", with scale and zero point where quantized.
std::string describeTensor(const TensorDescription& tensor);
nlohmann::ordered_json tensorJson(const TensorDescription& tensor);

/// "1,234,567".
std::string withSeparators(std::uint64_t value);

}  // namespace vnpu::sim
