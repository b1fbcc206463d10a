// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/regs/command_stream.h"
#include "hw_model/timing/npu_config.h"
#include "hw_model/timing/operator_timing.h"

namespace vnpu::hw {

/// The work of one vector unit command as passes over the lanes of the element type (of the wider
/// type where the command converts), with E an exponential or a division:
///   pool     outputs*window steps, average: + outputs*E
///   eltwise  elements
///   unary    elements, logistic: + elements*2E
///   softmax  elements*(3 + E) + outer*inner*E: greatest value, exponentials with their sum,
///   scaling reduce   elements + outputs*E
/// Elements are dense over the lanes: no cost for short rows or clipped windows. chosen: a
/// lane-parallel unit with one iterative exponential and divide step per lane; no published unit is
/// copied.
OperatorWork vectorWork(const VecPool& work);
OperatorWork vectorWork(const VecEltwise& work);
OperatorWork vectorWork(const VecUnary& work);
OperatorWork vectorWork(const VecSoftmax& work);
OperatorWork vectorWork(const VecReduce& work);

/// Cycles of a command: those of its work (timing/operator_timing.h).
template <typename Command>
std::uint64_t vectorCycles(const VectorConfig& config, const Command& command) {
    return vectorCycles(config, vectorWork(command));
}

}  // namespace vnpu::hw
