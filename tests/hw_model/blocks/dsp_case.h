// SPDX-License-Identifier: Apache-2.0
// Operands and commands for tests of the DSP.
//
// Cycles in these tests follow from the default configuration: DSP start-up 200, 4 lanes of 32
// bits, 4 cycles a serial step, DRAM latency 100 at 4 bytes per cycle, interconnect latency 4,
// bursts of 64 bytes, page walk 60. All operands lie in the first large page of 64 KiB but where a
// test says otherwise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/hw_model/blocks/job_bench.h"

namespace vnpu::test {

using namespace hw;

inline constexpr std::uint64_t kDspFixedCycles = 200 + 100 + 4;
inline constexpr std::uint64_t kDescriptor = 0x100;
inline constexpr std::uint64_t kShapes = 0x2000;
inline constexpr std::uint64_t kInputOffset = 0x4000;
inline constexpr std::uint64_t kOutputOffset = 0xA000;

inline MemoryRef shapeAt(std::uint64_t operand) {
    return inRegion(kShapes + operand * sizeof(DspShape));
}

inline DspOperand tensor(TensorType type, std::vector<std::uint32_t> dimensions,
                         std::uint64_t offset, std::uint64_t capacityBytes = 0x4000) {
    DspOperand operand{};
    operand.type = type;
    operand.rank = static_cast<std::uint8_t>(dimensions.size());
    std::copy(dimensions.begin(), dimensions.end(), operand.dimensions);
    operand.data = inRegion(offset);
    operand.capacityBytes = capacityBytes;
    return operand;
}

inline DspOperand floats(std::uint32_t count, std::uint64_t offset) {
    return tensor(TensorType::kFloat32, {count}, offset);
}

inline DspOperator command(Operator op, std::size_t inputs, std::size_t outputs,
                           std::uint64_t descriptor = kDescriptor) {
    DspOperator work{};
    work.op = op;
    work.inputCount = static_cast<std::uint16_t>(inputs);
    work.outputCount = static_cast<std::uint16_t>(outputs);
    work.descriptor = inRegion(descriptor);
    return work;
}

inline CommandList only(const DspOperator& work) {
    CommandList list;
    list.add(Engine::kDsp, work);
    return list;
}

inline void place(DeviceBench& bench, const std::vector<DspOperand>& operands,
                  std::uint64_t offset = kDescriptor) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
        bench.memory.store(JobBench::bus(offset + i * sizeof(DspOperand)), operands[i]);
    }
}

template <typename T>
inline void store(DeviceBench& bench, std::uint64_t offset, const std::vector<T>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        bench.memory.store(JobBench::bus(offset + i * sizeof(T)), values[i]);
    }
}

template <typename T>
std::vector<T> loadAll(DeviceBench& bench, std::uint64_t offset, std::size_t count) {
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(bench.memory.load<T>(JobBench::bus(offset + i * sizeof(T))));
    }
    return values;
}

inline std::vector<float> halves(std::size_t count) {
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>(i) + 0.5F);
    }
    return values;
}

/// FLOOR over `count` floats.
struct Floor {
    explicit Floor(std::uint32_t elements) : count(elements) {}
    std::vector<DspOperand> operands() const {
        return {floats(count, kInputOffset), floats(count, kOutputOffset)};
    }
    void placeIn(DeviceBench& bench) const {
        place(bench, operands());
        store(bench, kInputOffset, halves(count));
    }
    bool isDoneIn(DeviceBench& bench) const {
        const auto results = loadAll<float>(bench, kOutputOffset, count);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i] != static_cast<float>(i)) {
                return false;
            }
        }
        return true;
    }
    bool isUntouchedIn(DeviceBench& bench) const {
        return loadAll<float>(bench, kOutputOffset, count) == std::vector<float>(count, 0.0F);
    }

    std::uint32_t count;
};

inline CommandList floorCommand() {
    return only(command(Operator::kFloor, 1, 1));
}

}  // namespace vnpu::test
