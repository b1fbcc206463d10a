// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// The engines' arithmetic as functions of a validated command and the memories it names. `sram`
/// and `accumulators` point to the whole memories; every range that the command names lies inside
/// (validateCommand). Results are the same for every processor and thread count: integers exactly,
/// floats by a fixed summation order per build. Any thread; oneTBB workers may be used inside.

void macConv(const MacConv& work, std::byte* sram, std::byte* accumulators);
void vecPool(const VecPool& work, std::byte* sram);
void vecEltwise(const VecEltwise& work, std::byte* sram);
void vecUnary(const VecUnary& work, std::byte* sram);
void vecSoftmax(const VecSoftmax& work, std::byte* sram);
void vecReduce(const VecReduce& work, std::byte* sram);

/// Empty, or why the operator refused its operands; then nothing is promised of its outputs.
std::string vecOperator(const VecOperator& work, std::byte* sram);

}  // namespace vnpu::hw::kernels
