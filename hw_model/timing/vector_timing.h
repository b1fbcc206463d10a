// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Cycles of one vector unit command: start-up plus elements (or window elements) over lanes; exponentials and divisions
/// take exponentialCycles per element and lane.
std::uint64_t vectorCycles(const VectorConfig& config, const VecPool& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecEltwise& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecUnary& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecSoftmax& work);
std::uint64_t vectorCycles(const VectorConfig& config, const VecReduce& work);

}  // namespace vnpu::hw
