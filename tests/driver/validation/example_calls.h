// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driver/validation/hal_version.h"
#include "tests/driver/validation/valid_models.h"

namespace vnpu::driver::test {

/// Calls of one operation that NNAPI documents, one for each of `types`, in words of this table
/// alone. `types` is a row like "f32@1.0 q8s@1.3": a type and the HAL version in which the
/// operation takes it so. `inputs` and `outputs` are rows of operands such as "$[2,3]*0.5+10":
///   f32 f16 i32 b8 q8 q8s q8y q16a q16y   tensors; with dimensions, and scale and zero point if
///   they are not 0.5 and 0 (q8y and q16y are the symmetric types)
///   pc0 pc3   a per-channel tensor with its channels in that dimension
///   i f h b   scalars: INT32, FLOAT32, FLOAT16, BOOL      $   the type       $s   h for f16, else
///   f
///   -         before an operand: it has no value
struct ExampleCall {
    OperationType operation;
    const char* types;
    const char* inputs;
    const char* outputs;
};

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
