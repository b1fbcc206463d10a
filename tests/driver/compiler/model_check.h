// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "hw_model/regs/command_stream.h"
#include "tests/driver/compiler/test_device.h"
#include "tests/driver/support/model_builder.h"
#include "tests/support/quantization.h"
#include "tests/support/reference_ops.h"

namespace vnpu::driver::test {

using vnpu::test::Values;

/// Random numbers of one test; the same for the same seed.
class Dice {
  public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}

    /// least .. most, both included.
    std::int32_t pick(std::int32_t least, std::int32_t most) {
        return least +
               static_cast<std::int32_t>(engine_() % static_cast<std::uint32_t>(most - least + 1));
    }
    std::uint32_t size(std::uint32_t least, std::uint32_t most) {
        return static_cast<std::uint32_t>(
                pick(static_cast<std::int32_t>(least), static_cast<std::int32_t>(most)));
    }
    bool chance(int oneIn) { return pick(1, oneIn) == 1; }

    /// Random bytes for `elements` elements of a type; floats are multiples of 1/16 in -8 .. 8.
    Bytes data(OperandType type, std::uint64_t elements);

  private:
    std::mt19937 engine_;
};

/// The opcodes of a model's commands, in order, the end included.
std::vector<hw::Opcode> opcodesOf(const CompiledModel& model);

/// How many commands of the opcode there are.
std::size_t countCommands(const CompiledModel& model, hw::Opcode opcode);

/// Bytes between memory and chip in one execution of the compiled model, as the driver counts them.
/// The model must compile.
std::uint64_t movedBytes(const ModelBuilder& model, const DeviceInfo& device);

std::uint64_t elementsOf(const Dimensions& dimensions);

/// Stored elements as real numbers: of the 8-bit types the difference to the zero point.
Values centered(const Bytes& bytes, OperandType type, std::int32_t zeroPoint);

/// How results become stored elements: clamped floats, or scaled, shifted by the zero point and
/// clamped.
struct Storing {
    OperandType type = OperandType::TENSOR_FLOAT32;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    int activation = 0;  // FusedActivationFunc
};

/// Stores `values`; for 8-bit types each times `factor` with the fixed-point multiplier's double
/// rounding.
Bytes store(const Values& values, const Storing& storing, double factor);

/// The smallest and largest 8-bit values that the activation lets through.
struct StoredRange {
    std::int32_t least = 0, most = 0;
};
StoredRange storedRange(const Storing& storing);

struct CheckOptions {
    int tolerance = 0;                     // of 8-bit elements
    double relative = 1e-5;                // of floats, beside an absolute 1e-5
    std::vector<DeviceInfo> devices = {};  // empty: the edge device and small ones
};

/// Compiles for several devices, runs each stream in several orders and compares all outputs.
/// Empty, or what is wrong.
std::string checkModel(const ModelBuilder& builder, const std::vector<Bytes>& inputs,
                       const std::vector<Bytes>& expected, const CheckOptions& options = {});

}  // namespace vnpu::driver::test
