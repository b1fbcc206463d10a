// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/compiler/operator_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "driver/compiler/compiler.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/stream_interpreter.h"

namespace vnpu::driver::test {
namespace {

namespace kernels = hw::kernels;

class WholeOutput final : public kernels::OutputMemory {
  public:
    std::byte* place(std::size_t /*index*/, const hw::Dimensions& dimensions,
                     std::uint64_t sizeBytes) override {
        shape.assign(dimensions.begin(), dimensions.end());
        bytes.resize(sizeBytes);
        return bytes.data();
    }

    Dimensions shape;
    Bytes bytes;
};

kernels::Tensor wholeTensor(const TensorSpec& spec, Bytes& data) {
    kernels::Tensor tensor;
    tensor.type = static_cast<hw::TensorType>(spec.type);
    tensor.dimensions = hw::Dimensions(std::span<const std::uint32_t>(spec.dimensions));
    tensor.scale = spec.scale;
    tensor.zeroPoint = spec.zeroPoint;
    tensor.channelScales = spec.channelScales;
    tensor.channelDimension = spec.channelDimension;
    tensor.data = data.data();
    return tensor;
}

/// Empty, or the kernel's reason for a refusal.
std::string runWhole(OperatorCase c, WholeOutput& output) {
    std::vector<kernels::Tensor> inputs;
    for (CaseOperand& operand : c.inputs) {
        inputs.push_back(wholeTensor(operand.spec, operand.data));
    }
    Bytes none;
    const std::vector<kernels::Tensor> outputs{wholeTensor(c.output, none)};
    kernels::OperatorCall call(inputs, outputs, output);
    const auto op = static_cast<hw::Operator>(c.operation);
    return kernels::runOperator(op, call) == hw::JobStatus::kOk ? "" : call.reason();
}

ModelBuilder modelOf(const OperatorCase& c, const Dimensions& outputDimensions) {
    ModelBuilder builder;
    std::vector<std::uint32_t> operands;
    for (const CaseOperand& operand : c.inputs) {
        operands.push_back(operand.isConstant ? builder.constant(operand.spec, operand.data)
                                              : builder.input(operand.spec));
    }
    TensorSpec spec = c.output;
    spec.dimensions = outputDimensions;
    builder.operation(c.operation, operands, builder.output(spec));
    return builder;
}

bool isQuantized(OperandType type) {
    return type == OperandType::TENSOR_QUANT8_ASYMM ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

}  // namespace

CaseOperand scalar(std::int32_t value) {
    return {{OperandType::INT32, {}}, bytesOf(std::vector<std::int32_t>{value}), true};
}

CaseOperand scalar(bool value) {
    return {{OperandType::BOOL, {}}, Bytes{static_cast<std::byte>(value ? 1 : 0)}, true};
}

CaseOperand realScalar(OperandType tensorType, float value) {
    if (tensorType != OperandType::TENSOR_FLOAT16) {
        return {{OperandType::FLOAT32, {}}, bytesOf(std::vector<float>{value}), true};
    }
    constexpr int kBias = 15;
    const auto bits =
            static_cast<std::uint16_t>(value == 0.0F ? 0 : (std::ilogb(value) + kBias) << 10);
    return {{OperandType::FLOAT16, {}}, bytesOf(std::vector<std::uint16_t>{bits}), true};
}

CaseOperand axisList(const std::vector<std::int32_t>& axes) {
    const auto count = static_cast<std::uint32_t>(axes.size());
    return {{OperandType::TENSOR_INT32, {count}}, bytesOf(axes), true};
}

CaseOperand randomTensor(Dice& dice, OperandType type, const Dimensions& dimensions) {
    CaseOperand operand{{type, dimensions}, {}, false};
    const std::uint64_t elements = elementsOf(dimensions);
    if (isQuantized(type)) {
        operand.spec.scale = static_cast<float>(dice.pick(1, 64)) / 512.0F;
        operand.spec.zeroPoint = dice.pick(0, 100);
    }
    if (type == OperandType::TENSOR_FLOAT16) {
        std::vector<std::uint16_t> halves(elements);
        for (std::uint16_t& half : halves) {  // 2^-3 to 2^3, of either sign
            half = static_cast<std::uint16_t>(dice.pick(0, 1) << 15 | dice.pick(12, 17) << 10 |
                                              dice.pick(0, 1023));
        }
        operand.data = bytesOf(halves);
    } else if (type == OperandType::TENSOR_BOOL8) {
        for (std::uint64_t i = 0; i < elements; ++i) {
            operand.data.push_back(static_cast<std::byte>(dice.pick(0, 1)));
        }
    } else {
        operand.data = dice.data(type, elements);
    }
    return operand;
}

std::optional<CompiledModel> compileCase(const OperatorCase& c, const Dimensions& outputDimensions,
                                         const DeviceInfo& device) {
    auto compiled = compile(modelOf(c, outputDimensions).build(), {}, device);
    return compiled ? std::optional(std::move(*compiled)) : std::nullopt;
}

std::string checkTiles(const OperatorCase& c, const DeviceInfo& device) {
    WholeOutput expected;
    if (std::string why = runWhole(c, expected); !why.empty()) {
        return why;
    }
    const auto compiled = compileCase(c, expected.shape, device);
    if (!compiled) {
        return "does not compile";
    }
    if (countCommands(*compiled, hw::Opcode::kVecOperator) == 0 ||
        countCommands(*compiled, hw::Opcode::kDspOperator) != 0) {
        return "is not made of tiles";
    }
    std::vector<Bytes> inputs;
    for (const CaseOperand& operand : c.inputs) {
        if (!operand.isConstant) {
            inputs.push_back(operand.data);
        }
    }
    for (std::uint32_t seed = 1; seed <= 2; ++seed) {
        const InterpretedRun run = interpret(*compiled, device, {}, inputs, seed);
        if (!run.error.empty()) {
            return run.error;
        }
        const Bytes& have = run.outputs[0];
        const auto [at, want] = std::mismatch(have.begin(), have.end(), expected.bytes.begin(),
                                              expected.bytes.end());
        if (at != have.end() || want != expected.bytes.end()) {
            return fmt::format("seed {}: byte {} of {} differs", seed, at - have.begin(),
                               expected.bytes.size());
        }
    }
    return "";
}

std::string checkTiles(const OperatorCase& c) {
    for (const DeviceInfo& device : {edgeDevice(), tinyDevice(4096, 256)}) {
        if (const std::string problem = checkTiles(c, device); !problem.empty()) {
            return fmt::format("{} in SRAM of {}: {}", toString(c.operation), device.sramBytes,
                               problem);
        }
    }
    return "";
}

}  // namespace vnpu::driver::test
