// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/driver/compiler/stream_interpreter.h"

namespace vnpu::driver::test {

/// One NNAPI example model with its inputs and expected outputs (schema: README of the vectors).
struct VectorModel {
    std::string name;
    android::hardware::neuralnetworks::V1_3::Model model;
    Bytes pool;  // CONSTANT_REFERENCE values, pool 0
    bool hasPool = false;
    std::vector<Bytes> inputs;
    std::vector<Bytes> outputs;  // empty where ignored
    bool isLoose = false;        // relaxed, or holds TENSOR_FLOAT16
    bool expectsFailure = false;
    bool hasOmittedInput = false;
    bool hasEmptyResult = false;
};

/// Where the vectors lie: $VNPU_SHARED/nnapi_vectors, or ../shared/nnapi_vectors beside the source;
/// nothing if not there.
std::optional<std::filesystem::path> vectorFolder();

/// The models of one file.
std::vector<VectorModel> readVectorFile(const std::filesystem::path& file);

/// The model with every TENSOR_QUANT8_ASYMM operand signed: 128 less in zero points and stored
/// bytes.
VectorModel toSigned(VectorModel vector);

/// Whether the suites run the signed variant too: one operation with an unsigned 8-bit input or
/// output.
bool hasSignedVariant(const VectorModel& vector);

/// A sentence about the first element of output `index` that is out of the suite's tolerance, or
/// empty.
std::string compareOutput(const VectorModel& vector, std::size_t index, const Bytes& actual);

}  // namespace vnpu::driver::test
