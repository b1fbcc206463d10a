// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// The engines' arithmetic as functions of a validated command and the memories that it names.
/// `sram` and `accumulators` point to the whole memories; every range of the command lies inside
/// (validateCommand). Results are the same for every processor and thread count: integers exactly,
/// floats by a fixed summation order per build. Any thread; functions may use oneTBB workers.

void macConv(const MacConv& work, std::byte* sram, std::byte* accumulators);
void vecPool(const VecPool& work, std::byte* sram);
void vecEltwise(const VecEltwise& work, std::byte* sram);
void vecUnary(const VecUnary& work, std::byte* sram);
void vecSoftmax(const VecSoftmax& work, std::byte* sram);
void vecReduce(const VecReduce& work, std::byte* sram);

/// Returns an empty string, or why the operator refused its operands; its outputs are then
/// undefined.
std::string vecOperator(const VecOperator& work, std::byte* sram);

}  // namespace vnpu::hw::kernels
