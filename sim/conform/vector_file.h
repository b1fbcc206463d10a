// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/validation/hal_version.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

/// An operand of an example. The page about the vectors describes the fields, and when `data` is
/// present.
struct ExampleOperand {
    nn::OperandType type{};
    std::vector<std::uint32_t> dimensions;
    std::uint32_t consumers = 0;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    nn::OperandLifeTime lifetime{};
    bool isIgnored = false;
    bool isPerChannel = false;
    std::vector<float> channelScales;
    std::uint32_t channelDimension = 0;
    std::optional<std::vector<std::byte>> data;
};

struct ExampleOperation {
    nn::OperationType type{};
    std::vector<std::uint32_t> inputs, outputs;  // in range
};

struct ExampleSubgraph {
    std::vector<ExampleOperand> operands;
    std::vector<ExampleOperation> operations;
    std::vector<std::uint32_t> inputs, outputs;  // in range
};

/// A model with its inputs and expected outputs.
struct Example {
    std::string name;
    driver::HalVersion suite = driver::HalVersion::k13;  // whose tests contain it
    /// The first HAL version with all its types and operations; empty for relaxed models. Later
    /// forms of an operation do not count.
    std::optional<driver::HalVersion> lowestHal;
    bool expectsFailure = false;
    bool isRelaxed = false;
    double multinomialTolerance = 0.0;
    ExampleSubgraph main;
    std::vector<ExampleSubgraph> referenced;
};

struct VectorFile {
    std::string spec;
    driver::HalVersion hal{};
    std::vector<Example> examples;
};

/// Reads a CBOR file of NNAPI examples. Throws InputError "file: place: what is wrong, expected
/// ..." for any violation of the schema: indices, sizes of data and names are checked.
VectorFile readVectorFile(const std::string& path);

/// The same from memory; `path` is the name in messages.
VectorFile parseVectorFile(const std::string& path, std::span<const std::byte> bytes);

}  // namespace vnpu::sim
