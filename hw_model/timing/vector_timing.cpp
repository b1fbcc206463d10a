// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/vector_timing.h"

#include <algorithm>

namespace vnpu::hw {
namespace {

constexpr std::uint64_t divideUp(std::uint64_t value, std::uint64_t by) {
    return (value + by - 1) / by;
}

std::uint64_t lanesOf(const VectorConfig& config, ElementType type) {
    return elementBytes(type) == 1 ? config.lanes8 : config.lanes32;
}

// Steps that `elements` need at `cyclesEach` per lane.
std::uint64_t laneCycles(std::uint64_t elements, std::uint64_t lanes,
                         std::uint64_t cyclesEach = 1) {
    return divideUp(elements, lanes) * cyclesEach;
}

std::uint64_t elementsOf(const std::uint32_t (&dims)[4]) {
    return std::uint64_t{dims[0]} * dims[1] * dims[2] * dims[3];
}

}  // namespace

std::uint64_t vectorCycles(const VectorConfig& config, const VecPool& work) {
    const std::uint64_t lanes = lanesOf(config, work.type);
    const std::uint64_t outputs =
            std::uint64_t{work.outputHeight} * work.outputWidth * work.channels;
    const std::uint64_t taps = std::uint64_t{work.windowHeight} * work.windowWidth;
    std::uint64_t cycles = config.startupCycles + laneCycles(outputs * taps, lanes);
    if (work.kind == PoolKind::kAverage) {
        cycles += laneCycles(outputs, lanes, config.exponentialCycles);
    }
    return cycles;
}

std::uint64_t vectorCycles(const VectorConfig& config, const VecEltwise& work) {
    return config.startupCycles + laneCycles(elementsOf(work.dims), lanesOf(config, work.type));
}

std::uint64_t vectorCycles(const VectorConfig& config, const VecUnary& work) {
    const std::uint64_t lanes =
            std::min(lanesOf(config, work.inputType), lanesOf(config, work.outputType));
    std::uint64_t cycles = config.startupCycles + laneCycles(work.count, lanes);
    if (work.kind == UnaryKind::kLogistic) {
        cycles += laneCycles(work.count, lanes, 2ULL * config.exponentialCycles);
    }
    return cycles;
}

std::uint64_t vectorCycles(const VectorConfig& config, const VecSoftmax& work) {
    const std::uint64_t lanes = lanesOf(config, work.type);
    const std::uint64_t sums = std::uint64_t{work.outer} * work.inner;
    constexpr std::uint64_t kPasses = 3;  // greatest, exponentials and their sum, scaling
    return config.startupCycles +
           laneCycles(sums * work.axis, lanes, kPasses + config.exponentialCycles) +
           laneCycles(sums, lanes, config.exponentialCycles);
}

std::uint64_t vectorCycles(const VectorConfig& config, const VecReduce& work) {
    const std::uint64_t lanes = lanesOf(config, work.type);
    std::uint64_t outputs = 1;
    for (unsigned d = 0; d < 4; ++d) {
        outputs *= ((work.reduceMask >> d) & 1U) != 0 ? 1 : work.dims[d];
    }
    return config.startupCycles + laneCycles(elementsOf(work.dims), lanes) +
           laneCycles(outputs, lanes, config.exponentialCycles);
}

}  // namespace vnpu::hw
