// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driver/validation/hal_version.h"
#include "tests/driver/validation/valid_models.h"

namespace vnpu::driver::test {

/// Calls of one operation that NNAPI documents, one for each of `types`, independent of the
/// driver's tables. `types` is a row like "f32@1.0 q8s@1.3": each is a type of T and the HAL
/// version from which on the call is valid. `inputs` and `outputs` are in the notation of
/// hw_model/regs/operand_notation.h; a scale that they do not have is 0.5, a zero point 0.
///   f32 f16 i32 b8   floats, integers, booleans     q8 q8s   8 bits, asymmetric: unsigned, signed
///   q8y q16y   symmetric     q16a   16 bits, asymmetric     pc0   per-channel
struct ExampleCall {
    OperationType operation;
    const char* types;
    const char* inputs;
    const char* outputs;
};

// Rows of types that many operations have.
inline constexpr const char* kUsual = "f32@1.0 f16@1.2 q8@1.0 q8s@1.3";
inline constexpr const char* kUsualIn11 = "f32@1.1 f16@1.2 q8@1.1 q8s@1.3";
inline constexpr const char* kUsualIn12 = "f32@1.2 f16@1.2 q8@1.2 q8s@1.3";
inline constexpr const char* kArraysIn12 = "f32@1.2 f16@1.2 i32@1.2 q8@1.2 q8s@1.3";
inline constexpr const char* kFloats = "f32@1.0 f16@1.2";
inline constexpr const char* kFloatsIn12 = "f32@1.2 f16@1.2";
inline constexpr const char* kQuantIn12 = "q8@1.2 q8s@1.3";

std::span<const ExampleCall> exampleCalls();
std::span<const ExampleCall> exampleLayerCalls();

/// One example as a model of one operation: tensors are inputs, scalars are constants.
struct ExampleModel {
    std::string name;
    HalVersion since;
    Model model;
};

/// All examples with all their types, without control flow.
std::vector<ExampleModel> exampleModels();

/// An IF whose branches add and multiply, and a WHILE that adds until a comparison fails.
Model branchModel(OperandType type);
Model loopModel();

}  // namespace vnpu::driver::test
