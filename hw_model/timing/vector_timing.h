// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Cycles of one vector unit command: startupCycles and, with L the lanes of the element type (of
/// the wider type where the command converts) and E exponentialCycles, the cost of an exponential
/// or a division per element and lane:
///   pool     ceil(outputs*window/L), average: + ceil(outputs/L)*E
///   eltwise  ceil(elements/L)
///   unary    ceil(elements/L), logistic: + ceil(elements/L)*2E
///   softmax  ceil(elements/L)*(3 + E) + ceil(outer*inner/L)*E: greatest value, exponentials with
///   their sum, scaling reduce   ceil(elements/L) + ceil(outputs/L)*E
/// Elements are dense over the lanes: no cost for short rows or clipped windows. chosen: a
/// lane-parallel unit with one iterative exponential and divide step per lane; no published unit is
/// copied.
std::uint64_t vectorCycles(const VectorConfig& config, const VecPool& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecEltwise& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecUnary& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecSoftmax& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecReduce& work);

}  // namespace vnpu::hw
