// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vnpu::sim {

/// The type of an input's or output's elements in the user's files, if it differs from the
/// operand's.
enum class FileType {
    kAsOperand,
    kFloat16,
    kFloat64,
    kInt16,
    kUint16,
    kInt64,
    kQuantized16  // int16 with a scale; the operand holds the real values
};

/// An input or output of a network.
struct TensorDescription {
    std::string name;
    android::hardware::neuralnetworks::V1_3::OperandType type{};
    std::vector<std::uint32_t> dimensions;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    std::uint64_t sizeBytes = 0;  // of the operand
    FileType fileType = FileType::kAsOperand;
    float fileScale = 0.0F;  // of kQuantized16
};

/// A state between executions: an output of a network that is an input of its next execution.
struct NetworkState {
    std::uint32_t output = 0;
    std::uint32_t input = 0;
    std::vector<std::byte> initial{};  // the first value; empty: real zeros
};

/// A network ready for IDevice::prepareModel_1_3, from a file or a builder.
struct Network {
    std::string name;
    android::hardware::neuralnetworks::V1_3::Model model;
    std::vector<TensorDescription> inputs;
    std::vector<TensorDescription> outputs;
    std::vector<NetworkState> states;         // their tensors follow the other inputs and outputs
    std::vector<std::string> operationNames;  // one per operation of model.main, for reports
                                              // ("conv1", "" if unnamed)
    std::uint64_t macs = 0;                   // multiply-accumulates of one inference
};

struct NetworkOptions {
    std::uint64_t seed = 1;  // of a zoo network's weights
    bool exposeIntermediates =
            false;  // every operation's output becomes a model output too, in operation order
    bool zeroWeights = false;          // zoo: leave the weights zero (timing-only runs)
    double weightBits = kUniformBits;  // zoo: entropy of the 8-bit weights
    std::uint32_t batch = 1;           // zoo: inputs of one inference
    std::uint32_t steps = 30;          // zoo networks over a sequence; a name with :N sets it
    // Files: shapes of inputs by name, which replace those of the file.
    std::map<std::string, std::vector<std::uint32_t>> shapes = {};
    std::string until = {};      // files: the tensor that becomes the only output
    std::string signature = {};  // files: the key of the signature to import

    static constexpr double kUniformBits = 8.0;  // of values that are all as likely
};

}  // namespace vnpu::sim
