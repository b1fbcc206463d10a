// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "hw_model/regs/command_stream.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {

/// An operand of an operation: a model input, or a constant.
struct CaseOperand {
    TensorSpec spec;
    Bytes data;
    bool isConstant = false;
};

CaseOperand scalar(std::int32_t value);
CaseOperand scalar(bool value);
/// A float32, or with TENSOR_FLOAT16 a half: 0 or a power of two from 2^-14 on.
CaseOperand realScalar(OperandType tensorType, float value);
CaseOperand axisList(const std::vector<std::int32_t>& axes);

/// One operation; the output's dimensions are what its kernel makes of the whole operands.
struct OperatorCase {
    OperationType operation = OperationType::ADD;
    std::vector<CaseOperand> inputs;
    TensorSpec output;
};

/// A tensor of random elements, with a random scale and zero point where the type has them.
CaseOperand randomTensor(Dice& dice, OperandType type, const Dimensions& dimensions);

/// Compiles for the device, expects commands of the vector unit's operators and none of the DSP,
/// and the bytes that the kernel makes of the whole operands. Empty, or what is wrong.
std::string checkTiles(const OperatorCase& c, const DeviceInfo& device);

/// On a device that takes most operands in one tile, and on one that does not.
std::string checkTiles(const OperatorCase& c);

/// The operation as a model of its own; nothing if it does not compile.
std::optional<CompiledModel> compileCase(const OperatorCase& c, const Dimensions& outputDimensions,
                                         const DeviceInfo& device);

}  // namespace vnpu::driver::test
