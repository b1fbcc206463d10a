// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/compiler/model_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driver/compiler/compiler.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/stream_interpreter.h"

namespace vnpu::driver::test {
namespace {

bool isFloat(OperandType type) {
    return type == OperandType::TENSOR_FLOAT32;
}

std::int32_t storedByte(std::byte byte, OperandType type) {
    const auto raw = static_cast<std::uint8_t>(byte);
    return type == OperandType::TENSOR_QUANT8_ASYMM ? std::int32_t{raw}
                                                    : std::int32_t{static_cast<std::int8_t>(raw)};
}

std::string compare(const Bytes& actual, const Bytes& expected, OperandType type,
                    const CheckOptions& options) {
    if (actual.size() != expected.size()) {
        return fmt::format("{} bytes, expected {}", actual.size(), expected.size());
    }
    if (isFloat(type)) {
        const auto have = valuesOf<float>(actual);
        const auto want = valuesOf<float>(expected);
        for (std::size_t i = 0; i < want.size(); ++i) {
            const double gap =
                    std::abs(static_cast<double>(have[i]) - static_cast<double>(want[i]));
            if (!(gap <= 1e-5 + options.relative * std::abs(static_cast<double>(want[i])))) {
                return fmt::format("element {} is {}, expected {}", i, have[i], want[i]);
            }
        }
        return "";
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const int have = storedByte(actual[i], type);
        const int want = storedByte(expected[i], type);
        if (std::abs(have - want) > options.tolerance) {
            return fmt::format("element {} is {}, expected {}", i, have, want);
        }
    }
    return "";
}

std::string checkOn(const DeviceInfo& device, const ModelBuilder& builder,
                    const std::vector<Bytes>& inputs, const std::vector<Bytes>& expected,
                    const CheckOptions& options) {
    const auto model = builder.build();
    for (const std::string& reason : findUnsupported(model)) {
        if (!reason.empty()) {
            return reason;
        }
    }
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        // The last run is preempted as often as possible.
        const auto compiled = compile(model, builder.pools(), device,
                                      {.checkpointCycles = seed == 3 ? 1ULL : 0ULL});
        if (!compiled) {
            return compiled.error().reason;
        }
        const InterpretedRun run = interpret(*compiled, device, builder.pools(), inputs, seed);
        if (!run.error.empty()) {
            return run.error;
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const OperandType type = model.main.operands[model.main.outputIndexes[i]].type;
            const std::string gap = compare(run.outputs[i], expected[i], type, options);
            if (!gap.empty()) {
                return fmt::format("seed {} output {} {}", seed, i, gap);
            }
        }
    }
    return "";
}

}  // namespace

Bytes Dice::data(OperandType type, std::uint64_t elements) {
    if (isFloat(type)) {
        std::vector<float> values(elements);
        for (float& value : values) {
            value = static_cast<float>(pick(-128, 128)) / 16.0F;
        }
        return bytesOf(values);
    }
    if (type == OperandType::TENSOR_INT32) {
        std::vector<std::int32_t> values(elements);
        for (std::int32_t& value : values) {
            value = pick(-2000, 2000);
        }
        return bytesOf(values);
    }
    Bytes bytes(elements);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(pick(0, 255));
    }
    return bytes;
}

std::vector<hw::Opcode> opcodesOf(const CompiledModel& model) {
    std::vector<hw::Opcode> opcodes;
    hw::CommandReader reader(model.commands);
    hw::CommandView view;
    while (reader.next(view)) {
        opcodes.push_back(view.header->opcode);
    }
    return opcodes;
}

std::size_t countCommands(const CompiledModel& model, hw::Opcode opcode) {
    const std::vector<hw::Opcode> opcodes = opcodesOf(model);
    return static_cast<std::size_t>(std::count(opcodes.begin(), opcodes.end(), opcode));
}

std::uint64_t movedBytes(const ModelBuilder& model, const DeviceInfo& device) {
    const auto compiled = compile(model.build(), model.pools(), device);
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().reason);
    std::uint64_t bytes = 0;
    for (const OperationEstimate& operation : compiled->operations) {
        bytes += operation.dramBytes;
    }
    return bytes;
}

std::uint64_t elementsOf(const Dimensions& dimensions) {
    std::uint64_t count = 1;
    for (const std::uint32_t dimension : dimensions) {
        count *= dimension;
    }
    return count;
}

Values centered(const Bytes& bytes, OperandType type, std::int32_t zeroPoint) {
    Values values;
    if (isFloat(type)) {
        for (const float value : valuesOf<float>(bytes)) {
            values.push_back(static_cast<double>(value));
        }
    } else if (type == OperandType::TENSOR_INT32) {
        for (const std::int32_t value : valuesOf<std::int32_t>(bytes)) {
            values.push_back(value);
        }
    } else {
        for (const std::byte byte : bytes) {
            values.push_back(storedByte(byte, type) - zeroPoint);
        }
    }
    return values;
}

StoredRange storedRange(const Storing& storing) {
    const bool isUnsigned = storing.type == OperandType::TENSOR_QUANT8_ASYMM;
    StoredRange range{isUnsigned ? 0 : -128, isUnsigned ? 255 : 127};
    // NNAPI and TFLite divide in single precision here, which affects ties.
    const auto stored = [&](float real) {
        return storing.zeroPoint + static_cast<std::int32_t>(vnpu::test::roundAwayFromZero(
                                           static_cast<double>(real / storing.scale)));
    };
    if (storing.activation == 1 || storing.activation == 3) {
        range.least = std::max(range.least, stored(0));
    }
    if (storing.activation == 2) {
        range.least = std::max(range.least, stored(-1));
        range.most = std::min(range.most, stored(1));
    }
    if (storing.activation == 3) {
        range.most = std::min(range.most, stored(6));
    }
    return range;
}

Bytes store(const Values& values, const Storing& storing, double factor) {
    if (isFloat(storing.type)) {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        constexpr double kLeast[] = {-kInfinity, 0, -1, 0};
        constexpr double kMost[] = {kInfinity, kInfinity, 1, 6};
        std::vector<float> stored;
        for (const double value : values) {
            stored.push_back(static_cast<float>(
                    std::clamp(value, kLeast[storing.activation], kMost[storing.activation])));
        }
        return bytesOf(stored);
    }
    const StoredRange range = storedRange(storing);
    const auto scaling = vnpu::test::quantizeMultiplier(factor);
    Bytes stored;
    for (const double value : values) {
        const std::int64_t scaled = vnpu::test::scaleTwiceRounded(
                static_cast<std::int64_t>(value), scaling.multiplier, scaling.shift);
        stored.push_back(static_cast<std::byte>(
                std::clamp<std::int64_t>(scaled + storing.zeroPoint, range.least, range.most)));
    }
    return stored;
}

std::string checkModel(const ModelBuilder& builder, const std::vector<Bytes>& inputs,
                       const std::vector<Bytes>& expected, const CheckOptions& options) {
    std::vector<DeviceInfo> devices = options.devices;
    if (devices.empty()) {
        devices = {edgeDevice(), tinyDevice(16384, 2048), tinyDevice(2048, 256),
                   tinyDevice(1024, 64)};
    }
    for (const DeviceInfo& device : devices) {
        const std::string problem = checkOn(device, builder, inputs, expected, options);
        if (!problem.empty()) {
            return fmt::format("SRAM {}: {}", device.sramBytes, problem);
        }
    }
    return "";
}

}  // namespace vnpu::driver::test
